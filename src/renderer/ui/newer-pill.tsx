/** Says over a pane that there is something newer below or behind what is shown. */
import { plural } from '../../contract/words/numbers.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'

interface NewerPillProps {
  readonly count: number
  /** Such as "newer edit". */
  readonly noun: string
  readonly onShow: () => void
}

export function NewerPill({ count, noun, onShow }: NewerPillProps) {
  return (
    <div className="pilln" role="status">
      <Icon name="adown" size="s" />
      {plural(count, noun)}
      <Button size="sm" kind="plain" onClick={onShow}>
        Show
      </Button>
    </div>
  )
}
