/**
 * Formats changes as a patch that `git apply` and `git apply -R` accept (git-diff(1), "Generating patch text"), or as
 * one that is only read by people.
 */
import { type Encodings, encodingName, type TextEncoding } from '../../../contract/diff.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'
import { comparePaths, type PathChange } from './aggregate.ts'
import { decodeAs } from './encoding.ts'
import {
  binaryParts,
  binarySection,
  blobId,
  isRefusedByGit,
  NULL_ID,
  quoteName,
  quoteNameInFileLine,
  quoteNameInHeader
} from './git-format.ts'
import { diffBlocks, encodingsOfLines, groupHunks, type Hunk } from './line-diff.ts'
import { endsInLineFeed, type Lines, splitBoth, splitLines } from './lines.ts'
import { contentSimilarity } from './renames.ts'

/** The bytes of a change's files; null for a side that is no file or whose content is not stored. */
interface Sides {
  readonly before: Uint8Array | null
  readonly after: Uint8Array | null
}

export interface PatchInput {
  readonly change: PathChange
  /** Called once, when no other change's bytes are needed. */
  read(): Sides
}

export interface Patch {
  readonly patch: Buffer
  /**
   * Paths of changes that no patch can contain, folders excepted: content not stored, too large by itself, or nothing git
   * records.
   */
  readonly omitted: string[]
  /** Paths of changes for which this patch has no room; one of some of them alone has. */
  readonly beyond: string[]
}

/**
 * Of a whole patch. `sent`: bytes as JSON, so that it fits into an answer with its list of files. `packed`: bytes of binary
 * files before they are packed, which takes a second or two.
 */
const MOST: Sizes = { sent: 48 * 2 ** 20, packed: 32 * 2 ** 20 }

type Sizes = Readonly<Record<'sent' | 'packed', number>>

/** A patch that is being written. `room`: the rest of `most`. */
interface Draft {
  readonly use: Use
  readonly most: Sizes
  readonly room: { -readonly [Size in keyof Sizes]: number }
}

/** Why a section is missing: no patch can have it, or this one has no room for it. */
type Missing = 'omitted' | 'beyond'

/**
 * `reading`: a patch to be read. Text of every encoding is converted to UTF-8, and the header names its encoding; git
 * cannot apply it.
 */
type Use = 'git' | 'reading'

/**
 * Sections are sorted by path. Git has no folders, so they are dropped silently. A file is omitted and named when its
 * content is not stored, when git refuses its name, when only mode bits changed that git does not record, or when its
 * section would be too large. What is behind a section that has no room may have it. `most`: for tests.
 */
export function formatPatch(changes: readonly PatchInput[], use: Use = 'git', most: Sizes = MOST): Patch {
  const sections: Buffer[] = []
  const missing: Record<Missing, string[]> = { omitted: [], beyond: [] }
  const room = { ...most }
  for (const input of [...changes].sort((a, b) => comparePaths(a.change.path, b.change.path))) {
    const built = changeSections(input, { use, most, room })
    const sent = built.reduce((sum, section) => sum + (typeof section === 'string' ? 0 : bytesAsJson(section)), 0)
    const why = built.find((section) => typeof section === 'string') ?? whyNoRoom(sent, room.sent, most.sent)
    if (why) missing[why].push(input.change.path)
    else {
      sections.push(...(built as Buffer[]))
      room.sent -= sent
    }
  }
  return { patch: Buffer.concat(sections), ...missing }
}

function whyNoRoom(needed: number, left: number, most: number): Missing | null {
  if (needed <= left) return null
  return needed > most ? 'omitted' : 'beyond'
}

/** Of UTF-8 in a JSON string: quotes, backslashes and the usual controls take two bytes, other controls six. */
function bytesAsJson(text: Uint8Array): number {
  let bytes = text.length
  for (const byte of text) {
    if (byte === 0x22 || byte === 0x5c) bytes++
    else if (byte < 0x20) bytes += byte >= 0x08 && byte <= 0x0d && byte !== 0x0b ? 1 : 5
  }
  return bytes
}

/** One side of a change as git records it. `bytes` is null when the content is not stored. */
interface Entry {
  readonly path: string
  readonly mode: '100644' | '100755' | '120000'
  readonly bytes: Uint8Array | null
  /** Equal keys mean equal content, even if it is not stored; null = unknown. */
  readonly key: string | null
}

/** With the reason in place of a section that is missing. */
function changeSections({ change, read }: PatchInput, draft: Draft): (Buffer | Missing)[] {
  const { before, after } = read()
  const old = toEntry(change.oldPath ?? change.path, change.before, before)
  const now = toEntry(change.path, change.after, after)
  if (old === 'unsupported' || now === 'unsupported') return ['omitted']
  if (old && now && isLink(old) === isLink(now)) {
    const isSame = isProvablySame(change.before, change.after) && old.path === now.path
    return isSame ? [] : [changedSection(old, now, draft)]
  }
  // Git has no change from a file to a link: it is a deletion followed by a creation.
  const deleted = old ? [oneSidedSection(old, 'deleted', draft)] : []
  return now ? [...deleted, oneSidedSection(now, 'new', draft)] : deleted
}

/** Null for a side without a file; `unsupported` for one that git cannot record. */
function toEntry(path: string, version: FileVersion, bytes: Uint8Array | null): Entry | null | 'unsupported' {
  const { kind, target, hash } = version
  if (kind === 'absent' || kind === 'dir') return null
  if (kind === 'file' && !isRefusedByGit(path, kind)) {
    // Git records one mode bit: whether the owner may execute.
    return { path, mode: version.mode & 0o100 ? '100755' : '100644', bytes, key: hash }
  }
  if (kind === 'symlink' && target !== null && !isRefusedByGit(path, kind)) {
    return { path, mode: '120000', bytes: Buffer.from(target), key: target }
  }
  return 'unsupported'
}

function isLink(entry: Entry): boolean {
  return entry.mode === '120000'
}

function oneSidedSection(only: Entry, what: 'new' | 'deleted', draft: Draft): Buffer | Missing {
  if (!only.bytes) return 'omitted'
  const header = [headerLine(only.path, only.path), `${what} file mode ${only.mode}`]
  return what === 'new' ? contentSection(header, null, only, draft) : contentSection(header, only, null, draft)
}

function changedSection(old: Entry, now: Entry, draft: Draft): Buffer | Missing {
  const moved = old.path !== now.path
  const equal = old.key !== null && old.key === now.key
  if (equal && !moved && old.mode === now.mode) return 'omitted'
  if (!equal && !(old.bytes && now.bytes)) return 'omitted'
  const header = [headerLine(old.path, now.path)]
  if (old.mode !== now.mode) header.push(`old mode ${old.mode}`, `new mode ${now.mode}`)
  if (moved) {
    header.push(`similarity index ${similarityIndex(old, now, equal)}%`)
    header.push(`rename from ${quoteName(old.path)}`, `rename to ${quoteName(now.path)}`)
  }
  return equal ? Buffer.from(`${header.join('\n')}\n`) : contentSection(header, old, now, draft)
}

function headerLine(oldPath: string, path: string): string {
  return `diff --git ${quoteNameInHeader(`a/${oldPath}`)} ${quoteNameInHeader(`b/${path}`)}`
}

function similarityIndex(old: Entry, now: Entry, equal: boolean): number {
  if (equal || !old.bytes || !now.bytes) return 100
  return Math.min(99, Math.floor(contentSimilarity(old.bytes, now.bytes) * 100))
}

const EMPTY = new Uint8Array(0)

/**
 * Header, index line and content: hunks for UTF-8 and, in a patch to be read, for any text; otherwise what turns each
 * version into the other. The bytes of both sides are stored; a side that does not exist is null.
 */
function contentSection(
  header: readonly string[],
  old: Entry | null,
  now: Entry | null,
  draft: Draft
): Buffer | Missing {
  const { use, most, room } = draft
  const before = old?.bytes ?? EMPTY
  const after = now?.bytes ?? EMPTY
  const ids = `${old ? blobId(before) : NULL_ID}..${now ? blobId(after) : NULL_ID}`
  const lines = [...header, `index ${ids}${old?.mode === now?.mode ? ` ${now?.mode}` : ''}`]
  const encodings = encodingsOfLines(before, after)
  const plain = encodings?.before === 'utf8' && encodings.after === 'utf8'
  if (!encodings || !(plain || use === 'reading')) {
    const binary = binaryParts(before, after)
    const bytes = binary.parts.reduce((sum, { length }) => sum + length, 0)
    const why = whyNoRoom(bytes, room.packed, most.packed)
    if (why) return why
    room.packed -= bytes
    return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), binarySection(binary)])
  }
  if (!plain) lines.push(`encoding ${encodingName(encodings)}`)
  const hunks = formatHunks(before, after, plain ? null : encodings)
  if (hunks.length > 0) {
    lines.push(`--- ${old ? quoteNameInFileLine(`a/${old.path}`) : '/dev/null'}`)
    lines.push(`+++ ${now ? quoteNameInFileLine(`b/${now.path}`) : '/dev/null'}`)
  }
  return Buffer.concat([Buffer.from(`${lines.join('\n')}\n`), hunks])
}

/**
 * All hunks between two contents, empty when they are equal. Lines are copied as bytes, or converted to UTF-8 with
 * `encodings`. Every encoding keeps line feeds, so the converted text has the same lines.
 */
export function formatHunks(before: Uint8Array, after: Uint8Array, encodings: Encodings | null): Buffer {
  const [old, now] = splitBoth(before, after)
  const [shownOld, shownNow] = encodings
    ? [splitLines(toUtf8(before, encodings.before)), splitLines(toUtf8(after, encodings.after))]
    : [old, now]
  const parts: Buffer[] = []
  for (const hunk of groupHunks(diffBlocks(old, now), old.count)) appendHunk(parts, hunk, shownOld, shownNow)
  return Buffer.concat(parts)
}

function toUtf8(bytes: Uint8Array, encoding: TextEncoding): Buffer {
  return Buffer.from(decodeAs(bytes, encoding))
}

function appendHunk(parts: Buffer[], hunk: Hunk, old: Lines, now: Lines): void {
  const ranges = `-${range(hunk.oldFrom, hunk.oldTo)} +${range(hunk.newFrom, hunk.newTo)}`
  parts.push(Buffer.from(`@@ ${ranges} @@\n`))
  let at = hunk.oldFrom
  for (const block of hunk.blocks) {
    appendLines(parts, CONTEXT, old, at, block.oldFrom)
    appendLines(parts, DELETED, old, block.oldFrom, block.oldTo)
    appendLines(parts, ADDED, now, block.newFrom, block.newTo)
    at = block.oldTo
  }
  appendLines(parts, CONTEXT, old, at, hunk.oldTo)
}

/** First line (1-based) and number of lines. The number 1 is omitted; an empty range names the line before it. */
function range(from: number, to: number): string {
  if (to === from) return `${from},0`
  return to - from === 1 ? `${from + 1}` : `${from + 1},${to - from}`
}

const CONTEXT = 0x20
const DELETED = 0x2d
const ADDED = 0x2b
const NO_LINE_FEED = Buffer.from('\n\\ No newline at end of file\n')

/** Appends lines [from, to) with a sign before each, as one buffer. */
function appendLines(parts: Buffer[], sign: number, { bytes, starts }: Lines, from: number, to: number): void {
  if (from === to) return
  const out = Buffer.allocUnsafe(starts[to]! - starts[from]! + to - from)
  let at = 0
  for (let line = from; line < to; line++) {
    out[at++] = sign
    at += bytes.copy(out, at, starts[line], starts[line + 1])
  }
  parts.push(out)
  if (!endsInLineFeed(out)) parts.push(NO_LINE_FEED)
}
