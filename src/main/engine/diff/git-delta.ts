/** Deltas as git reads them (`patch-delta.c`): what a version copies from another one, and what it adds. */
import { commonEnds } from './lines.ts'

/** Bytes that one instruction copies or adds at most. */
const MOST_COPIED = 0xffffff
const MOST_ADDED = 127
/** The highest offset that an instruction can name, 4 bytes. */
const MOST_OFFSET = 0xffffffff

/** What turns each of two versions into the other, the newer first; null where less than half of either is the same. */
export function deltas(before: Uint8Array, after: Uint8Array): [Buffer, Buffer] | null {
  const { head, tail } = commonEnds(before, after)
  const longer = Math.max(before.length, after.length)
  if (head + tail <= longer / 2 || longer > MOST_OFFSET) return null
  return [delta(before, after, head, tail), delta(after, before, head, tail)]
}

/** `head`, `tail`: the bytes that both have in common at their ends. */
function delta(from: Uint8Array, to: Uint8Array, head: number, tail: number): Buffer {
  const added = to.subarray(head, to.length - tail)
  const parts: Uint8Array[] = [size(from.length), size(to.length), ...copies(0, head)]
  for (let at = 0; at < added.length; at += MOST_ADDED) {
    const part = added.subarray(at, at + MOST_ADDED)
    parts.push(Buffer.of(part.length), part)
  }
  return Buffer.concat([...parts, ...copies(from.length - tail, tail)])
}

/** Seven bits a byte, the lowest first; the highest bit of a byte says that another one follows. */
function size(bytes: number): Buffer {
  const digits: number[] = []
  for (let rest = bytes; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...digits, rest])
    digits.push((rest % 128) | 0x80)
  }
}

function copies(from: number, length: number): Buffer[] {
  const all: Buffer[] = []
  for (let done = 0; done < length; done += MOST_COPIED)
    all.push(copy(from + done, Math.min(MOST_COPIED, length - done)))
  return all
}

/** An instruction: its bits name the bytes of offset and length that follow, those that are 0 left out. */
function copy(offset: number, length: number): Buffer {
  const bytes = Buffer.alloc(7)
  bytes.writeUInt32LE(offset, 0)
  bytes.writeUIntLE(length, 4, 3)
  const used = [...bytes.keys()].filter((i) => bytes[i] !== 0)
  const bits = used.reduce((sum, i) => sum | (1 << i), 0x80)
  return Buffer.from([bits, ...used.map((i) => bytes[i] ?? 0)])
}
