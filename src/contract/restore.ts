/** What can be asked to be written back, the plan of it, and what became of it. No I/O. */
import type { ConversationPlan, Resume } from './conversation.ts'
import type { Writer } from './diff.ts'
import type { FileVersion } from './log.ts'
import type { Resolution, RestoreMode, RestoreRequest } from './params.ts'

export type { PreviewSide, Resolution, Resolutions, RestoreMode, RestoreRequest } from './params.ts'

export type RestoreKind = RestoreRequest['kind']

export type ItemAction = 'write' | 'create' | 'delete' | 'mode' | 'link' | 'mkdir' | 'rmdir' | 'keep'

export interface PlanItem {
  readonly path: string
  readonly action: ItemAction
  /** Why a `keep` is kept, or a note such as "cannot be undone"; else "". */
  readonly note: string
  readonly before: FileVersion
  readonly after: FileVersion
}

export interface Conflict {
  readonly path: string
  readonly reason: string
  /** Newest first. */
  readonly by: readonly Writer[]
  readonly choices: readonly Resolution[]
  readonly choice: Resolution
  readonly mergeable: boolean
}

export interface RestorePlan {
  /** Names this plan; applying refuses when the plan would be another one by then. */
  readonly plan: string
  readonly act: RestoreKind
  readonly target: string
  /** A sentence part for titles, e.g. `start of "add tax"`. */
  readonly title: string
  readonly targetAt: number | null
  readonly items: readonly PlanItem[]
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly string[]
  readonly unchanged: number
  /** Runs and calls that are open now: RS-8. */
  readonly live: readonly { readonly run: string; readonly title: string; readonly agent: string }[]
  readonly mode: RestoreMode
  /** Every mode and whether it can be had here; `why` is a sentence when it cannot, else "". */
  readonly modes: readonly { readonly mode: RestoreMode; readonly possible: boolean; readonly why: string }[]
  /** What happens to the conversation; null when the target has none. In mode `files` it tells what the other modes would do. */
  readonly conversation: ConversationPlan | null
}

export type RestoreState = 'done' | 'partial' | 'failed' | 'refused' | 'nothing-to-do' | 'interrupted'
export type ItemResult = 'done' | 'kept' | 'skipped' | 'failed'

export interface RestoreResult {
  readonly restore: string
  readonly state: RestoreState
  readonly guard: string
  readonly items: readonly (PlanItem & { readonly result: ItemResult; readonly reason?: string })[]
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly string[]
  /** Why it was refused, else "". */
  readonly refusal: string
  /** What it did to a conversation; null when it did nothing to one. */
  readonly conversation: {
    readonly session: string
    readonly revision: number
    /** Messages taken back, and messages in force again. */
    readonly superseded: number
    readonly broughtBack: number
    readonly prompt: string
    readonly resume: Resume | null
    readonly note: string
  } | null
}
