/** The bar above a file that is decided about as a whole: a new, deleted, renamed or binary one, or its permissions. */
import type { FileChange } from '../../../contract/diff.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface FileDecisionProps {
  readonly file: FileChange
  readonly kept: boolean
  /** The restore that took it back. */
  readonly takenBack: string | null
  readonly verb: string
  /** Why it cannot be taken back, null when it can. */
  readonly noUndo: string | null
  readonly onKeep: () => void
  readonly onUndo: () => void
  readonly onFind: (restore: string) => void
}

export function FileDecision({ file, kept, takenBack, verb, noUndo, onKeep, onUndo, onFind }: FileDecisionProps) {
  return (
    <div className="file-decision" data-mark={takenBack ? 'taken-back' : kept ? 'kept' : ''}>
      {takenBack || kept ? (
        <span className="decided">
          <Icon name={takenBack ? 'undo' : 'check'} size="s" />
          {takenBack ? 'taken back' : 'kept'}
        </span>
      ) : null}
      <span>{wordsOf(file)}</span>
      {takenBack ? (
        <Button size="sm" icon="history" onClick={() => onFind(takenBack)}>
          Show in timeline
        </Button>
      ) : (
        <>
          <Button size="sm" icon="check" aria-pressed={kept} onClick={onKeep}>
            Keep
          </Button>
          <Button size="sm" icon="undo" disabledReason={noUndo} onClick={onUndo}>
            {verb} this file…
          </Button>
        </>
      )}
    </div>
  )
}

function wordsOf(file: FileChange): string {
  switch (file.change) {
    case 'added':
      return 'New file. It did not exist before.'
    case 'deleted':
      return 'A deleted file, decided about as a whole'
    case 'renamed':
      return 'A renamed file, decided about as a whole'
    case 'mode':
      return 'Only its permissions changed'
    default:
      return file.kind === 'text' ? 'Decided about as a whole' : `A ${file.kind} file, decided about as a whole`
  }
}
