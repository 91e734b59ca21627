/** Texts as the lines of a weave, and pieces of them as bytes. Nothing is decoded, so every byte is preserved. */
import type { LineSource, Piece } from '../log/spans.ts'
import type { WeaveHunk } from '../log/weave.ts'
import { diffBlocks } from './line-diff.ts'
import { type Lines, lineKey } from './lines.ts'

/** A text whose lines are in a weave. */
export interface Text extends LineSource {
  readonly lines: Lines
}

export type TextPiece = Piece<Text>

export function textOf(lines: Lines): Text {
  return { lines, count: lines.count, endsOpen: lines.count > 0 && !endsInLineFeed(lines) }
}

/** By the last unit alone: the last line may be as long as the text. */
function endsInLineFeed({ bytes, unit }: Lines): boolean {
  const width = unit === 'byte' ? 1 : 2
  const last = bytes.subarray(bytes.length - width)
  return lineKey({ bytes: last, unit, count: 1, starts: Uint32Array.of(0, width) }, 0) === '\n'
}

/** What turns `old` into `now`. Inserted lines are copied, so that neither text is held for them. */
export function hunksOf(old: Lines, now: Lines): WeaveHunk<Text>[] {
  return diffBlocks(old, now).map(({ oldFrom, oldTo, newFrom, newTo }) => {
    const source = textOf(copyLines(now, newFrom, newTo))
    return { from: oldFrom, to: oldTo, insert: { source, from: 0, to: source.count } }
  })
}

function copyLines({ bytes, unit, starts }: Lines, from: number, to: number): Lines {
  const start = starts[from] as number
  const moved = starts.slice(from, to + 1).map((at) => at - start)
  return { bytes: Buffer.from(bytes.subarray(start, starts[to])), unit, count: to - from, starts: moved }
}

/** The bytes of lines [from, to) of one text. */
export function bytesOfPiece({ source: { lines }, from, to }: TextPiece): Buffer {
  return lines.bytes.subarray(lines.starts[from], lines.starts[to])
}

export function bytesOfPieces(pieces: readonly TextPiece[]): Buffer {
  return Buffer.concat(pieces.map(bytesOfPiece))
}

/** Whether the pieces are `bytes`. */
export function areBytes(pieces: readonly TextPiece[], bytes: Buffer): boolean {
  let at = 0
  for (const piece of pieces) {
    const part = bytesOfPiece(piece)
    if (part.length > bytes.length - at || part.compare(bytes, at, at + part.length) !== 0) return false
    at += part.length
  }
  return at === bytes.length
}
