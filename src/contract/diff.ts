/** Diffs as callers see them: the list of changed paths, and one file in a form in which every kind of content is a member. */
import type { Attribution, FileVersion, NotStoredReason, Seq } from './log.ts'

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

/** Somebody who changed a file. `title` is what a run was asked to do, "" for everybody else. */
export interface Writer {
  /** A run's id, or "outside". */
  readonly who: string
  readonly title: string
  readonly at: number
}

/** How the bytes of a text are read. Where nothing tells, `windows-1252` and `shift_jis` are guesses. */
export type TextEncoding = 'utf8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'shift_jis'

export interface Encodings {
  readonly before: TextEncoding
  readonly after: TextEncoding
}

const NAMES: Readonly<Record<TextEncoding, string>> = {
  utf8: 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252 (guess)',
  shift_jis: 'Shift-JIS (guess)'
}

/** "UTF-16 LE", or "Windows-1252 (guess) → UTF-8" where it changed. */
export function encodingWords({ before, after }: Encodings): string {
  return before === after ? NAMES[after] : `${NAMES[before]} → ${NAMES[after]}`
}

export interface DiffBase {
  readonly path: string
  readonly oldPath?: string
  readonly change: ChangeKind | 'none'
  readonly before: FileVersion
  readonly after: FileVersion
  /** Looks like a credential: the text is masked until a person asks. */
  readonly secret: boolean
  /** The restore that took all of it back; present when a run's, a turn's or an outside change's diff was asked for. */
  readonly takenBack?: string | null
  /** Others who changed it between the first and the last edit of that, oldest first; present as `takenBack` is. */
  readonly between?: readonly Writer[]
}

/** One change of a run, or of an outside change, in a file: the lines that differ, 0-based, ends exclusive, without the context around them. */
export interface TextHunk {
  /** 1-based: the number `undo-run` takes and `diff RUN PATH` counts. */
  readonly n: number
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
  /** The restore that took it back, null while it is in force. */
  readonly takenBack: string | null
}

/**
 * `text`: both sides decoded (a missing side is ""). `image`: bytes as base64 with their type. `large`: text over
 * 1 MB, 20,000 lines or a 5,000 character line, content only when asked for with `full`. `opaque`: too large to show
 * or binary; sizes and hashes only. `not-kept`: a side whose content is not in the store. `link`, `dir`: no content.
 */
export type FileDiff =
  | (DiffBase & {
      readonly view: 'text'
      readonly beforeText: string
      readonly afterText: string
      /** What both sides were read as; a side that is missing, or tells nothing, as the other. */
      readonly encodings: Encodings
      /** Bidirectional or zero-width characters occur. */
      readonly hidden: boolean
      /** Only line endings differ, e.g. "LF → CRLF". */
      readonly eolOnly: string | null
      /** Changes that can be taken back one by one; present as `takenBack` is. */
      readonly hunks?: readonly TextHunk[]
    })
  | (DiffBase & {
      readonly view: 'image'
      readonly mime: string
      readonly beforeBase64: string | null
      readonly afterBase64: string | null
    })
  | (DiffBase & { readonly view: 'large'; readonly lines: number })
  | (DiffBase & { readonly view: 'opaque'; readonly type: string })
  | (DiffBase & { readonly view: 'not-kept'; readonly reason: NotStoredReason })
  | (DiffBase & { readonly view: 'link' })
  | (DiffBase & { readonly view: 'dir' })
