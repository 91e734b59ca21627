/** Packs new bytes: on what they resemble when that is clearly smaller, else alone. */
import { CHUNKED, EMPTIED, pack, packDelta, RAW } from './codec.ts'
import {
  alone,
  type ContentId,
  type ContentRow,
  type ContentRows,
  type Filling,
  unlessDamaged
} from './content-rows.ts'

/** A chain of dictionaries longer than this is not grown: reading the last one costs one unpacking per link. */
export const MAX_DEPTH = 40
/** Dictionaries are for small edits of ordinary files. */
const MAX_DELTA_SIZE = 1 << 20
const SMALLEST_DELTA = 64
/** A dictionary that packs to less than this share leaves nothing to win without one. */
const CLEAR_WIN = 0.1
/** Share of its size alone from which a dictionary is worth its unpacking. */
const WORTH_A_LINK = 0.8
/** Contents put last, whole: the next version of a file needs its last one, which else is a chain of unpackings. Bytes. */
const RECENT_BYTES = 4 * 1024 * 1024
const RECENT_SIZE = 256 * 1024

/** `previous`: content the bytes probably resemble. */
export type Packer = (bytes: Uint8Array, hash: Buffer, previous: ContentId | null) => Filling

export function createPacker(rows: ContentRows): Packer {
  const recent = createRecent()
  const baseFor = (bytes: Uint8Array, previous: ContentId | null): ContentRow | null => {
    if (previous === null || !fitsDelta(bytes.length)) return null
    const base = rows.row(previous)
    const serves = fitsDelta(base.size) && base.depth < MAX_DEPTH && base.codec !== CHUNKED && base.codec !== EMPTIED
    return serves ? base : null
  }
  const packFor = (bytes: Uint8Array, previous: ContentId | null): Filling => {
    const base = baseFor(bytes, previous)
    const dictionary = base && (recent.get(base.hash) ?? unlessDamaged(() => rows.unpack(base)))
    if (!base || !dictionary) return alone(pack(bytes))
    const delta = onBase(bytes, base, dictionary)
    if (sizeOf(delta) < bytes.length * CLEAR_WIN) return delta
    const plain = alone(pack(bytes))
    return plain.codec !== RAW && sizeOf(delta) < sizeOf(plain) * WORTH_A_LINK ? delta : plain
  }
  return (bytes, hash, previous) => {
    const packed = packFor(bytes, previous)
    recent.add(hash, bytes)
    return packed
  }
}

/** Packed with `dictionary`, the bytes of `base`. */
export function onBase(bytes: Uint8Array, base: ContentRow, dictionary: Uint8Array): Filling {
  return { ...packDelta(bytes, dictionary), base: base.id, depth: base.depth + 1, pieces: [] }
}

export function sizeOf({ bytes }: Filling): number {
  return bytes?.length ?? 0
}

function fitsDelta(size: number): boolean {
  return size <= MAX_DELTA_SIZE && size >= SMALLEST_DELTA
}

interface Recent {
  get(hash: Buffer | null): Uint8Array | undefined
  add(hash: Buffer, bytes: Uint8Array): void
}

/** By hash: an id is given again after a rollback, or after another process removed the row. */
function createRecent(): Recent {
  const recent = new Map<string, Uint8Array>()
  let held = 0
  return {
    get: (hash) => (hash ? recent.get(hash.toString('latin1')) : undefined),
    add: (hash, bytes) => {
      const name = hash.toString('latin1')
      if (bytes.length > RECENT_SIZE || recent.has(name)) return
      recent.set(name, bytes)
      held += bytes.length
      for (const [oldest, { length }] of recent) {
        if (held <= RECENT_BYTES) break
        recent.delete(oldest)
        held -= length
      }
    }
  }
}
