/** Replay: the edits between two positions in order, with what happened beside them. No I/O. */
import type { FileDiff, LineBlock, LineRange } from './diff.ts'
import type { Seq } from './log.ts'
import type { TestResult } from './tests.ts'

/**
 * One edit. `path` and `call` are indexes in the lists of its page; -1: it belongs to no tool call. Lines compared with the
 * version before are null while they are not counted.
 */
export type ReplayEdit = readonly [
  seq: Seq,
  path: number,
  at: number,
  change: 'added' | 'modified' | 'deleted',
  by: 'own' | 'run' | 'outside' | 'restore',
  call: number,
  added: number | null,
  deleted: number | null
]

export interface ReplayCall {
  readonly id: string
  readonly name: string
  readonly summary: string
}

export interface ReplayPrompt {
  /** The position before it. */
  readonly seq: Seq
  readonly at: number
  readonly text: string
}

/** A page of edits; prompts, tests and messages are those of the whole range. */
export interface ReplayPage {
  readonly fromSeq: Seq
  readonly toSeq: Seq
  readonly paths: readonly string[]
  readonly calls: readonly ReplayCall[]
  readonly edits: readonly ReplayEdit[]
  /** Further edits follow the last one. */
  readonly more: boolean
  /** How many they are. */
  readonly left: number
  readonly prompts: readonly ReplayPrompt[]
  readonly tests: readonly TestResult[]
  /** Messages of the run's conversation: seq and time, oldest first. */
  readonly messages: readonly (readonly [seq: number, at: number])[]
}

/** One file at a moment of a replay, compared with the start. */
export interface ReplayMoment {
  readonly diff: FileDiff
  /** What differs in a text that is shown; null where its lines cannot be compared. */
  readonly blocks: readonly LineBlock[] | null
  /** Lines of the later text that the newest edit changed, 0-based; an empty range where it only deleted. Like `blocks`. */
  readonly edited: readonly LineRange[]
}
