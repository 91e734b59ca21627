/** Rows of kept content: found, made, filled and unpacked. Nothing is verified here. */
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { CHUNKED, DELTA, EMPTIED, type Packed, unpack } from './codec.ts'

export type ContentId = number

export interface ContentRow {
  readonly id: ContentId
  /** Null while large content is taken in. */
  readonly hash: Buffer | null
  readonly size: number
  readonly codec: number
  /** Dictionaries below it, one on the other. */
  readonly depth: number
  /** Content whose bytes are its dictionary. */
  readonly base: ContentId | null
  readonly bytes: Buffer | null
}

/** What a row is filled with: packed bytes, alone or on a dictionary, or pieces in rows of their own. */
export interface Filling {
  readonly codec: number
  readonly bytes: Uint8Array | null
  readonly base: ContentId | null
  readonly depth: number
  readonly pieces: readonly Packed[]
}

export const IN_PIECES: Filling = { codec: CHUNKED, bytes: null, base: null, depth: 0, pieces: [] }

/** Bytes that need no other content. */
export function alone({ codec, bytes }: Packed): Filling {
  return { codec, bytes, base: null, depth: 0, pieces: [] }
}

export interface ContentRows {
  /** The row of these bytes, which may be emptied. */
  named(hash: Buffer): Pick<ContentRow, 'id' | 'codec'> | null
  /** Throws StoreDamaged when it is missing. */
  row(id: ContentId): ContentRow
  pieces(id: ContentId): Iterable<Packed & { readonly bytes: Buffer }>
  add(hash: Buffer | null, size: number, filling: Filling): ContentId
  /** Other bytes for the same content. */
  fill(id: ContentId, filling: Filling): void
  /** Emptied content is there again. A sweep that was killed may have left pieces of it. */
  refill(id: ContentId, filling: Filling): void
  /** The bytes of content that is not in pieces; `dictionary` may know those of another one. Throws NotStored when emptied. */
  unpack(row: ContentRow, dictionary?: (id: ContentId) => Buffer): Buffer
}

export function createContentRows(db: Db): ContentRows {
  const byHash = db.prepare('SELECT id, codec FROM content WHERE hash = ?')
  const byId = db.prepare('SELECT * FROM content WHERE id = ?')
  const insert = db.prepare('INSERT INTO content(hash, size, codec, depth, base, bytes) VALUES (?, ?, ?, ?, ?, ?)')
  const update = db.prepare('UPDATE content SET codec = ?, depth = ?, base = ?, bytes = ? WHERE id = ?')
  const chunks = db.prepare('SELECT codec, bytes FROM chunk WHERE content = ? ORDER BY n')
  const insertChunk = db.prepare('INSERT INTO chunk(content, n, codec, bytes) VALUES (?, ?, ?, ?)')
  const dropChunks = db.prepare('DELETE FROM chunk WHERE content = ?')

  const row = (id: ContentId): ContentRow => {
    const found = byId.get(id) as ContentRow | undefined
    if (!found) throw damaged(`content ${id} is missing`, id)
    return found
  }
  const addPieces = (id: ContentId, pieces: readonly Packed[]): void => {
    for (const [n, { codec, bytes }] of pieces.entries()) insertChunk.run(id, n, codec, bytes)
  }
  const fill = (id: ContentId, { codec, depth, base, bytes, pieces }: Filling): void => {
    update.run(codec, depth, base, bytes, id)
    addPieces(id, pieces)
  }
  const unpackRow: ContentRows['unpack'] = ({ codec, bytes, base }, dictionary) => {
    if (codec === EMPTIED)
      throw new DriftlineError(
        'NotStored',
        'This version was let go of: past the limits set for the history, or on the never-keep list.'
      )
    const packed = bytes ?? Buffer.alloc(0)
    if (codec !== DELTA) return unpack(codec, packed)
    return unpack(DELTA, packed, dictionary ? dictionary(base as number) : unpackRow(row(base as number)))
  }

  return {
    named: (hash) => (byHash.get(hash) as Pick<ContentRow, 'id' | 'codec'> | undefined) ?? null,
    row,
    pieces: (id) => chunks.iterate(id) as Iterable<Packed & { bytes: Buffer }>,
    add: (hash, size, { codec, depth, base, bytes, pieces }) => {
      const id = Number(insert.run(hash, size, codec, depth, base, bytes).lastInsertRowid)
      addPieces(id, pieces)
      return id
    },
    fill,
    refill: (id, filling) => {
      dropChunks.run(id)
      fill(id, filling)
    },
    unpack: unpackRow
  }
}

/** `content`: which one, for whoever can say what needs it. */
export function damaged(what: string, content: ContentId): DriftlineError {
  return new DriftlineError(
    'StoreDamaged',
    `A kept version is damaged: ${what}. It is never written anywhere; other versions are not affected. Run "driftline doctor" for a list.`,
    { content }
  )
}

/** Null for what cannot be read. Damage to an old version is told when it is read; it is no reason not to keep the new one. */
export function unlessDamaged(read: () => Buffer): Buffer | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof DriftlineError || (error instanceof Error && 'code' in error)) return null
    throw error
  }
}
