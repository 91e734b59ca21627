/** Offers to reload a file that was edited since its diff was loaded. */
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { count } from '../files/file-words.ts'

export function NewerEdits({ edits, onShow }: { readonly edits: number; readonly onShow: () => void }) {
  return (
    <div className="pilln" role="status">
      <Icon name="adown" size="s" />
      {count(edits, 'newer edit')}
      <Button size="sm" kind="plain" onClick={onShow}>
        Show
      </Button>
    </div>
  )
}
