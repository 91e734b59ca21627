/** Entries of the timeline, and the details of one. No I/O. */
import type { Checkpoint, CheckpointReason } from './checkpoint.ts'
import type { Todo, ToolCall, Turn } from './conversation.ts'
import type { DriftState, Seq } from './log.ts'
import type { RestoreKind, RestoreMode, RestoreState } from './restore.ts'
import type { SentReview } from './review.ts'
import type { TestResult } from './tests.ts'

export type RunState = 'live' | 'ended' | 'interrupted'

interface Entry {
  readonly id: string
  readonly seq: Seq
  readonly at: number
  readonly title: string
  /** The newest test results of a run, at most 20, or those at the position of a pin; oldest first. */
  readonly tests?: readonly TestResult[]
}

/** What a person wrote about a run; "" without it. */
export interface RunTexts {
  /** Its name, shown in place of the title by its prompt. */
  readonly label: string
  /** Plain text; lines may be separated by line feeds. */
  readonly userNote: string
}

/** `title`: its label, else the title by its prompt. */
export interface RunEntry extends Entry, RunTexts {
  readonly kind: 'run'
  /** The title by its prompt, or the command of a `driftline run`. */
  readonly prompt: string
  readonly agent: string
  readonly session: string | null
  /** First prompt of its session, as a title; "" without one. */
  readonly conversation: string
  readonly state: RunState
  readonly endedAt: number | null
  /** Number of turns. */
  readonly turns: number
  readonly files: number
  readonly added: number
  readonly deleted: number
  /** Undone by a restore that is still in force. */
  readonly undone: boolean
  /**
   * Versions before its edits may be missing: the initial snapshot was not complete, or a scan missed its deadline
   * (GW-5).
   */
  readonly incomplete: boolean
  readonly exitCode: number | null
  /**
   * [RN-2] Which changes are its own: `all-changes` in its time, because no hooks reported to a `driftline run`, or only
   * those during its `tool-calls`.
   */
  readonly attributed: 'all-changes' | 'tool-calls'
  /** What a person should know about it, oldest first. */
  readonly notes: readonly RunNote[]
}

/**
 * `stopped`: it was cancelled while its agent lives on; `stopped-with-command`: with a command whose end no event
 * reported. `remembers`: messages were undone here that the agent still has. `rewound`: its agent went back in the
 * conversation before this prompt. `found-later`: a comparison of the folder found changes of it after it had ended.
 */
export type RunNoteCode = 'stopped' | 'stopped-with-command' | 'remembers' | 'rewound' | 'found-later'

/** `text`: as an earlier version of Driftline stored it. */
export type RunNote = { readonly code: RunNoteCode } | { readonly code: 'text'; readonly text: string }

/**
 * `missed-calls`: the folder could not be scanned before this many tool calls. `incomplete`: it began before the
 * initial snapshot was complete, or recording was paused. `not-stored-before`, `not-stored-after`: content on either side of
 * its edits. `elsewhere`: it changed folders that are recorded on their own. `no-call`: paths that count as its own
 * because they changed in its time, outside any tool call (RN-2). `shared`: paths with changes that it or another run made
 * (GW-4). `paths` are the first few of `count`. `all-changes`: no hooks reported to it, so `no-call` holds for every path.
 */
export type RunWarning =
  | { readonly code: 'incomplete' | 'all-changes' | 'transcript-not-read' }
  | { readonly code: 'missed-calls'; readonly count: number }
  | {
      readonly code: 'not-stored-before' | 'not-stored-after' | 'elsewhere' | 'no-call' | 'shared'
      readonly paths: readonly string[]
      readonly count: number
    }

interface CheckpointEntry extends Entry {
  readonly kind: 'checkpoint'
  readonly reason: CheckpointReason
  /** The conversation at that time; null without one. */
  readonly session: string | null
}

export interface RestoreEntry extends Entry {
  readonly kind: 'restore'
  readonly state: RestoreState
  readonly act: RestoreKind
  /** The position it restored; null if it reverted edits instead. */
  readonly toSeq: Seq | null
  /** The checkpoint made before it. */
  readonly guard: string
  readonly files: number
  /** What was asked for is a selection of the changes of its target, not all of them. */
  readonly selected: boolean
  /** The file, if there is only one. */
  readonly path: string | null
  readonly undone: boolean
  readonly mode: RestoreMode
  /** Its effect on a conversation: messages undone, and messages in force again. */
  readonly conversation: { readonly session: string; readonly superseded: number; readonly broughtBack: number } | null
}

/** A set of outside edits found together. */
export interface Drift {
  readonly id: string
  readonly state: DriftState
  /**
   * `offline`: made while nothing was recording; `branch`: HEAD changed; `bulk`: more paths than a person usually
   * edits; `settings`: files that a person chose to protect, accepted at once.
   */
  readonly cause: 'edits' | 'offline' | 'branch' | 'bulk' | 'settings'
  /** Of the cause `branch`: what HEAD was and is; null if that is not known. */
  readonly branches: { readonly from: string; readonly to: string } | null
  /** First 500 paths, sorted. */
  readonly paths: readonly string[]
  readonly count: number
  readonly foundAt: number
  /** Of its first edit. */
  readonly seq: Seq
  /** Title of the newest run that ended before it, "" without one. */
  readonly since: string
}

export interface DriftEntry extends Entry, Pick<Drift, 'state' | 'cause' | 'branches' | 'paths' | 'count'> {
  readonly kind: 'drift'
}

export type TimelineEntry = RunEntry | CheckpointEntry | RestoreEntry | DriftEntry

/** One entry with its details, as `driftline show` prints it. */
export interface EntryDetail {
  readonly entry: TimelineEntry
  readonly checkpoints: readonly Checkpoint[]
  readonly turns: readonly Turn[]
  /** Tool calls of a run, oldest first; empty for runs without hooks. */
  readonly calls?: readonly ToolCall[]
  /** The todo list of its conversation as it is now. */
  readonly todos?: readonly Todo[]
  /** The messages of a review that turns of a run got, oldest first. */
  readonly reviews?: readonly SentReview[]
  /** What undoing the run cannot restore, and which of its changes may be those of others. */
  readonly warnings?: readonly RunWarning[]
}
