/** The plan of a restore and its result. Requests are defined in params.ts. No I/O. */
import type { ConversationObstacle, ConversationPlan, Resume, ResumeFailure } from './conversation.ts'
import type { Writer } from './diff.ts'
import type { GitItemOutcome, GitPlanItem } from './git.ts'
import type { FileVersion, NotStoredReason } from './log.ts'
import type { Resolution, Resolutions, RestoreMode, RestoreRequest } from './params.ts'

export type { LineSelection, PreviewSide, Resolution, Resolutions, RestoreMode, RestoreRequest } from './params.ts'

export type RestoreKind = RestoreRequest['kind']

export type ItemAction = 'write' | 'create' | 'delete' | 'mode' | 'link' | 'mkdir' | 'rmdir' | 'keep'

/**
 * Why a `keep` changes nothing, or what to know about another action. Not restorable: `not-stored`, `not-protected`,
 * `special`. Written with a loss: `no-undo`, the current content cannot be stored first. `nothing-left`: to undo.
 * `no-replacement`: what would take its name cannot be written. `unprotected-folder`: the path is such a folder now. Of a
 * rename that is undone: `moved-back`, the content is that of `path`; `moved-to`, it goes there; `name-in-use`, it stays,
 * because `path` is another file now; `moved-away`, the content stays at `path`. Of a bundle: `leads-out`, a link to outside
 * of the folder; `reserved-name`, a device on this system.
 */
export type PlanNote =
  | { readonly code: 'not-stored'; readonly reason: NotStoredReason | null }
  | { readonly code: 'conflict'; readonly cause: ConflictCause }
  | { readonly code: 'still-contains' | 'not-a-folder' | 'same-name'; readonly path: string }
  | { readonly code: 'moved-back' | 'moved-to' | 'name-in-use' | 'moved-away'; readonly path: string }
  | {
      readonly code:
        | 'not-protected'
        | 'special'
        | 'keep-requested'
        | 'nothing-left'
        | 'no-undo'
        | 'merged'
        | 'needed-folder'
        | 'no-replacement'
        | 'unprotected-folder'
        | 'leads-out'
        | 'reserved-name'
    }

/** One path of a plan. `before` is on disk now, `after` is what the restore writes. */
export interface PlanItem {
  readonly path: string
  readonly action: ItemAction
  readonly note: PlanNote | null
  readonly before: FileVersion
  readonly after: FileVersion
}

/**
 * Why a path needs a decision. Edits of other writers: `outside-after-target` of a restore, `others-after-run` and
 * `others-after-drift` after what is undone, `after-restore` of an undo or redo, `after-interruption` of a recovery;
 * `other-version`: a file is not as it was where a bundle's run changed it.
 * Others: `not-storable`, the current content cannot be stored first; `undone-before`, it overlaps with changes that
 * were undone; `whole-file`, the selected changes cannot be undone without the others of the file.
 */
export type ConflictCause =
  | 'outside-after-target'
  | 'others-after-run'
  | 'others-after-drift'
  | 'after-restore'
  | 'after-interruption'
  | 'other-version'
  | 'not-storable'
  | 'undone-before'
  | 'whole-file'

/** Why the current content of a path cannot be stored before it is replaced. */
export type UnstorableCause = 'special' | 'unreadable' | 'changing'

/** A path of a plan that needs a decision. */
export interface Conflict {
  readonly path: string
  readonly cause: ConflictCause
  /** Set if the cause is `not-storable`. */
  readonly unstorable: UnstorableCause | null
  /** Who wrote the edits in the way, newest first. */
  readonly by: readonly Writer[]
  readonly choices: readonly Resolution[]
  /** The resolution that applies now: chosen in the request, else the default. */
  readonly choice: Resolution
  readonly mergeable: boolean
  /** `replace` deletes the path: the target has no file there. */
  readonly deletes: boolean
}

/** What to know before a plan is applied. Lists name the first few; `count` is the number of all. */
export type PlanWarning =
  | { readonly code: 'undoes-runs'; readonly titles: readonly string[]; readonly count: number }
  | { readonly code: 'hard-links'; readonly paths: readonly string[]; readonly count: number }
  /** These files belong to another user; a file that replaces one belongs to the recorder's. */
  | { readonly code: 'other-owner'; readonly paths: readonly string[]; readonly count: number }
  /** [RS-23] Databases of SQLite that a program seems to have open; files of them that stay although others change. */
  | { readonly code: 'database-in-use' | 'database-parts'; readonly paths: readonly string[]; readonly count: number }
  /** What git had checked out at the target, and what it has now. */
  | { readonly code: 'other-checkout'; readonly recorded: string; readonly now: string }
  | { readonly code: 'conversation-stays'; readonly why: ConversationObstacle }
  /** A git command holds its lock: the restore waits for it. */
  | { readonly code: 'git-at-work' }
  /** Git's own state, or the kept copies of it, could not be read. */
  | { readonly code: 'git-not-read' }
  /** The repository has another form than at the target (`git refs migrate`), so its config stays as it is. */
  | { readonly code: 'git-converted'; readonly items: readonly string[] }
  /** Of an undo: git was restored by itself later than the restore that it undoes. */
  | { readonly code: 'git-restored'; readonly items: readonly string[] }
  /** Of an undo: git changed these items since; what was there before the restore is no longer kept. They stay. */
  | { readonly code: 'git-changed' | 'git-evicted'; readonly items: readonly string[] }
  /** The recorded folder itself was deleted and is created again. */
  | { readonly code: 'creates-folder'; readonly folder: string }
  /** [CP-9] Files in these folders stay: each is recorded as its own folder, or is a git worktree. */
  | { readonly code: 'elsewhere'; readonly folders: readonly string[]; readonly count: number }
  /** [RN-2] Changes that count as the run's because they were made in its time: all of them, or these paths. */
  | { readonly code: 'no-call'; readonly paths: readonly string[]; readonly count: number }
  | { readonly code: 'all-changes' }
  /** Of a result: the worktree is a plain folder now. `name-taken`: git has another one of its name. */
  | { readonly code: 'no-worktree-link'; readonly why: 'name-taken' | 'not-kept' | 'not-written' }
  /** Of a result: git has no such branch any more, which the restored worktree has checked out. */
  | { readonly code: 'worktree-branch-gone'; readonly branch: string }
  /** [GW-4] Edits of these paths that several runs may have made: they stay. */
  | { readonly code: 'shared-edits'; readonly paths: readonly string[]; readonly count: number }
  /** The disk stores none. */
  | { readonly code: 'no-permissions' }

export interface RestorePlan {
  /** Hash of the plan. `restore.apply` with it is refused if the plan has changed since (RS-2). */
  readonly plan: string
  readonly act: RestoreKind
  readonly target: string
  /** A phrase such as `start of "add tax"`. */
  readonly title: string
  readonly targetAt: number | null
  readonly items: readonly PlanItem[]
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly PlanWarning[]
  /** Number of paths that already match. */
  readonly unchanged: number
  /** [RS-8] Runs that may write now. */
  readonly live: readonly { readonly run: string; readonly title: string; readonly agent: string }[]
  readonly mode: RestoreMode
  /** Every mode and whether it is possible here. */
  readonly modes: readonly {
    readonly mode: RestoreMode
    readonly possible: boolean
    readonly why: ConversationObstacle | null
  }[]
  /** Null if the target has no conversation. In mode `files` it shows what the other modes would do. */
  readonly conversation: ConversationPlan | null
  /** What of git's own state differs from the target; written only if chosen. */
  readonly git: readonly GitPlanItem[]
}

export type RestoreState = 'done' | 'partial' | 'failed' | 'refused' | 'nothing-to-do' | 'interrupted'
/**
 * `kept`: left as it is, by the plan or because it was not safe to change. `skipped`: the restore was refused before
 * it.
 */
export type ItemResult = 'done' | 'kept' | 'skipped' | 'failed'

/** What the file system refused. `in-use-or-denied`: Windows reports both alike. `system`: any other, by its code. */
export type FsReason =
  | {
      readonly code:
        | 'denied'
        | 'not-permitted'
        | 'in-use'
        | 'in-use-or-denied'
        | 'held-open'
        | 'disk-full'
        | 'read-only'
        | 'removed-or-bad-name'
        | 'bad-name'
        | 'disk-error'
        | 'unreachable'
        | 'other-disk'
        | 'too-long'
    }
  | { readonly code: 'system'; readonly error: string }

/**
 * Why an item failed or was kept; of a done one, a remark. Found when it was read back: `not-readable`, `still-there`,
 * `missing`, `other-kind`, `other-mode`, `other-link`, `other-content`. `kept-beside`: content the log does not hold
 * was at the path, and now has this name beside it.
 */
export type ItemReason =
  | FsReason
  | { readonly code: 'not-readable'; readonly why: FsReason }
  | { readonly code: 'other-kind'; readonly kind: string; readonly wanted: string }
  | { readonly code: 'not-a-folder' | 'same-name' | 'not-moved'; readonly path: string }
  /** `name`: of an entry of the folder; null if none could be listed. */
  | { readonly code: 'not-empty'; readonly name: string | null }
  | { readonly code: 'kept-beside'; readonly name: string }
  | {
      readonly code: 'changed' | 'no-links' | 'still-there' | 'missing' | 'other-mode' | 'other-link' | 'other-content'
    }

export interface ItemOutcome extends PlanItem {
  readonly result: ItemResult
  /** Absent if `note` says all. */
  readonly reason?: ItemReason
}

export interface RestoreResult {
  readonly restore: string
  readonly state: RestoreState
  readonly guard: string
  readonly items: readonly ItemOutcome[]
  readonly conflicts: readonly Conflict[]
  readonly warnings: readonly PlanWarning[]
  /** Why it was refused, else "". */
  readonly refusal: string
  /** Null if it changed no conversation. */
  readonly conversation: {
    readonly session: string
    readonly revision: number
    /** Number of messages undone, and of messages in force again. */
    readonly superseded: number
    readonly broughtBack: number
    readonly prompt: string
    readonly resume: Resume | null
    /** Null if `resume` is set. */
    readonly failure: ResumeFailure | null
  } | null
  /** The chosen items of git's own state. */
  readonly git: readonly GitItemOutcome[]
}

/** A restore that a person confirmed while an agent worked. It is applied when no run may write any more (RS-22). */
export interface QueuedRestore {
  readonly id: string
  readonly at: number
  readonly request: RestoreRequest
  readonly resolutions: Resolutions
  /** Of the plan that was confirmed, and the paths of its conflicts. */
  readonly title: string
  readonly target: string
  readonly targetAt: number | null
  readonly conflicts: readonly string[]
  /**
   * Why it was not applied and waits for the person; null while it waits for the turn. `conflicts`: of these paths,
   * first few of `count`. `other-target`: an undo or redo would now revert another restore.
   */
  readonly held:
    | { readonly code: 'conflicts'; readonly paths: readonly string[]; readonly count: number }
    | { readonly code: 'other-target' }
    | { readonly code: 'refused'; readonly message: string }
    | null
}
