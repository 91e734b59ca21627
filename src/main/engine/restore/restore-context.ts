/** What planning and performing restores needs of a recorded folder. Composed in workspaces/. */
import type { SessionContext } from '../agents/agent-workspace.ts'
import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'

export interface RestoreContext extends CheckContext, SessionContext {
  /** Held from the plan to the end of the restore. */
  readonly lock: Lock
  /** Ends runs whose process died. Call inside the lock. */
  endDeadRuns(): Promise<void>
}
