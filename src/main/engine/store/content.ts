/** [ST-1] Content by its SHA-256, stored once, checked whenever it is read. */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { CHUNKED, DELTA, EMPTIED, type Packed, pack, packDelta, RAW, unpack } from './codec.ts'

export type ContentId = number

/** A chain of dictionaries longer than this is not grown: reading the last one costs one unpacking per link. */
const MAX_DEPTH = 40
/** Bytes a browser keeps unpacked. */
const BROWSED = 32 * 1024 * 1024
/** Dictionaries are for small edits of ordinary files. */
const MAX_DELTA_SIZE = 1 << 20
const SMALLEST_DELTA = 64

/** Contents put last, whole: the next version of a file needs its last one, which else is a chain of unpackings. Bytes. */
const RECENT_BYTES = 4 * 1024 * 1024
const RECENT_SIZE = 256 * 1024
/** A dictionary that packs to less than this share leaves nothing to win without one. */
const CLEAR_WIN = 0.1

interface Row {
  readonly id: number
  readonly hash: Buffer | null
  readonly size: number
  readonly codec: number
  readonly depth: number
  readonly base: number | null
  readonly bytes: Buffer | null
}

/** Takes content above one piece; nothing refers to it before `finish`. */
export interface LargeContent {
  restart(): void
  piece(bytes: Uint8Array): void
  /** Makes it content; returns the id and hash of the stored bytes (an older id when they were there already). */
  finish(): { id: ContentId; hash: Buffer; size: number }
  abandon(): void
}

export interface Content {
  /** Id of the bytes, stored now if they were not. `previous`: content they probably resemble. Call inside a transaction. */
  put(bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId
  /** The same for bytes packed elsewhere (the first copy's workers). */
  putPacked(hash: Buffer, size: number, packed: Packed): ContentId
  /** And for content above one piece, packed piece by piece. */
  putPieces(hash: Buffer, size: number, pieces: readonly Packed[]): ContentId
  find(hash: Buffer): ContentId | null
  /**
   * For looking through many versions that are packed one against the other: each is unpacked once. Not verified, so never
   * for writing; content in chunks is not for it.
   */
  browser(): (id: ContentId) => Buffer
  /** Exact bytes, verified. Throws NotStored when emptied and StoreDamaged when they do not hash to their name. */
  get(id: ContentId): Buffer
  /** The same in pieces, for content of any size; verified at the end: use what you wrote only if this returns. */
  stream(id: ContentId, take: (piece: Buffer) => void): void
  hashOf(id: ContentId): Buffer
  /** Null when the content is whole; else a sentence part. */
  verify(id: ContentId): string | null
  large(): LargeContent
  /** Packs contents against another one, or alone (`base` null). Quickest along a chain, first of it first. */
  repacker(): Repacker
}

/** Null when the content cannot be read as it should: then it stays as it is. Call inside a transaction. */
export type Repacker = (
  id: ContentId,
  base: ContentId | null
) => { readonly packed: number; readonly depth: number; readonly base: ContentId | null } | null

export function createContent(db: Db): Content {
  const byHash = db.prepare('SELECT id, codec FROM content WHERE hash = ?')
  const byId = db.prepare('SELECT * FROM content WHERE id = ?')
  const insert = db.prepare('INSERT INTO content(hash, size, codec, depth, base, bytes) VALUES (?, ?, ?, ?, ?, ?)')
  const fill = db.prepare('UPDATE content SET codec = ?, depth = ?, base = ?, bytes = ? WHERE id = ?')
  const chunks = db.prepare('SELECT codec, bytes FROM chunk WHERE content = ? ORDER BY n')
  const insertChunk = db.prepare('INSERT INTO chunk(content, n, codec, bytes) VALUES (?, ?, ?, ?)')
  const dropChunks = db.prepare('DELETE FROM chunk WHERE content = ?')
  const name = db.prepare('UPDATE content SET hash = ?, size = ?, codec = ? WHERE id = ?')
  const drop = db.prepare('DELETE FROM content WHERE id = ?')

  /** Emptied content is there again. A sweep that was killed may have left pieces of it. */
  const refill = (codec: number, depth: number, base: number | null, bytes: Uint8Array | null, id: ContentId): void => {
    dropChunks.run(id)
    fill.run(codec, depth, base, bytes, id)
  }

  const row = (id: ContentId): Row => {
    const found = byId.get(id) as Row | undefined
    if (!found) throw damaged(`content ${id} is missing`, id)
    return found
  }

  const unpackRow = (found: Row, known?: (id: ContentId) => Buffer): Buffer => {
    if (found.codec === EMPTIED)
      throw new DriftlineError('NotStored', 'This version was removed to keep within the history budget.')
    const bytes = found.bytes ?? Buffer.alloc(0)
    if (found.codec !== DELTA) return unpack(found.codec, bytes)
    return unpack(DELTA, bytes, known ? known(found.base as number) : unpackRow(row(found.base as number)))
  }

  const stream = (id: ContentId, take: (piece: Buffer) => void): void => {
    const found = row(id)
    const hash = createHash('sha256')
    let taking = false
    const pass = (piece: Buffer): void => {
      hash.update(piece)
      taking = true
      take(piece)
      taking = false
    }
    try {
      if (found.codec === CHUNKED) {
        for (const chunk of chunks.iterate(id) as Iterable<{ codec: number; bytes: Buffer }>)
          pass(unpack(chunk.codec, chunk.bytes))
      } else pass(unpackRow(found))
    } catch (error) {
      // What the taker throws (a full disk) says nothing about the content.
      if (error instanceof DriftlineError || taking) throw error
      throw damaged(`content ${id} cannot be unpacked (${error instanceof Error ? error.message : String(error)})`, id)
    }
    if (!found.hash || !hash.digest().equals(found.hash)) throw damaged(`content ${id} does not match its hash`, id)
  }

  // By hash: an id is given again after a rollback, or after another process removed the row.
  const recent = new Map<string, Uint8Array>()
  let recentBytes = 0
  const remember = (hash: Buffer, bytes: Uint8Array): void => {
    const name = hash.toString('latin1')
    if (bytes.length > RECENT_SIZE || recent.has(name)) return
    recent.set(name, bytes)
    recentBytes += bytes.length
    for (const [oldest, held] of recent) {
      if (recentBytes <= RECENT_BYTES) break
      recent.delete(oldest)
      recentBytes -= held.length
    }
  }

  /** Damage to an old version is told when it is read; it is no reason not to keep the new one. */
  const unlessDamaged = (read: () => Buffer): Buffer | null => {
    try {
      return read()
    } catch (error) {
      if (error instanceof DriftlineError || (error instanceof Error && 'code' in error)) return null
      throw error
    }
  }

  const browser = (): ((id: ContentId) => Buffer) => {
    const unpacked = new Map<ContentId, Buffer>()
    let held = 0
    const read = (id: ContentId): Buffer => {
      const known = unpacked.get(id)
      if (known) return known
      const bytes = unpackRow(row(id), read)
      held += bytes.length
      for (const [old, { length }] of unpacked) {
        if (held <= BROWSED) break
        unpacked.delete(old)
        held -= length
      }
      unpacked.set(id, bytes)
      return bytes
    }
    return read
  }

  const packFor = (bytes: Uint8Array, previous: ContentId | null): Packed & { base: number | null; depth: number } => {
    const base =
      previous === null || bytes.length > MAX_DELTA_SIZE || bytes.length < SMALLEST_DELTA ? null : row(previous)
    if (
      base === null ||
      base.size > MAX_DELTA_SIZE ||
      base.size < SMALLEST_DELTA ||
      base.depth >= MAX_DEPTH ||
      base.codec === CHUNKED ||
      base.codec === EMPTIED
    ) {
      return { ...pack(bytes), base: null, depth: 0 }
    }
    const dictionary = (base.hash && recent.get(base.hash.toString('latin1'))) ?? unlessDamaged(() => unpackRow(base))
    if (!dictionary) return { ...pack(bytes), base: null, depth: 0 }
    const delta = { ...packDelta(bytes, dictionary), base: base.id, depth: base.depth + 1 }
    if (delta.bytes.length < bytes.length * CLEAR_WIN) return delta
    const plain = pack(bytes)
    return plain.codec !== RAW && delta.bytes.length < plain.bytes.length * 0.8
      ? delta
      : { ...plain, base: null, depth: 0 }
  }

  const put = (bytes: Uint8Array, hash: Buffer, previous: ContentId | null): ContentId => {
    const known = byHash.get(hash) as { id: number; codec: number } | undefined
    if (known && known.codec !== EMPTIED) return known.id
    const { codec, depth, base, bytes: packed } = packFor(bytes, previous)
    if (known) {
      refill(codec, depth, base, packed, known.id)
      return known.id
    }
    remember(hash, bytes)
    return Number(insert.run(hash, bytes.length, codec, depth, base, packed).lastInsertRowid)
  }

  return {
    put,
    putPacked: (hash, size, packed) => {
      const known = byHash.get(hash) as { id: number; codec: number } | undefined
      if (known && known.codec !== EMPTIED) return known.id
      if (known) {
        refill(packed.codec, 0, null, packed.bytes, known.id)
        return known.id
      }
      return Number(insert.run(hash, size, packed.codec, 0, null, packed.bytes).lastInsertRowid)
    },
    putPieces: (hash, size, pieces) => {
      const known = byHash.get(hash) as { id: number; codec: number } | undefined
      if (known && known.codec !== EMPTIED) return known.id
      if (known) refill(CHUNKED, 0, null, null, known.id)
      const id = known?.id ?? Number(insert.run(hash, size, CHUNKED, 0, null, null).lastInsertRowid)
      for (const [n, piece] of pieces.entries()) insertChunk.run(id, n, piece.codec, piece.bytes)
      return id
    },
    find: (hash) => {
      const known = byHash.get(hash) as { id: number; codec: number } | undefined
      return known && known.codec !== EMPTIED ? known.id : null
    },
    get: (id) => {
      const pieces: Buffer[] = []
      stream(id, (piece) => pieces.push(piece))
      return pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)
    },
    stream,
    hashOf: (id) => {
      const { hash } = row(id)
      if (!hash) throw damaged(`content ${id} was never finished`, id)
      return hash
    },
    verify: (id) => {
      try {
        stream(id, () => {})
        return null
      } catch (error) {
        if (error instanceof DriftlineError) return error.message
        throw error
      }
    },
    repacker: () => {
      // One chain after the other: what the last one was unpacked from serves the next.
      const read = browser()
      const unpacked = ({ id, codec }: Row): Buffer | null => {
        if (codec === CHUNKED || codec === EMPTIED) return null
        return unlessDamaged(() => read(id))
      }
      return (id, on) => {
        const found = row(id)
        const bytes = unpacked(found)
        if (!bytes || !found.hash || !createHash('sha256').update(bytes).digest().equals(found.hash)) return null
        const base = on === null ? null : row(on)
        const dictionary = base && base.depth < MAX_DEPTH ? unpacked(base) : null
        const plain = { ...pack(bytes), base: null, depth: 0 }
        const delta =
          base && dictionary ? { ...packDelta(bytes, dictionary), base: base.id, depth: base.depth + 1 } : plain
        const made = delta.bytes.length < plain.bytes.length ? delta : plain
        fill.run(made.codec, made.depth, made.base, made.bytes, id)
        return { packed: made.bytes.length, depth: made.depth, base: made.base }
      }
    },
    browser,
    large: () => {
      let id: number | null = null
      let n = 0
      let size = 0
      let digest = createHash('sha256')
      const abandon = (): void => {
        if (id !== null) {
          const dead = id
          write(db, () => {
            dropChunks.run(dead)
            drop.run(dead)
          })
        }
        id = null
        n = 0
        size = 0
        digest = createHash('sha256')
      }
      return {
        restart: abandon,
        abandon,
        piece: (bytes) => {
          digest.update(bytes)
          size += bytes.length
          const packed = pack(bytes)
          // One small transaction a piece: other processes' writes slip in between, memory stays flat. A row without
          // a hash is unfinished; doctor and gc collect those whose writer died.
          write(db, () => {
            id ??= Number(insert.run(null, 0, CHUNKED, 0, null, null).lastInsertRowid)
            insertChunk.run(id, n++, packed.codec, packed.bytes)
          })
        },
        finish: () => {
          const hash = digest.digest()
          const done = write(db, () => {
            const known = byHash.get(hash) as { id: number; codec: number } | undefined
            if (id === null) throw new Error('large content without a piece')
            if (known && known.codec !== EMPTIED) {
              dropChunks.run(id)
              drop.run(id)
              return known.id
            }
            if (known) {
              refill(CHUNKED, 0, null, null, known.id)
              db.prepare('UPDATE chunk SET content = ? WHERE content = ?').run(known.id, id)
              drop.run(id)
              return known.id
            }
            name.run(hash, size, CHUNKED, id)
            return id
          })
          id = null
          return { id: done, hash, size }
        }
      }
    }
  }
}

/** `content`: which one, for whoever can say what needs it. */
function damaged(what: string, content: number): DriftlineError {
  return new DriftlineError(
    'StoreDamaged',
    `A kept version is damaged: ${what}. It is never written anywhere; other versions are not affected. Run "driftline doctor" for a list.`,
    { content }
  )
}
