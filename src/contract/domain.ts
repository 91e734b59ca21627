/** The words of the product as types: what the engine stores and every caller shows. No I/O. */
import type { ConversationPlan, Resume, Todo, ToolCall } from './conversation.ts'
import type { Writer } from './diff.ts'

/** Identifies a recorded folder; ids are opaque strings with a readable prefix (`ws_`, `run_`, `cp_`, `rst_`, `dr_`). */
export type WorkspaceId = string
/** A position in a workspace's log: the state after every Edit with this seq or a smaller one. */
export type Seq = number

export type FileKind = 'file' | 'symlink' | 'dir' | 'absent' | 'special' | 'unknown'

/** Why the content of a path is not kept. Every reason has a sentence in `reasons.ts`. */
export type NotStoredReason =
  | 'too-large'
  | 'unreadable'
  | 'changing'
  | 'ignored'
  | 'never'
  | 'special'
  | 'name'
  | 'workspace'
  | 'pending'
  | 'pruned'

/** The immutable state of one path at one moment (DESIGN section 4). */
export interface FileVersion {
  readonly kind: FileKind
  /** Bytes of a file, 0 for other kinds. */
  readonly size: number
  /** Permission bits (`mode & 0o7777`), 0 for absent and unknown. */
  readonly mode: number
  /** SHA-256 of the bytes in hex; null when not stored or not a file. */
  readonly hash: string | null
  /** Where a symlink points, exactly as it is on disk. */
  readonly target: string | null
  /** Set when the content is not kept. */
  readonly notStored: NotStoredReason | null
}

export type Origin = 'agent' | 'outside' | 'restore'
export type Attribution = 'declared' | 'inferred' | 'shared' | 'none'

export type CheckpointReason =
  | 'run_start'
  | 'pre_write'
  | 'end_of_turn'
  | 'compact'
  | 'plan_mode'
  | 'manual'
  | 'pre_restore_guard'
  | 'pre_run_drift'
export type CheckpointStatus = 'available' | 'restored' | 'pruned' | 'broken'

export interface Checkpoint {
  readonly id: string
  readonly reason: CheckpointReason
  readonly seq: Seq
  readonly status: CheckpointStatus
  readonly restorable: boolean
  /** A sentence when the status is not `available`, else "". */
  readonly why: string
  readonly run: string | null
  readonly session: string | null
  readonly turn: string | null
  readonly label: string
  /** Milliseconds UTC. */
  readonly at: number
  /** Paths changed since the previous checkpoint of the workspace. */
  readonly files: number
  /** Where its session stood: see `SessionDetail.revision`; null without a session. */
  readonly revision: number | null
}

export interface NotCovered {
  readonly path: string
  readonly reason: NotStoredReason
  /** Bytes, when known. */
  readonly size?: number
}

export interface Covered {
  readonly files: number
  readonly bytes: number
}

export interface Workspace {
  readonly id: WorkspaceId
  /** Real absolute path of the folder. */
  readonly root: string
  readonly name: string
}

/** `copying`: the first copy is under way; `complete`; `partial`: the first copy was stopped or failed before its end. */
export type CoverageState = 'copying' | 'complete' | 'partial'

export interface CopyProgress {
  readonly files: number
  readonly filesTotal: number
  readonly bytes: number
  readonly bytesTotal: number
  /** False until the names have all been read, so totals still grow. */
  readonly counted: boolean
}

/** Another working tree of a folder's git repository. */
export interface Worktree {
  /** Real absolute path. */
  readonly folder: string
  /** "" when HEAD is detached. */
  readonly branch: string
}

/** A workspace as the welcome screen lists it. */
export interface WorkspaceSummary extends Workspace {
  readonly addedAt: number
  readonly folder: 'present' | 'missing'
  /** The main working tree of its repository, when it is a linked one. */
  readonly worktreeOf?: string
  readonly coverage: CoverageState
  readonly copy: CopyProgress | null
  readonly live: boolean
  readonly openDrift: number
  readonly runsToday: number
  /** Time of the newest timeline entry, null when there is none. */
  readonly lastAt: number | null
}

/** Whether this process watches the recorded folders. `paused`: a person said so; `safe-mode`: it ended unexpectedly again and again; `off`: it is no host. */
export type Watching = 'on' | 'paused' | 'safe-mode' | 'off'

export interface HostState {
  readonly watching: Watching
  /** How the recorder before this one ended. `restarted`: it failed and this host started it again. */
  readonly lastEnd: 'clean' | 'unexpected' | 'restarted'
}

/** How changes are noticed at the moment. */
export type WatcherState = 'live' | 'starting' | 'scanning' | 'off'

export interface Drift {
  readonly id: string
  readonly state: 'open' | 'accepted' | 'put-back'
  /** `offline`: made while nothing was recording; `branch`: HEAD moved; `bulk`: more paths than a person edits. */
  readonly cause: 'edits' | 'offline' | 'branch' | 'bulk'
  /** First 500 paths, sorted. */
  readonly paths: readonly string[]
  readonly count: number
  readonly foundAt: number
  readonly seq: Seq
  /** A sentence part such as "the branch moved from main to fix-tax", else "". */
  readonly note: string
}

export type RunState = 'live' | 'ended' | 'interrupted'

export interface RunEntry {
  readonly kind: 'run'
  readonly id: string
  readonly seq: Seq
  readonly at: number
  readonly title: string
  readonly agent: string
  readonly session: string | null
  readonly state: RunState
  readonly endedAt: number | null
  /** Number of turns. */
  readonly turns: number
  readonly files: number
  readonly added: number
  readonly deleted: number
  /** What it did was taken back by a restore that is still in force. */
  readonly takenBack: boolean
  /** Before-images may be missing: the first copy was not complete or a reconcile missed its deadline. */
  readonly incomplete: boolean
  readonly exitCode: number | null
  /** What a person should know of it, such as "the agent still remembers what was taken back"; "" when nothing. */
  readonly note: string
}

export interface CheckpointEntry {
  readonly kind: 'checkpoint'
  readonly id: string
  readonly seq: Seq
  readonly at: number
  readonly title: string
  readonly reason: CheckpointReason
  /** The conversation that stood there; null when none did. */
  readonly session: string | null
}

export interface RestoreEntry {
  readonly kind: 'restore'
  readonly id: string
  readonly seq: Seq
  readonly at: number
  readonly title: string
  readonly state: RestoreState
  readonly act: ActKind
  /** Position it went back to; null when it took Edits back instead. */
  readonly toSeq: Seq | null
  readonly guard: string
  readonly files: number
  readonly undone: boolean
  readonly mode: RestoreMode
  /** What it did to a conversation: messages it took back, and messages it put in force again. */
  readonly conversation: { readonly session: string; readonly superseded: number; readonly broughtBack: number } | null
}

export interface DriftEntry {
  readonly kind: 'drift'
  readonly id: string
  readonly seq: Seq
  readonly at: number
  readonly title: string
  readonly state: Drift['state']
  readonly cause: Drift['cause']
  readonly note: string
  readonly paths: readonly string[]
  readonly count: number
}

export type TimelineEntry = RunEntry | CheckpointEntry | RestoreEntry | DriftEntry

export interface Turn {
  readonly id: string
  readonly prompt: string
  readonly at: number
  readonly endedAt: number | null
  readonly startSeq: Seq
  readonly files: number
  /** The conversation it is part of, and the seq of its prompt there. */
  readonly session: string | null
  readonly message: number | null
}

/** One entry in full; `show` prints it. */
export interface EntryDetail {
  readonly entry: TimelineEntry
  readonly checkpoints: readonly Checkpoint[]
  readonly turns: readonly Turn[]
  /** What the agent told of its tools, oldest first; empty for other runs. */
  readonly calls?: readonly ToolCall[]
  /** What its conversation set out to do, as it is now; empty for other runs. */
  readonly todos?: readonly Todo[]
  /** Sentences on what cannot be given back of a run; empty when everything can. */
  readonly warnings?: readonly string[]
}

// ---- changes ----

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'renamed' | 'mode' | 'type'
export type ContentKind = 'text' | 'binary' | 'symlink' | 'dir' | 'large'

/** One changed path of a diff (CLI.md: FILE). */
export interface FileChange {
  readonly path: string
  readonly oldPath?: string
  readonly change: ChangeKind
  readonly kind: ContentKind
  readonly added: number
  readonly deleted: number
  readonly hunks: number
  readonly attribution: Attribution
  readonly interleaved: boolean
  readonly secret: boolean
  readonly notStored?: NotStoredReason
  /** Of a run's or a turn's diff: the restore that took all of it back. */
  readonly takenBack?: string
  /** False while line counts of this file are still being worked out (only when a caller asked for a quick answer). */
  readonly counted: boolean
}

export interface DiffResult {
  readonly prevCheckpointId: string
  readonly toCheckpointId: string
  readonly fromSeq: Seq
  /** null = the disk as it is now. */
  readonly toSeq: Seq | null
  readonly workspaceDrifted: boolean
  readonly warning: string
  readonly files: readonly FileChange[]
}

// ---- restore ----

export type ActKind = 'restore' | 'undo-run' | 'undo' | 'redo' | 'drift' | 'recover'
export type RestoreState = 'done' | 'partial' | 'failed' | 'refused' | 'nothing-to-do' | 'interrupted'
/** What goes back: the files, the conversation, or both. */
export type RestoreMode = 'files' | 'conversation' | 'both'
export type ItemAction = 'write' | 'create' | 'delete' | 'mode' | 'link' | 'mkdir' | 'rmdir' | 'keep'
export type Choice = 'keep' | 'replace' | 'merge'

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
  readonly choices: readonly Choice[]
  readonly choice: Choice
  readonly mergeable: boolean
}

export interface RestorePlan {
  /** Names this plan; applying refuses when the plan would be another one by then. */
  readonly plan: string
  readonly act: ActKind
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

/** One line of a file and who wrote it (CLI.md: blame). */
export interface BlameLine {
  /** 1-based. */
  readonly n: number
  readonly run: string | null
  readonly prompt: string | null
  readonly origin: 'agent' | 'outside' | 'baseline'
  readonly seq: Seq
  readonly at: number | null
  readonly text: string
}

export interface PathVersion {
  readonly seq: Seq
  readonly origin: Origin | 'baseline'
  readonly run: string | null
  readonly prompt: string | null
  readonly at: number
  readonly kind: FileKind
  readonly size: number
  readonly hash: string | null
  readonly stored: boolean
}
