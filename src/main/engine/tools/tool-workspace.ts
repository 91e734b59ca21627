/** What the file tools need of a recorded folder. Composed in workspaces/. */
import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'
import type { RunContext } from '../runs/run-context.ts'

export interface ToolWorkspace extends CheckContext, RunContext {
  /** Held during a use. */
  readonly lock: Lock
  /** Ends runs whose process died. Call inside the lock. */
  endDeadRuns(): Promise<void>
}
