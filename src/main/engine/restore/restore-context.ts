/** What planning and performing restores needs of a recorded folder. Composed in workspaces/. */
import type { ConversationObstacle, Resume } from '../../../contract/conversation.ts'
import type { GitPlanItem } from '../../../contract/git.ts'
import type { PlanWarning } from '../../../contract/restore.ts'
import type { CheckContext } from '../drift/check.ts'
import type { Lock } from '../ports/lock.ts'
import type { WorktreeFile } from '../store/import-files.ts'
import type { MessageRow } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import type { GitWork, WorkState } from '../store/restore-git.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { Target } from '../store/targets.ts'

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
  /**
   * [WT-5] Anything was written: where the folder of a removed worktree exists again, git knows it again, too. Returns a
   * warning where it does not.
   */
  revive(): PlanWarning | null
  readonly gitPart: GitPart
}

/** What differs, and what restoring it writes. */
interface GitDifference {
  readonly shown: Omit<GitPlanItem, 'chosen'>
  readonly work: GitWork
}

export interface GitDifferences {
  readonly found: readonly GitDifference[]
  /** The error because of which some repository could not be read; null if all were. */
  readonly failure: unknown
  /** Items that stay, because git converted their repository since. */
  readonly converted: readonly string[]
}

export interface RestoreOfGit {
  readonly at: number
  readonly items: readonly string[]
}

/** [GT-7] Git's own state as a part of restores. */
interface GitPart {
  /** What differs from the target, after the present state was recorded. Empty where nothing is kept of the target. */
  differencesFrom(target: Target): GitDifferences
  /** What git lost between the start and the end of a run or turn, and still lacks. */
  lostBetween(start: Target, end: Target): GitDifferences
  /** The works as they are written one after the other. */
  inOrder(work: readonly GitWork[]): GitWork[]
  /** What undoes `work`, in the order in which it is written. */
  reverse(work: readonly GitWork[]): GitWork[]
  /** Whether each can be written now. */
  statesOf(work: readonly GitWork[]): WorkState[]
  /** The newest `driftline git restore` that is not undone, ms UTC, and the names of its items; null without one. */
  newestRestore(): RestoreOfGit | null
  /** Whether a git command holds the index of a repository of `work`. */
  isAtWork(work: readonly GitWork[]): boolean
  /** Resolves once none does. Throws Refused if one still does after some seconds. */
  waitForGit(work: readonly GitWork[]): Promise<void>
  /** Writes one item, unless it is written already. Throws Refused, and leaves it as it was. */
  write(work: GitWork): Promise<void>
  /** Records the state after all were written. */
  wrote(): void
}

/** The agents' own files of a conversation, which a restore reads and forks. */
interface AgentSessions {
  /** Imports the messages that the agent has written and the store does not have. */
  importTranscript(session: string): void
  /** Why the conversation cannot be cut after `anchor`; null when it can. */
  explainMissingAnchor(session: SessionRow, anchor: MessageRow | null): ConversationObstacle | null
  canFork(session: SessionRow): boolean
  /** The command that continues the conversation after message `revision`. Throws Refused when there is none. */
  resumeAt(session: SessionRow, revision: number, options: { readonly fork: boolean }): Resume
}
