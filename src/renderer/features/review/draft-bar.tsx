/** A draft whose box is closed. */
import { Button } from '../../ui/button.tsx'
import { useDraft } from './drafts.ts'

interface DraftBarProps {
  readonly draftKey: string
  readonly text: string
  readonly onOpen: () => void
}

export function DraftBar({ draftKey, text, onOpen }: DraftBarProps) {
  const [, set] = useDraft(draftKey)
  return (
    <div className="draft-bar">
      <span className="grow ell">
        <b>Draft</b> {text.trim().split('\n', 1)[0]}
      </span>
      <Button size="sm" icon="pencil" onClick={onOpen}>
        Edit
      </Button>
      <Button size="sm" kind="ghost" icon="trash" onClick={() => set('')}>
        Discard
      </Button>
    </div>
  )
}
