/** What planning and performing restores needs of a recorded folder. Composed in workspaces/. */
import type { ConversationObstacle, Resume } from '../../../contract/conversation.ts'
import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'
import type { WorktreeFile } from '../store/import-files.ts'
import type { MessageRow } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { SessionRow } from '../store/sessions.ts'

export interface RestoreContext extends CheckContext {
  /** Held from the plan to the end of the restore. */
  readonly lock: Lock
  /** Ends runs whose process died. Call inside the lock. */
  endDeadRuns(): Promise<void>
  readonly sessions: AgentSessions
  /** The history of an open review of a bundle. Throws NotAWorkspace. */
  bundle(id: string): Store
  /** [WT-3] Files of a removed worktree that are nowhere else, as versions of this history. Throws UnknownTarget. */
  filesOfWorktree(worktree: string): Promise<readonly WorktreeFile[]>
}

/** The agents' own files of a conversation, which a restore reads and forks. */
interface AgentSessions {
  /** Imports the messages that the agent has written and the store does not have. */
  importTranscript(session: string): void
  /** Why the conversation cannot be cut after `anchor`; null when it can. */
  explainMissingAnchor(session: SessionRow, anchor: MessageRow | null): ConversationObstacle | null
  canFork(session: SessionRow): boolean
  /** The command that continues the conversation after message `revision`. Throws Refused when there is none. */
  resumeAt(session: SessionRow, revision: number, fork: boolean): Resume
}
