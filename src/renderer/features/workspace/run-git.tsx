/** [GT-5] Below the title of a run: what it did to git. */
import type { RunEntry } from '../../../contract/timeline.ts'
import { runGitText } from '../../../contract/words/git.ts'
import { useQuery } from '../../client/use-query.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useKeptRoom } from '../../ui/use-kept-room.ts'

export function RunGit({ run }: { readonly run: RunEntry }) {
  const { workspace } = useOpenWorkspace()
  const { data, error } = useQuery('git.changes', { workspace: workspace.id, run: run.id })
  const hasRoom = useKeptRoom(data ? data.changes.length > 0 : error ? false : null)
  if (!hasRoom) return null
  if (!data) return <div className="notice" />
  return (
    <section className="notice" aria-label="Git">
      <Icon name="branch" />
      <span className="run-part grow" dir="auto">
        {runGitText(data.changes)}
      </span>
    </section>
  )
}
