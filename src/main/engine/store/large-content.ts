/**
 * Writes large content in chunks while it is read, so that memory stays flat, and stores only the chunks that no other
 * content has. Nothing refers to the row before `finish` gives it its hash; an unfinished row is deleted by `abandon`,
 * or by a sweep if its writer died.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { addChunk, deleteChunksOf, moveChunks, type NewChunk, prepareChunk } from './chunks.ts'
import { CHUNKED, EVICTED_CODEC } from './codec.ts'
import { createContentDigest } from './content-digest.ts'
import { CHUNKED_CONTENT, type ContentId, findByHash, hashOf, insertContent, refill } from './content-rows.ts'
import { deleteIncomplete } from './evictions.ts'
import { createKnownChunks } from './known-chunks.ts'
import { createSplitter } from './split.ts'
import { exists, type Readable, run, transact, type Writable } from './sql.ts'

export type LargeContentWriter = ReturnType<typeof createLargeContentWriter>

/**
 * Bytes that wait for a transaction, packed: memory stays flat, and writes of other processes proceed in between. A file
 * that has changed in one place is one transaction.
 */
const MAX_WAITING = 1 << 20

/**
 * Until `finish`, the row's size is a random negative number, the mark of its writer. A writer that pauses for long
 * counts as dead: a sweep deletes its row, and SQLite may then give the same id to other content. Id and mark together
 * show whether the row is still this writer's. `previous`: content of the version before.
 */
export function createLargeContentWriter(store: Readable, previous: ContentId | null = null) {
  let id: ContentId | null = null
  let mark = 0
  let n = 0
  let size = 0
  const known = previous === null ? null : createKnownChunks(store, previous)
  const previousHash = known && previous !== null ? hashOf(store, previous) : null
  let digest = createContentDigest(previousHash)
  const splitter = createSplitter(known?.endOf)
  /** Bytes in chunks. */
  let split = 0
  let waiting: NewChunk[] = []
  let waitingBytes = 0

  const isOwn = (row: ContentId): boolean =>
    exists(store, 'SELECT 1 FROM content WHERE id = ? AND size = ? AND hash IS NULL', row, mark)
  const begin = (tx: Writable<Readable>): ContentId => {
    // 47 bits: an integer that SQLite and JavaScript both hold exactly.
    mark = -1 - Math.floor(Math.random() * 2 ** 47)
    return insertContent(tx, null, mark, CHUNKED_CONTENT)
  }
  const abandon = (): void => {
    const unfinished = id
    if (unfinished !== null)
      transact(store, (tx) => {
        if (!isOwn(unfinished)) return
        deleteChunksOf(tx, unfinished)
        deleteIncomplete(tx, unfinished)
      })
    id = null
    n = 0
    size = 0
    digest = createContentDigest(previousHash)
    splitter.restart()
    known?.restart()
    split = 0
    waiting = []
    waitingBytes = 0
  }
  const prepare = (parts: readonly Buffer[]): void => {
    for (const bytes of parts) {
      const hash = known?.hashAt(split)
      const chunk = hash ? { hash, packed: null } : prepareChunk(store, bytes)
      if (!hash) known?.remember(chunk.hash, bytes)
      digest.add(chunk.hash, bytes)
      split += bytes.length
      waiting.push(chunk)
      waitingBytes += chunk.packed?.bytes.length ?? 0
    }
    const last = waiting.at(-1)
    if (last) known?.resumeAfter(last.hash)
  }
  const write = (tx: Writable<Readable>): ContentId => {
    id ??= begin(tx)
    if (!isOwn(id)) throw writerExpired()
    for (const chunk of waiting) addChunk(tx, id, n++, chunk)
    waiting = []
    waitingBytes = 0
    return id
  }
  /** [ST-1] The written row becomes the content, or gives way to the row that already has this hash. */
  const nameOrMerge = (tx: Writable<Readable>, written: ContentId, hash: Buffer): ContentId => {
    const existing = findByHash(store, hash)
    if (!existing) {
      run(tx, 'UPDATE content SET hash = ?, size = ?, codec = ? WHERE id = ?', hash, size, CHUNKED, written)
      return written
    }
    if (existing.codec === EVICTED_CODEC || existing.damaged === 1) {
      refill(tx, existing.id, CHUNKED_CONTENT)
      moveChunks(tx, written, existing.id)
    } else deleteChunksOf(tx, written)
    deleteIncomplete(tx, written)
    return existing.id
  }

  return {
    /** Starts over, for a file that changed while it was read. */
    restart: abandon,
    abandon,
    /** The next bytes of the content. */
    add: (bytes: Uint8Array): void => {
      size += bytes.length
      prepare(splitter.push(bytes))
      if (waitingBytes >= MAX_WAITING) transact(store, write)
    },
    /** Names the content by its hash. Returns the id of an older row if the same bytes are stored already. */
    finish: (): { id: ContentId; hash: Buffer; size: number } => {
      prepare(splitter.end())
      const hash = digest.finish()
      const stored = transact(store, (tx) => nameOrMerge(tx, write(tx), hash))
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
