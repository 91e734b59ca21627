/** What restores and undo wait for while somebody writes in the folder, and why. Pure. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { agentLook } from '../../ui/agent.tsx'
import { clock, plural } from '../../ui/format.ts'

type Run = WorkspaceStatus['activeRuns'][number]

export interface Waits {
  /** For the status bar. */
  readonly text: string
  readonly runs: readonly Run[]
}

/** null when nothing has to be waited for. */
export function waitsFor(runs: readonly Run[]): Waits | null {
  const busy = runs.filter(({ mayWrite }) => mayWrite)
  const [one, another] = busy
  if (!one) return null
  const end = another
    ? `${plural(busy.length, 'run')} end`
    : `this ${one.agent === 'command' ? 'command' : 'turn'} ends`
  return { text: `Restore and undo wait until ${end}`, runs: busy }
}

/** Who works, e.g. `Codex`. */
export function whoWorks({ agent }: Run): string {
  return agent === 'command' ? 'A command' : agentLook(agent).name
}

/** `2 s ago`, `3 min ago`, then the time of day. */
export function since(at: number, now: number): string {
  const s = Math.max(0, Math.floor((now - at) / 1000))
  if (s < 60) return `${s} s ago`
  return s < 3600 ? `${Math.floor(s / 60)} min ago` : `at ${clock(at)}`
}
