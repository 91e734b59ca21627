/**
 * The bar above a file that is kept or undone as a whole: a new, deleted, renamed or binary file, or new permissions.
 */
import type { FileChange } from '../../../contract/diff.ts'
import { useOpenWorkspace, useReview } from '../../state/open-workspace.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { keepText, type ReviewScope, undoText } from './review.ts'
import type { ReviewFlow } from './use-review-flow.ts'
import './change-bars.css'

interface WholeFileReviewProps {
  readonly file: FileChange
  readonly scope: ReviewScope
  readonly verb: string
  readonly flow: ReviewFlow
  /** Number of selected lines, which are decided instead of the file. */
  readonly lines: number
}

export function WholeFileReview({ file, scope: { undoneBy, undoDisabled }, verb, flow, lines }: WholeFileReviewProps) {
  const { actions } = useOpenWorkspace()
  const kept = useReview().reviewed.has(file.path)
  const mark = undoneBy ? 'undone' : kept ? 'kept' : (flow.bars.marks.get(1) ?? null)
  return (
    <div className="file-decision" data-mark={mark ?? ''}>
      {mark ? (
        <span className="decided">
          <Icon name={mark.endsWith('undone') ? 'undo' : 'check'} size="s" />
          {mark}
        </span>
      ) : null}
      <span>{describeFile(file)}</span>
      {undoneBy ? (
        <Button size="sm" icon="history" onClick={() => actions.showEntry(undoneBy)}>
          Show in timeline
        </Button>
      ) : (
        <>
          <Button
            size="sm"
            icon="check"
            aria-pressed={lines === 0 && kept}
            disabledReason={flow.keepUnavailable}
            onClick={lines > 0 ? flow.keepChange : flow.keepFile}
          >
            {lines > 0 ? keepText(lines) : 'Keep'}
          </Button>
          <Button
            size="sm"
            icon="undo"
            disabledReason={undoDisabled}
            onClick={lines > 0 ? flow.undoChange : flow.undoFile}
          >
            {lines > 0 ? undoText(verb, lines) : `${verb} this file…`}
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
