/** What `doctor` finds. No I/O. */
import type { AgentProblem } from './agents.ts'
import type { ErrorCode } from './errors.ts'
import type { Seq } from './log.ts'
import type { RebuiltList, WorkspaceId } from './workspace.ts'

/** A path had the content at all positions p with since <= p < upto; `upto` is null if it has it now. */
export interface AffectedPath {
  readonly path: string
  readonly since: Seq
  readonly upto: Seq | null
}

/**
 * `Database`: `detail` is what SQLite reports. `Log`: the edits of a path do not follow each other; `edits` is null if the
 * newest one is not its current version. `Base`: an edit builds on one that is not before it in its path. `Path`: a name
 * that is not inside the folder. `Content`: stored content that cannot be read, and where it is needed: `count`
 * places, of which the first are listed. `Conversation`: how many messages, and how many other texts (prompts in lists, outputs
 * of commands, unknown records) cannot be read; `session` is null for prompts of runs without a conversation, its `transcript` is the
 * agent's file. `Unopened`: the history could not be opened; the error's code and message.
 * `GitDatabase`: what SQLite reports of the kept copies of git's state, in `file`. `GitFile`: how many kept versions of a file
 * of `.git` cannot be read.
 * `TemporaryFiles`: of restores that have ended, in folders that were moved meanwhile; `paths` are the first of `count`.
 * `RebuiltList`: the list of folders was made again, and nobody confirmed it yet. `UnlistedHistory`: a history that does not say
 * which folder it is of, or cannot be read and is not listed; `unreadable` is a code of SQLite or of the system.
 */
export type DoctorFinding =
  | { readonly code: 'Database'; readonly detail: string }
  | { readonly code: 'Log'; readonly path: string; readonly edits: readonly [earlier: Seq, later: Seq] | null }
  | { readonly code: 'Base'; readonly path: string; readonly edit: Seq; readonly base: Seq }
  | { readonly code: 'Path'; readonly path: string }
  | { readonly code: 'Content'; readonly affected: readonly AffectedPath[]; readonly count: number }
  | {
      readonly code: 'Conversation'
      readonly session: { readonly id: string; readonly title: string; readonly transcript: string | null } | null
      readonly messages: number
      readonly texts: number
      /** Of the messages: they were stored again, as the agent's transcript has them. */
      readonly repaired: number
    }
  | { readonly code: 'GitDatabase'; readonly file: string; readonly detail: string }
  | { readonly code: 'GitFile'; readonly file: string; readonly path: string; readonly versions: number }
  | { readonly code: 'InterruptedRestore' }
  | { readonly code: 'TemporaryFiles'; readonly paths: readonly string[]; readonly count: number }
  | { readonly code: 'Agent'; readonly agent: string; readonly problem: AgentProblem }
  | { readonly code: 'DataFolder'; readonly folder: string; readonly readers: readonly string[] }
  | { readonly code: 'RebuiltList'; readonly list: RebuiltList }
  | { readonly code: 'UnlistedHistory'; readonly file: string; readonly unreadable: string | null }
  | { readonly code: 'Unopened'; readonly error: ErrorCode; readonly message: string }

/** `workspace`: root of the folder that it is about, "" for none. */
export type DoctorProblem = DoctorFinding & { readonly workspace: WorkspaceId }
