/** The bar above a file that is kept or undone as a whole: a new, deleted, renamed or binary file, or new permissions. */
import type { FileChange } from '../../../contract/diff.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface WholeFileReviewProps {
  readonly file: FileChange
  readonly kept: boolean
  /** Id of the restore that undid it, null if none. */
  readonly undoneBy: string | null
  readonly verb: string
  /** Why the file cannot be undone, null if it can. */
  readonly undoDisabled: string | null
  readonly onKeep: () => void
  readonly onUndo: () => void
  readonly onShowRestore: (restore: string) => void
}

export function WholeFileReview({
  file,
  kept,
  undoneBy,
  verb,
  undoDisabled,
  onKeep,
  onUndo,
  onShowRestore
}: WholeFileReviewProps) {
  return (
    <div className="file-decision" data-mark={undoneBy ? 'undone' : kept ? 'kept' : ''}>
      {undoneBy || kept ? (
        <span className="decided">
          <Icon name={undoneBy ? 'undo' : 'check'} size="s" />
          {undoneBy ? 'undone' : 'kept'}
        </span>
      ) : null}
      <span>{describeFile(file)}</span>
      {undoneBy ? (
        <Button size="sm" icon="history" onClick={() => onShowRestore(undoneBy)}>
          Show in timeline
        </Button>
      ) : (
        <>
          <Button size="sm" icon="check" aria-pressed={kept} onClick={onKeep}>
            Keep
          </Button>
          <Button size="sm" icon="undo" disabledReason={undoDisabled} onClick={onUndo}>
            {verb} this file…
          </Button>
        </>
      )}
    </div>
  )
}

/** Content kinds that are reviewed as a whole. */
const WHOLE_KINDS = { binary: 'Binary file', symlink: 'Link', dir: 'Folder', large: 'Large file' } as const

function describeFile(file: FileChange): string {
  switch (file.change) {
    case 'added':
      return 'New file. It did not exist before.'
    case 'deleted':
      return 'Deleted file: keep or undo as a whole'
    case 'renamed':
      return 'Renamed file: keep or undo as a whole'
    case 'mode':
      return 'Only the permissions changed'
    default:
      return file.kind === 'text' ? 'Keep or undo as a whole' : `${WHOLE_KINDS[file.kind]}: keep or undo as a whole`
  }
}
