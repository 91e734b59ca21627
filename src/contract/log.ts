/** The log's words: the states a path was in, where each came from, and who wrote what. No I/O. */

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

/** One version of a file's history. */
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
  /** Of the run that made it; null for other versions. */
  readonly agent: string | null
  /** Number of its turn in that run, from 1; null for other versions, and where the run has but one. */
  readonly turn: number | null
  /** The entry of the timeline it is part of; null for the first copy. */
  readonly entry: string | null
  /** What a restore went back to, as its title; "" for other versions. */
  readonly title: string
  /** What became of an outside change; null for other versions. */
  readonly drift: 'open' | 'accepted' | 'put-back' | null
  /** False once a restore took it back. */
  readonly inForce: boolean
  /** Of a restore: the version that is there again since, 0 = the first copy; null when it left single changes out. */
  readonly back: Seq | null
  /** Against the version before. */
  readonly change: 'added' | 'modified' | 'deleted' | 'none'
  /** Lines against the version before, 0 until `counted`. */
  readonly added: number
  readonly deleted: number
  /** Counting goes on when the history is asked for again. */
  readonly counted: boolean
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
