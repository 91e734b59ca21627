/** The hunks of a patch as bytes: lines are copied from the content, never decoded. */
import { diffBlocks, groupHunks, type Hunk } from './line-diff.ts'
import { endsInLineFeed, type Lines, splitLines } from './lines.ts'

/** All hunks between two contents, empty when they are equal. */
export function formatHunks(before: Uint8Array, after: Uint8Array): Buffer {
  const old = splitLines(before)
  const now = splitLines(after)
  const parts: Buffer[] = []
  for (const hunk of groupHunks(diffBlocks(old, now), old.count)) appendHunk(parts, hunk, old, now)
  return Buffer.concat(parts)
}

function appendHunk(parts: Buffer[], hunk: Hunk, old: Lines, now: Lines): void {
  const ranges = `-${range(hunk.oldFrom, hunk.oldTo)} +${range(hunk.newFrom, hunk.newTo)}`
  parts.push(Buffer.from(`@@ ${ranges} @@\n`))
  let at = hunk.oldFrom
  for (const block of hunk.blocks) {
    appendLines(parts, SAME, old, at, block.oldFrom)
    appendLines(parts, GONE, old, block.oldFrom, block.oldTo)
    appendLines(parts, NEW, now, block.newFrom, block.newTo)
    at = block.oldTo
  }
  appendLines(parts, SAME, old, at, hunk.oldTo)
}

/** First line from 1 and number of lines; a single line has no number, an empty range names the line before it. */
function range(from: number, to: number): string {
  if (to === from) return `${from},0`
  return to - from === 1 ? `${from + 1}` : `${from + 1},${to - from}`
}

const SAME = 0x20
const GONE = 0x2d
const NEW = 0x2b
const NO_LINE_FEED = Buffer.from('\n\\ No newline at end of file\n')

/** Lines [from, to) with a sign before each, as one buffer. */
function appendLines(parts: Buffer[], sign: number, lines: Lines, from: number, to: number): void {
  if (from === to) return
  const out = Buffer.allocUnsafe(lines.starts[to]! - lines.starts[from]! + to - from)
  let at = 0
  for (let line = from; line < to; line++) {
    out[at++] = sign
    at += lines.bytes.copy(out, at, lines.starts[line], lines.starts[line + 1])
  }
  parts.push(out)
  if (!endsInLineFeed(out)) parts.push(NO_LINE_FEED)
}
