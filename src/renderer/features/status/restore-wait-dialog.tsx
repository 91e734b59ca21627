/** Explains why restore and undo wait for a run. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clock } from '../../../contract/words/times.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { CloseFooter, Dialog } from '../../ui/dialog.tsx'

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
                  <span className="muted nowrap">since {clock(run.startedAt)}</span>
                </li>
              ))}
            </ul>
            <p>The agent may overwrite restored files, and will not know that they changed.</p>
            <p>
              You can preview a restore now. It is applied when the run stops, or at once if you prefer. Every edit is
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

type Run = WorkspaceStatus['activeRuns'][number]

/** The runs that restore and undo wait for (RS-8). */
interface RestoreWait {
  /** For the status bar. */
  readonly text: string
  readonly runs: readonly Run[]
}

/** null if no run may write. */
export function restoreWait(runs: readonly Run[]): RestoreWait | null {
  const busy = runs.filter(({ mayWrite }) => mayWrite)
  const [first, second] = busy
  if (!first) return null
  const end = second
    ? `${plural(busy.length, 'run')} end`
    : `this ${first.agent === 'command' ? 'command' : 'turn'} ends`
  return { text: `Restore and undo wait until ${end}`, runs: busy }
}

/** Display name of the run's agent. */
function agentName({ agent }: Run): string {
  return agent === 'command' ? 'A command' : agentIdentity(agent).name
}

/** `2 s ago`, `3 min ago`, then the time of day. */
export function timeAgo(at: number, now: number): string {
  const s = Math.max(0, Math.floor((now - at) / 1000))
  if (s < 60) return `${s} s ago`
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `at ${clock(at)}`
}
