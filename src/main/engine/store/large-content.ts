/**
 * Writes large content in chunks while it is read, so that memory stays flat, and stores only the chunks that no other
 * content has. Nothing refers to the row before `store` gives it its hash; an unfinished row is deleted by `abandon`,
 * or by a sweep if its writer died.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import {
  addChunk,
  addChunksOf,
  type ChunkRange,
  deleteChunksOf,
  moveChunks,
  type NewChunk,
  prepareChunk
} from './chunks.ts'
import { CHUNKED, EVICTED_CODEC } from './codec.ts'
import { createContentDigest } from './content-digest.ts'
import { CHUNKED_CONTENT, type ContentId, findByHash, hashOf, insertContent, refill } from './content-rows.ts'
import { deleteIncomplete } from './evictions.ts'
import { createKnownChunks, type FindHelper, rememberChunks } from './known-chunks.ts'
import { createSplitter } from './split.ts'
import { exists, type Readable, run, transact, type Writable } from './sql.ts'

export type LargeContentWriter = ReturnType<typeof createLargeContentWriter>

/**
 * Bytes that wait for a transaction, packed: memory stays flat, and writes of other processes proceed in between. A file
 * that has changed in one place is one transaction.
 */
const MAX_WAITING = 1 << 20

/** `previous`: content of the version before. */
export function createLargeContentWriter(store: Readable, previous: ContentId | null = null) {
  const row = createUnfinishedRow(store)
  const previousHash = previous === null ? null : hashOf(store, previous)
  const known = previous === null || !previousHash ? null : createKnownChunks(store, previous, previousHash)
  const startDigest = () => createContentDigest(known && previousHash)
  let digest = startDigest()
  const splitter = createSplitter(known?.endOf, known?.memory)
  /** Bytes that were added, and those of them that are in chunks. */
  let size = 0
  let split = 0
  let chunks: { readonly hash: Buffer; readonly size: number }[] = []
  let waiting: (NewChunk | ChunkRange)[] = []
  let waitingBytes = 0

  const abandon = (): void => {
    row.discard()
    digest = startDigest()
    splitter.restart()
    known?.restart()
    size = 0
    split = 0
    chunks = []
    waiting = []
    waitingBytes = 0
  }
  const prepare = (parts: readonly Buffer[]): void => {
    const hashes = parts.map((bytes) => {
      const found = known?.foundAt(split)
      const { hash } = found ?? prepareNew(bytes)
      if (found) extendRange(waiting, found.of)
      chunks.push({ hash, size: bytes.length })
      split += bytes.length
      return hash
    })
    digest.add(hashes, parts)
    const last = hashes.at(-1)
    if (last) known?.resumeAfter(last)
  }
  const prepareNew = (bytes: Buffer): NewChunk => {
    const chunk = prepareChunk(store, bytes)
    known?.remember(chunk.hash, bytes)
    waiting.push(chunk)
    waitingBytes += chunk.packed?.bytes.length ?? 0
    return chunk
  }
  const write = (tx: Writable<Readable>): void => {
    known?.requireStored(tx)
    row.add(tx, waiting)
    waiting = []
    waitingBytes = 0
  }
  const end = (): { hash: Buffer; size: number } => {
    prepare(splitter.end())
    return { hash: digest.finish(), size }
  }
  const storeAs = (tx: Writable<Readable>, hash: Buffer): ContentId => {
    const existing = row.isBegun() ? null : findByHash(tx, hash)
    if (existing && existing.codec !== EVICTED_CODEC && existing.damaged === 0) return existing.id
    write(tx)
    const stored = row.complete(tx, hash, size)
    if (known) rememberChunks(tx, stored, hash, chunks)
    return stored
  }

  return {
    /** Starts over, for a file that changed while it was read. */
    restart: abandon,
    /** Does nothing once the content is stored. */
    abandon,
    /**
     * Where the next bytes can be read to, so that `add` need not copy them. It is the same memory for all writers: from the
     * first call until `end`, no other may ask for it.
     */
    space: splitter.space,
    /** As of `KnownChunks`, for the file that is then added. */
    readAhead: (fd: number, size: number, findHelper: FindHelper) => known?.readAhead(fd, size, findHelper) ?? null,
    /** The next bytes of the content. `hasRoom`: as of `Splitter`. */
    add: (bytes: Uint8Array, hasRoom = false): void => {
      size += bytes.length
      prepare(splitter.push(bytes, hasRoom))
      if (waitingBytes >= MAX_WAITING) transact(store, write)
    },
    /** The content is complete. */
    end,
    /** After `end`: names the content by its hash. Returns the id of an older row if the same bytes are stored already. */
    store: storeAs,
    /** Both at once, in a transaction of its own. */
    finish: (): { id: ContentId; hash: Buffer; size: number } => {
      const ended = end()
      return { id: transact(store, (tx) => storeAs(tx, ended.hash)), ...ended }
    }
  }
}

/**
 * The row of a content whose hash is not known yet. Its size is a random negative number, the mark of its writer. A writer
 * that pauses for long counts as dead: a sweep deletes its row, and SQLite may then give the same id to other content. Id
 * and mark together show whether the row is still this writer's.
 */
function createUnfinishedRow(store: Readable) {
  let id: ContentId | null = null
  let mark = 0
  /** Number of its chunks. */
  let n = 0

  const isOwn = (row: ContentId): boolean =>
    exists(store, 'SELECT 1 FROM content WHERE id = ? AND size = ? AND hash IS NULL', row, mark)
  const begin = (tx: Writable<Readable>): ContentId => {
    // 47 bits: an integer that SQLite and JavaScript both hold exactly.
    mark = -1 - Math.floor(Math.random() * 2 ** 47)
    return insertContent(tx, null, mark, CHUNKED_CONTENT)
  }

  return {
    isBegun: (): boolean => id !== null,
    /** Adds chunks; the first call inserts the row. Throws Refused if a sweep deleted it. */
    add: (tx: Writable<Readable>, parts: readonly (NewChunk | ChunkRange)[]): void => {
      id ??= begin(tx)
      if (!isOwn(id)) throw writerExpired()
      for (const part of parts) {
        if ('hash' in part) addChunk(tx, id, n++, part)
        else {
          addChunksOf(tx, id, n, part)
          n += part.count
        }
      }
    },
    /** After `add`: the row becomes the content, or gives way to the row that has this hash. Returns the id of either. */
    complete: (tx: Writable<Readable>, hash: Buffer, size: number): ContentId => {
      const stored = nameOrMerge(tx, id as ContentId, hash, size)
      id = null
      return stored
    },
    /** Deletes the row, unless it is complete or a sweep deleted it. */
    discard: (): void => {
      const unfinished = id
      if (unfinished !== null)
        transact(store, (tx) => {
          if (!isOwn(unfinished)) return
          deleteChunksOf(tx, unfinished)
          deleteIncomplete(tx, unfinished)
        })
      id = null
      n = 0
    }
  }
}

/** [ST-1] A content has one row, whoever wrote it first. */
function nameOrMerge(tx: Writable<Readable>, written: ContentId, hash: Buffer, size: number): ContentId {
  const existing = findByHash(tx, hash)
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

/** Adds a chunk of the version before to those that wait, in one piece with the ones before it. */
function extendRange(waiting: (NewChunk | ChunkRange)[], added: ChunkRange): void {
  const last = waiting.at(-1)
  if (last && !('hash' in last) && last.first + last.count === added.first)
    waiting[waiting.length - 1] = { ...last, count: last.count + added.count }
  else waiting.push(added)
}

function writerExpired(): DriftlineError {
  return new DriftlineError(
    'Refused',
    'Recording a large file paused for too long and was given up. Nothing is lost; the next scan records the file.'
  )
}
