/** Why restores and undo wait, and what can be done meanwhile. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { Who } from '../../ui/agent.tsx'
import { CloseFooter } from '../../ui/close-footer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { clock } from '../../ui/format.ts'
import { waitsFor, whoWorks } from './waits.ts'

interface WaitsDialogProps {
  readonly status: WorkspaceStatus | null
  readonly onClose: () => void
}

export function WaitsDialog({ status, onClose }: WaitsDialogProps) {
  const runs = waitsFor(status?.activeRuns ?? [])?.runs ?? []
  return (
    <Dialog labelledBy="waits-title" describedBy="waits-text" className="dialog question" onClose={onClose}>
      <header>
        <h1 id="waits-title">{runs.length > 0 ? 'Why restore and undo wait' : 'Nothing has to wait any more'}</h1>
      </header>
      <div className="question-text" id="waits-text">
        {runs.length > 0 ? (
          <>
            <ul className="waits-runs">
              {runs.map((run) => (
                <li key={run.run}>
                  <Who agent={run.agent} live />
                  <span className="ell">
                    {whoWorks(run)} works on “{run.title}”
                  </span>
                  <span className="num muted">since {clock(run.startedAt)}</span>
                </li>
              ))}
            </ul>
            <p>
              It may write to any file at any moment. A file that goes back now could be overwritten at once, and the
              agent would go on with what it still has in mind.
            </p>
            <p>
              Every preview can be opened now. It then goes on by itself when the run stops, or at once if you say so.
              Nothing is lost while you wait: every edit is recorded.
            </p>
          </>
        ) : (
          <p>The run has ended. Restore and undo work at once.</p>
        )}
      </div>
      <CloseFooter onClose={onClose} />
    </Dialog>
  )
}
