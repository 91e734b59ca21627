/** The runs that restore and undo wait for (RS-8). Pure. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { clock } from '../../../contract/words/times.ts'

type Run = WorkspaceStatus['activeRuns'][number]

export interface RestoreWait {
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
export function agentName({ agent }: Run): string {
  return agent === 'command' ? 'A command' : agentIdentity(agent).name
}

/** `2 s ago`, `3 min ago`, then the time of day. */
export function timeAgo(at: number, now: number): string {
  const s = Math.max(0, Math.floor((now - at) / 1000))
  if (s < 60) return `${s} s ago`
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `at ${clock(at)}`
}
