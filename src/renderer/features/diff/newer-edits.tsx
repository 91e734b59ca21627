/** Offers to reload a file that was edited since its diff was loaded. */
import { plural } from '../../../contract/words/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

export function NewerEdits({ edits, onShow }: { readonly edits: number; readonly onShow: () => void }) {
  return (
    <div className="pilln" role="status">
      <Icon name="adown" size="s" />
      {plural(edits, 'newer edit')}
      <Button size="sm" kind="plain" onClick={onShow}>
        Show
      </Button>
    </div>
  )
}
