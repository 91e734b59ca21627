/** The timeline's entries, and one of them in full. No I/O. */
import type { Checkpoint, CheckpointReason } from './checkpoint.ts'
import type { Todo, ToolCall, Turn } from './conversation.ts'
import type { Seq } from './log.ts'
import type { ActKind, RestoreMode, RestoreState } from './restore.ts'

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
  /** Title of the newest run that had ended before it, "" without one. */
  readonly since: string
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
