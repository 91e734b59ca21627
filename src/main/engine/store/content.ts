/** [ST-1] Content by its SHA-256, stored once, checked whenever it is read. */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { CHUNKED, EMPTIED, type Packed, unpack } from './codec.ts'
import { browseContent } from './content-browser.ts'
import { createPacker } from './content-packer.ts'
import { alone, type ContentId, createContentRows, damaged, type Filling, IN_PIECES } from './content-rows.ts'
import { sha256 } from './hash.ts'
import { type LargeContent, takeLargeContent } from './large-content.ts'
import { createRepacker, type Repacker } from './repacker.ts'

export interface Content {
  /** Id of the bytes, stored now if they were not. `previous`: content they probably resemble. Call inside a transaction. */
  put(bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId
  /** The same for bytes packed elsewhere (the first copy's workers), in one piece or several. */
  putPacked(hash: Buffer, size: number, pieces: readonly Packed[]): ContentId
  find(hash: Buffer): ContentId | null
  /** Exact bytes, verified. Throws NotStored when emptied and StoreDamaged when they do not hash to their name. */
  get(id: ContentId): Buffer
  /** The same in pieces, for content of any size; verified at the end: use what you wrote only if this returns. */
  stream(id: ContentId, take: (piece: Buffer) => void): void
  /** Null when the content is whole; else a sentence part. */
  verify(id: ContentId): string | null
  /** For looking through many versions; not verified, so never for writing. */
  browser(): (id: ContentId) => Buffer
  large(): LargeContent
  repacker(): Repacker
}

export function createContent(db: Db): Content {
  const rows = createContentRows(db)
  const packFor = createPacker(rows)

  /** The row of these bytes: the one that has them, or one filled now. */
  const keep = (hash: Buffer, size: number, filling: () => Filling): ContentId => {
    const known = rows.named(hash)
    if (!known) return rows.add(hash, size, filling())
    if (known.codec === EMPTIED) rows.refill(known.id, filling())
    return known.id
  }

  const stream: Content['stream'] = (id, take) => {
    const found = rows.row(id)
    let hash: Buffer
    let taking = false
    const pass = (piece: Buffer): void => {
      taking = true
      take(piece)
      taking = false
    }
    try {
      if (found.codec === CHUNKED) {
        const digest = createHash('sha256')
        for (const { codec, bytes } of rows.pieces(id)) {
          const piece = unpack(codec, bytes)
          digest.update(piece)
          pass(piece)
        }
        hash = digest.digest()
      } else {
        const bytes = rows.unpack(found)
        hash = sha256(bytes)
        pass(bytes)
      }
    } catch (error) {
      // What the taker throws (a full disk) says nothing about the content.
      if (error instanceof DriftlineError || taking) throw error
      throw damaged(`content ${id} cannot be unpacked (${error instanceof Error ? error.message : String(error)})`, id)
    }
    if (!found.hash || !hash.equals(found.hash)) throw damaged(`content ${id} does not match its hash`, id)
  }

  return {
    put: (bytes, hash, previous) => keep(hash, bytes.length, () => packFor(bytes, hash, previous)),
    putPacked: (hash, size, pieces) =>
      keep(hash, size, () => (pieces.length === 1 ? alone(pieces[0] as Packed) : { ...IN_PIECES, pieces })),
    find: (hash) => {
      const known = rows.named(hash)
      return known && known.codec !== EMPTIED ? known.id : null
    },
    get: (id) => {
      const pieces: Buffer[] = []
      stream(id, (piece) => pieces.push(piece))
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    },
    stream,
    verify: (id) => {
      try {
        stream(id, () => {})
        return null
      } catch (error) {
        if (error instanceof DriftlineError) return error.message
        throw error
      }
    },
    browser: () => browseContent(rows),
    large: () => takeLargeContent(db, rows),
    repacker: () => createRepacker(rows)
  }
}
