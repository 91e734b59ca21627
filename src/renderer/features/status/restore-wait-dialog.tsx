/** Explains why restore and undo wait for a run. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { clock } from '../../../contract/words/times.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { CloseFooter } from '../../ui/close-footer.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { agentName, restoreWait } from './restore-wait.ts'

interface WaitsDialogProps {
  readonly status: WorkspaceStatus | null
  readonly onClose: () => void
}

export function RestoreWaitDialog({ status, onClose }: WaitsDialogProps) {
  const runs = restoreWait(status?.activeRuns ?? [])?.runs ?? []
  return (
    <Dialog labelledBy="waits-title" describedBy="waits-text" className="dialog question" onClose={onClose}>
      <header>
        <h1 id="waits-title">{runs.length > 0 ? 'Why restore and undo wait' : 'Restore and undo are available'}</h1>
      </header>
      <div className="question-text" id="waits-text">
        {runs.length > 0 ? (
          <>
            <ul className="waits-runs">
              {runs.map((run) => (
                <li key={run.run}>
                  <AgentTile agent={run.agent} live />
                  <span className="ell">
                    {agentName(run)} is working on “{run.title}”
                  </span>
                  <span className="num muted">since {clock(run.startedAt)}</span>
                </li>
              ))}
            </ul>
            <p>The agent may overwrite restored files, and will not know that they changed.</p>
            <p>
              You can open a preview now. It starts when the run stops, or at once if you choose so. Every edit is
              recorded in the meantime.
            </p>
          </>
        ) : (
          <p>The run has ended.</p>
        )}
      </div>
      <CloseFooter onClose={onClose} />
    </Dialog>
  )
}
