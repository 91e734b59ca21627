/** What the diff pane says when there is no file to show, and when all are reviewed. */
import { allReviewed } from '../../../contract/words/files.ts'
import { useReview, useWorkspaceState } from '../../state/open-workspace.tsx'
import { NO_FILES } from '../../state/store.ts'
import { Blank } from '../../ui/blank.tsx'
import { Notice } from './diff-notices.tsx'

export function NoFile() {
  const files = useWorkspaceState(({ diff }) => diff?.files ?? null)
  if (files === null) return <div className="blank late muted">Loading the changes…</div>
  return <Blank icon="file" title={files.length > 0 ? 'Select a file to see its changes.' : 'No changes to show.'} />
}

export function AllReviewed() {
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const { reviewed, startOver } = useReview()
  if (!files.every(({ path }) => reviewed.has(path))) return null
  return (
    <Notice icon="okc" action={{ label: 'Start over', run: startOver }}>
      {allReviewed(files.length)}.
    </Notice>
  )
}
