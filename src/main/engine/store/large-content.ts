/** Takes content above one piece as it is read; nothing refers to it before it is finished. */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { CHUNKED, EMPTIED, pack } from './codec.ts'
import { type ContentId, type ContentRows, IN_PIECES } from './content-rows.ts'

export interface LargeContent {
  restart(): void
  piece(bytes: Uint8Array): void
  /** Makes it content; returns the id and hash of the stored bytes (an older id when they were there already). */
  finish(): { id: ContentId; hash: Buffer; size: number }
  abandon(): void
}

/**
 * Until it is finished a row's size is its writer's mark, less than 0: a writer that stands still for long counts as dead, a
 * sweep drops its row, and SQLite gives the id to somebody else's content.
 */
export function takeLargeContent(db: Db, rows: ContentRows): LargeContent {
  const own = db.prepare('SELECT 1 FROM content WHERE id = ? AND size = ? AND hash IS NULL')
  const insertChunk = db.prepare('INSERT INTO chunk(content, n, codec, bytes) VALUES (?, ?, ?, ?)')
  const moveChunks = db.prepare('UPDATE chunk SET content = ? WHERE content = ?')
  const dropChunks = db.prepare('DELETE FROM chunk WHERE content = ?')
  const drop = db.prepare('DELETE FROM content WHERE id = ?')
  const name = db.prepare('UPDATE content SET hash = ?, size = ?, codec = ? WHERE id = ?')
  let id: ContentId | null = null
  let mark = 0
  let n = 0
  let size = 0
  let digest = createHash('sha256')

  const isOwn = (taken: ContentId): boolean => own.get(taken, mark) !== undefined
  const begin = (): ContentId => {
    mark = -1 - Math.floor(Math.random() * 2 ** 47)
    return rows.add(null, mark, IN_PIECES)
  }
  const abandon = (): void => {
    if (id !== null) {
      const dead = id
      write(db, () => {
        if (!isOwn(dead)) return
        dropChunks.run(dead)
        drop.run(dead)
      })
    }
    id = null
    n = 0
    size = 0
    digest = createHash('sha256')
  }
  /** The content these pieces are now: their own row, or the one that has the same bytes. */
  const settle = (taken: ContentId, hash: Buffer): ContentId => {
    if (!isOwn(taken)) throw takenForDead()
    const known = rows.named(hash)
    if (!known) {
      name.run(hash, size, CHUNKED, taken)
      return taken
    }
    if (known.codec === EMPTIED) {
      rows.refill(known.id, IN_PIECES)
      moveChunks.run(known.id, taken)
    } else dropChunks.run(taken)
    drop.run(taken)
    return known.id
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
        id ??= begin()
        if (!isOwn(id)) throw takenForDead()
        insertChunk.run(id, n++, packed.codec, packed.bytes)
      })
    },
    finish: () => {
      const taken = id
      if (taken === null) throw new Error('large content without a piece')
      const hash = digest.digest()
      const done = write(db, () => settle(taken, hash))
      id = null
      return { id: done, hash, size }
    }
  }
}

function takenForDead(): DriftlineError {
  return new DriftlineError(
    'Refused',
    'Recording a large file stood still for so long that it was given up. Nothing is lost; the next look at the folder takes it.'
  )
}
