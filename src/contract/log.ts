/** Types of the log: versions of a path, where edits come from, and who wrote what. No I/O. */
import type { TestResult } from './tests.ts'

/**
 * The number of an edit in its log, and the position after it: the state with all edits up to this one. 0 is the empty
 * log.
 */
export type Seq = number

export type FileKind = 'file' | 'symlink' | 'dir' | 'absent' | 'special' | 'unknown'

/**
 * Why the content of a path is not stored. `pruned`: it was, and has been evicted. `damaged`: it cannot be read. `hidden`: the
 * sender of a bundle left it out.
 */
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
  | 'damaged'
  | 'hidden'

/** What a path is at one position. Immutable. */
export interface FileVersion {
  readonly kind: FileKind
  /** Bytes of a file; 0 for other kinds. */
  readonly size: number
  /** Permission bits (`mode & 0o7777`), 0 for absent and unknown. */
  readonly mode: number
  /** SHA-256 of the content, hex; null if it is not stored or not a file. */
  readonly hash: string | null
  /** Target of a symlink, exactly as on disk. */
  readonly target: string | null
  /** Set if the content is not stored. */
  readonly notStored: NotStoredReason | null
}

/** Of outside changes. `unreviewed`: a run started before anybody accepted or undid them; both are still possible. */
export type DriftState = 'open' | 'unreviewed' | 'accepted' | 'put-back'

export type Origin = 'agent' | 'outside' | 'restore'
export type Attribution = 'declared' | 'inferred' | 'shared' | 'none'

/** One version in the history of a file. */
export interface PathVersion {
  readonly seq: Seq
  /** The position before it: of a rename, before both names changed. */
  readonly before: Seq
  /** Its path at that time. */
  readonly path: string
  /** Of a rename: the path before it. */
  readonly oldPath?: string
  readonly origin: Origin | 'baseline'
  readonly run: string | null
  readonly prompt: string | null
  readonly at: number
  readonly kind: FileKind
  readonly size: number
  readonly hash: string | null
  readonly stored: boolean
  /** Agent of the run that wrote it; null for other versions. */
  readonly agent: string | null
  /** Number of its turn in that run, from 1; null for other versions and in runs with one turn. */
  readonly turn: number | null
  /** Its timeline entry; null for the initial snapshot. */
  readonly entry: string | null
  /** The title of a restore; "" for other versions. */
  readonly title: string
  /** State of the drift it belongs to; null for other versions. */
  readonly drift: DriftState | null
  /** False after a restore undid it. */
  readonly inForce: boolean
  /**
   * Of a restore: seq of the version it returned to, 0 = the initial snapshot; null for other versions and for a merge.
   */
  readonly back: Seq | null
  /** Compared with the version before. */
  readonly change: 'added' | 'modified' | 'deleted' | 'renamed' | 'none'
  /** Lines compared with the version before; 0 until `counted`. */
  readonly added: number
  readonly deleted: number
  /** False: request the history again to continue counting. */
  readonly counted: boolean
  /** The first test results while it was the newest version, at most 20, oldest first. */
  readonly tests?: readonly TestResult[]
}

/** One line of a file and who wrote it. */
export interface BlameLine {
  /** 1-based. */
  readonly n: number
  readonly run: string | null
  readonly prompt: string | null
  readonly origin: 'agent' | 'outside' | 'baseline'
  readonly seq: Seq
  /** Where it was written, if the file, or the file it was copied from, had another path then. */
  readonly oldPath?: string
  readonly at: number | null
  readonly text: string
}

/** Some lines of a file, as many as one answer may have. */
export interface BlamePage {
  readonly lines: readonly BlameLine[]
  /** Lines of the whole file. */
  readonly total: number
  /** The first line of the next page; null for the last. */
  readonly next: number | null
}
