/**
 * The bar above a file that is kept or undone as a whole: a new, deleted, renamed or binary file, or new permissions.
 */
import type { FileChange } from '../../../contract/diff.ts'
import { useOpenWorkspace, useReview } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { ReviewScope } from './review.ts'
import type { ReviewFlow } from './use-review-flow.ts'

interface WholeFileReviewProps {
  readonly file: FileChange
  readonly scope: ReviewScope
  readonly verb: string
  readonly flow: ReviewFlow
}

export function WholeFileReview({ file, scope: { undoneBy, undoDisabled }, verb, flow }: WholeFileReviewProps) {
  const { actions } = useOpenWorkspace()
  const kept = useReview().reviewed.has(file.path)
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
        <Button size="sm" icon="history" onClick={() => actions.showEntry(undoneBy)}>
          Show in timeline
        </Button>
      ) : (
        <>
          <Button size="sm" icon="check" aria-pressed={kept} onClick={flow.keepFile}>
            Keep
          </Button>
          <Button size="sm" icon="undo" disabledReason={undoDisabled} onClick={flow.undoFile}>
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
