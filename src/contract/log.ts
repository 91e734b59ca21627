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
