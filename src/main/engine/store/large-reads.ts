/**
 * Reads content in chunks into one piece of memory. Chunks that it shares with content at hand are copied from there, so
 * two versions of a large file cost little more to read than one.
 */
import { chunkBytes, chunkSizesOf, countChunks } from './chunks.ts'
import { unpack } from './codec.ts'
import type { ContentId } from './content-rows.ts'
import type { Readable } from './sql.ts'

/** Content whose bytes were read and verified. */
export interface ContentAtHand {
  readonly id: ContentId
  readonly bytes: Buffer
}

/**
 * The bytes of a content, not verified. Null unless the sizes of all its chunks are known and make its size: then it has
 * to be read chunk by chunk. Throws as `unpack`.
 */
export function readChunks(store: Readable, id: ContentId, size: number, like: ContentAtHand | null): Buffer | null {
  const chunks = chunkSizesOf(store, id)
  // Before the memory is taken: the size of a row that another program wrote may be any number.
  const known = chunks.reduce((sum, chunk) => sum + chunk.size, 0)
  if (known !== size || chunks.length !== countChunks(store, id)) return null
  const atHand = like ? placesOfChunks(store, like) : null
  const bytes = Buffer.allocUnsafe(size)
  let at = 0
  for (const chunk of chunks) {
    const from = atHand?.get(chunk.hash.toString('latin1'))
    if (like && from !== undefined) like.bytes.copy(bytes, at, from, from + chunk.size)
    else {
      const packed = chunkBytes(store, chunk.hash)
      if (!packed || unpack(packed.codec, packed.bytes, chunk.size).copy(bytes, at) !== chunk.size) return null
    }
    at += chunk.size
  }
  return bytes
}

/** Where each chunk begins, by its hash. */
function placesOfChunks(store: Readable, { id, bytes }: ContentAtHand): ReadonlyMap<string, number> {
  const places = new Map<string, number>()
  let at = 0
  for (const { hash, size } of chunkSizesOf(store, id)) {
    places.set(hash.toString('latin1'), at)
    at += size
  }
  return at === bytes.length ? places : new Map()
}
