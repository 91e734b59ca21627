/**
 * Writes content larger than one chunk while it is read, so that memory stays flat. Nothing refers to the row before
 * `finish` gives it its hash; an unfinished row is deleted by `abandon`, or by a sweep if its writer died.
 */
import { createHash } from 'node:crypto'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Db } from '../db/open.ts'
import { write } from '../db/transaction.ts'
import { CHUNKED, EVICTED_CODEC, pack } from './codec.ts'
import { CHUNKED_CONTENT, type ContentId, type ContentRows } from './content-rows.ts'

export interface LargeContentWriter {
  /** Starts over, for a file that changed while it was read. */
  restart(): void
  addChunk(bytes: Uint8Array): void
  /** Names the content by its hash. Returns the id of an older row if the same bytes are stored already. */
  finish(): { id: ContentId; hash: Buffer; size: number }
  abandon(): void
}

/**
 * Until `finish`, the row's size is a random negative number, the mark of its writer. A writer that pauses for long counts as
 * dead: a sweep deletes its row, and SQLite may then give the same id to other content. Id and mark together show whether the
 * row is still this writer's.
 */
export function createLargeContentWriter(db: Db, rows: ContentRows): LargeContentWriter {
  const selectOwn = db.prepare('SELECT 1 FROM content WHERE id = ? AND size = ? AND hash IS NULL')
  const insertChunk = db.prepare('INSERT INTO chunk(content, n, codec, bytes) VALUES (?, ?, ?, ?)')
  const moveChunks = db.prepare('UPDATE chunk SET content = ? WHERE content = ?')
  const deleteChunks = db.prepare('DELETE FROM chunk WHERE content = ?')
  const deleteRow = db.prepare('DELETE FROM content WHERE id = ?')
  const setName = db.prepare('UPDATE content SET hash = ?, size = ?, codec = ? WHERE id = ?')
  let id: ContentId | null = null
  let mark = 0
  let n = 0
  let size = 0
  let digest = createHash('sha256')

  const isOwn = (row: ContentId): boolean => selectOwn.get(row, mark) !== undefined
  const begin = (): ContentId => {
    // 47 bits: an integer that SQLite and JavaScript both hold exactly.
    mark = -1 - Math.floor(Math.random() * 2 ** 47)
    return rows.insert(null, mark, CHUNKED_CONTENT)
  }
  const abandon = (): void => {
    if (id !== null) {
      const unfinished = id
      write(db, () => {
        if (!isOwn(unfinished)) return
        deleteChunks.run(unfinished)
        deleteRow.run(unfinished)
      })
    }
    id = null
    n = 0
    size = 0
    digest = createHash('sha256')
  }
  /** [ST-1] The written row becomes the content, or gives way to the row that already has this hash. */
  const nameOrMerge = (written: ContentId, hash: Buffer): ContentId => {
    if (!isOwn(written)) throw writerExpired()
    const existing = rows.findByHash(hash)
    if (!existing) {
      setName.run(hash, size, CHUNKED, written)
      return written
    }
    if (existing.codec === EVICTED_CODEC) {
      rows.refill(existing.id, CHUNKED_CONTENT)
      moveChunks.run(existing.id, written)
    } else deleteChunks.run(written)
    deleteRow.run(written)
    return existing.id
  }

  return {
    restart: abandon,
    abandon,
    addChunk: (bytes) => {
      digest.update(bytes)
      size += bytes.length
      const packed = pack(bytes)
      // One short transaction per chunk: writes of other processes proceed in between.
      write(db, () => {
        id ??= begin()
        if (!isOwn(id)) throw writerExpired()
        insertChunk.run(id, n++, packed.codec, packed.bytes)
      })
    },
    finish: () => {
      const written = id
      if (written === null) throw new Error('large content without a chunk')
      const hash = digest.digest()
      const stored = write(db, () => nameOrMerge(written, hash))
      id = null
      return { id: stored, hash, size }
    }
  }
}

function writerExpired(): DriftlineError {
  return new DriftlineError(
    'Refused',
    'Recording a large file paused for too long and was given up. Nothing is lost; the next scan records the file.'
  )
}
