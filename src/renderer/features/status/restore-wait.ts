/** What restores and undo wait for while somebody writes in the folder, and why. Pure. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../ui/agent.tsx'
import { clock, plural } from '../../ui/format.ts'

type Run = WorkspaceStatus['activeRuns'][number]

export interface RestoreWait {
  /** For the status bar. */
  readonly text: string
  readonly runs: readonly Run[]
}

/** null when nothing has to be waited for. */
export function restoreWait(runs: readonly Run[]): RestoreWait | null {
  const busy = runs.filter(({ mayWrite }) => mayWrite)
  const [one, another] = busy
  if (!one) return null
  const end = another
    ? `${plural(busy.length, 'run')} end`
    : `this ${one.agent === 'command' ? 'command' : 'turn'} ends`
  return { text: `Restore and undo wait until ${end}`, runs: busy }
}

/** Who works, e.g. `Codex`. */
export function agentName({ agent }: Run): string {
  return agent === 'command' ? 'A command' : agentIdentity(agent).name
}

/** `2 s ago`, `3 min ago`, then the time of day. */
export function timeAgo(at: number, now: number): string {
  const s = Math.max(0, Math.floor((now - at) / 1000))
  if (s < 60) return `${s} s ago`
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `at ${clock(at)}`
}
