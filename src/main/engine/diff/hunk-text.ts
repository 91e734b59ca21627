/** Formats the hunks of a patch. Lines are copied as bytes, or converted to UTF-8 for patches that are only read. */
import type { Encodings, TextEncoding } from '../../../contract/diff.ts'
import { decodeAs } from './encoding.ts'
import { diffBlocks, groupHunks, type Hunk } from './line-diff.ts'
import { endsInLineFeed, type Lines, splitLines } from './lines.ts'

interface Side extends Lines {
  /** Convert from this; null = copy bytes. */
  readonly encoding: TextEncoding | null
}

/** All hunks between two contents, empty when they are equal. `encodings`: convert to UTF-8; null = copy bytes. */
export function formatHunks(before: Uint8Array, after: Uint8Array, encodings: Encodings | null): Buffer {
  const old = { ...splitLines(before), encoding: encodings?.before ?? null }
  const now = { ...splitLines(after), encoding: encodings?.after ?? null }
  const parts: Buffer[] = []
  for (const hunk of groupHunks(diffBlocks(old, now), old.count)) appendHunk(parts, hunk, old, now)
  return Buffer.concat(parts)
}

function appendHunk(parts: Buffer[], hunk: Hunk, old: Side, now: Side): void {
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
function appendLines(parts: Buffer[], sign: number, side: Side, from: number, to: number): void {
  if (from === to) return
  const lines = side.encoding === null ? side : decodedLines(side, side.encoding, from, to)
  const [first, end] = lines === side ? [from, to] : [0, to - from]
  const out = Buffer.allocUnsafe(lines.starts[end]! - lines.starts[first]! + end - first)
  let at = 0
  for (let line = first; line < end; line++) {
    out[at++] = sign
    at += lines.bytes.copy(out, at, lines.starts[line], lines.starts[line + 1])
  }
  parts.push(out)
  if (!endsInLineFeed(out)) parts.push(NO_LINE_FEED)
}

/** Lines [from, to) as UTF-8. Every encoding keeps line feeds, so the number of lines is the same. */
function decodedLines({ bytes, starts }: Lines, encoding: TextEncoding, from: number, to: number): Lines {
  const text = decodeAs(bytes.subarray(starts[from], starts[to]), encoding)
  return splitLines(Buffer.from(text))
}
