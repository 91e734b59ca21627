/** Diffs: the list of changed paths, and one file as a union with one member per kind of content. No I/O. */
import type { Attribution, FileVersion, NotStoredReason, Seq } from './log.ts'
import type { LineSelection } from './params.ts'

export type ChangeKind = 'added' | 'deleted' | 'modified' | 'renamed' | 'mode' | 'type'

export type ContentKind = 'text' | 'binary' | 'symlink' | 'dir' | 'large'

/** One changed path of a diff. */
export interface FileChange {
  readonly path: string
  readonly oldPath?: string
  readonly change: ChangeKind
  readonly kind: ContentKind
  readonly added: number
  readonly deleted: number
  readonly hunks: number
  readonly attribution: Attribution
  /** Others edited it between the first and the last edit of this diff (LG-4). */
  readonly interleaved: boolean
  /** Its name suggests credentials. */
  readonly secret: boolean
  readonly notStored?: NotStoredReason
  /** In a run's or a turn's diff: the restore that undid the whole change. */
  readonly undoneBy?: string
  /** The same where a part is in force: the restore that undid another part last. */
  readonly partlyUndoneBy?: string
  /** False while its lines are not counted yet, which happens only in `quick` answers. */
  readonly counted: boolean
}

/**
 * What a comparison lacks, or holds of others. Of a run: `no-start`, its first checkpoint is missing; `start-pruned`,
 * content from before it was evicted; `incomplete`, versions before its edits may be missing; `mixed`, edits of others
 * overlap with its own. Of a checkpoint: `no-earlier`, none differs. Of a patch: `not-in-patch`, no patch can
 * contain them; `patch-full`, a patch of them alone can. `paths` are the first few of `count`.
 */
export type DiffWarning =
  | { readonly code: 'no-start' | 'start-pruned' | 'incomplete' | 'no-earlier' }
  | {
      readonly code: 'mixed' | 'not-in-patch' | 'patch-full'
      readonly paths: readonly string[]
      readonly count: number
    }

export interface DiffResult {
  readonly prevCheckpointId: string
  readonly toCheckpointId: string
  readonly fromSeq: Seq
  /** Null: the files on disk now. */
  readonly toSeq: Seq | null
  readonly workspaceDrifted: boolean
  readonly warnings: readonly DiffWarning[]
  readonly files: readonly FileChange[]
}

/** Who changed a file. `title`: the prompt or title of a run, "" for outside edits. */
export interface Writer {
  /** A run's id, or "outside". */
  readonly who: string
  readonly title: string
  readonly at: number
}

/** How the bytes of a text are decoded. `windows-1252` and `shift_jis` are guesses (docs/format.md). */
export type TextEncoding = 'utf8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'shift_jis'

export interface Encodings {
  readonly before: TextEncoding
  readonly after: TextEncoding
}

const ENCODING_NAMES: Readonly<Record<TextEncoding, string>> = {
  utf8: 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252 (guess)',
  shift_jis: 'Shift-JIS (guess)'
}

/** "UTF-16 LE", or "Windows-1252 (guess) → UTF-8" if it changed. */
export function encodingName({ before, after }: Encodings): string {
  return before === after ? ENCODING_NAMES[after] : `${ENCODING_NAMES[before]} → ${ENCODING_NAMES[after]}`
}

export interface DiffBase {
  readonly path: string
  readonly oldPath?: string
  readonly change: ChangeKind | 'none'
  readonly before: FileVersion
  readonly after: FileVersion
  /** Its name suggests credentials: the text is masked until a person reveals it. */
  readonly secret: boolean
  /** The restore that undid the whole change. Present in diffs of a run, a turn or an outside change. */
  readonly undoneBy?: string | null
  /** The restore that undid a part of it last; null where none did, or all is undone. Present like `undoneBy`. */
  readonly partlyUndoneBy?: string | null
  /** Others who changed it between the first and the last of these edits, oldest first. Present like `undoneBy`. */
  readonly between?: readonly Writer[]
  /** The changes of `between` are in this diff, too: they overlap with these edits. Present like `undoneBy`. */
  readonly mixed?: boolean
}

/** Lines [oldFrom, oldTo) are replaced by lines [newFrom, newTo). 0-based; one of the two ranges may be empty. */
export interface LineBlock {
  readonly oldFrom: number
  readonly oldTo: number
  readonly newFrom: number
  readonly newTo: number
}

/** Lines [from, to) of the earlier text, 0-based. */
export interface LineRange {
  readonly from: number
  readonly to: number
}

/** One hunk of a run or an outside change: the lines that differ, without context. */
export interface TextHunk extends LineBlock {
  /** 1-based: the number that `undo-run` takes and `diff RUN PATH` shows. */
  readonly n: number
  /** Its parts that differ, in order, with at least one unchanged line between two. */
  readonly blocks: readonly LineBlock[]
  /** The restore that undid it; null while it is in force. */
  readonly undoneBy: string | null
  /** Its changed lines that are undone. */
  readonly undoneLines: readonly LineSelection[]
  /** Only others changed its lines, so it cannot be undone here. Only in a diff that is `mixed`. */
  readonly byOthers?: boolean
}

/**
 * `text`: both sides decoded; a missing side is "". `image`: bytes as base64 with their type. `large`: text over 1 MB,
 * 20,000 lines or with a line over 5,000 characters; its content is sent only with `full`. `opaque`: binary or too
 * large to show; sizes and hashes only. `not-kept`: a side whose content is not stored. `link`, `dir`: no content.
 */
export type FileDiff =
  | (DiffBase & {
      readonly view: 'text'
      readonly beforeText: string
      readonly afterText: string
      /** A side that is missing or undecided (empty or plain ASCII) has the encoding of the other. */
      readonly encodings: Encodings
      /** It contains bidirectional or zero-width characters (CVE-2021-42574, "Trojan Source"). */
      readonly hidden: boolean
      /** Only line endings differ, e.g. "LF → CRLF". */
      readonly eolOnly: string | null
      /** Hunks that can be undone one by one. Present like `undoneBy`. */
      readonly hunks?: readonly TextHunk[]
      /** Lines of both texts that others wrote between the first and the last of these edits. Present like `undoneBy`. */
      readonly othersLines?: readonly LineRange[]
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
