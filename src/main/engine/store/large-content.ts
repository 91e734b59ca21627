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
import { createKnownChunks, rememberChunks } from './known-chunks.ts'
import { createSplitter } from './split.ts'
import { exists, type Readable, run, transact, type Writable } from './sql.ts'

export type LargeContentWriter = ReturnType<typeof createLargeContentWriter>

/**
 * Bytes that wait for a transaction, packed: memory stays flat, and writes of other processes proceed in between. A file
 * that has changed in one place is one transaction.
 */
const MAX_WAITING = 1 << 20

/**
 * Until `store`, the row's size is a random negative number, the mark of its writer. A writer that pauses for long
 * counts as dead: a sweep deletes its row, and SQLite may then give the same id to other content. Id and mark together
 * show whether the row is still this writer's. `previous`: content of the version before.
 */
export function createLargeContentWriter(store: Readable, previous: ContentId | null = null) {
  let id: ContentId | null = null
  let mark = 0
  let n = 0
  let size = 0
  const previousHash = previous === null ? null : hashOf(store, previous)
  const known = previous === null || !previousHash ? null : createKnownChunks(store, previous, previousHash)
  const startDigest = () => createContentDigest(known && previousHash)
  let digest = startDigest()
  const splitter = createSplitter(known?.endOf, known?.memory)
  /** Bytes in chunks. */
  let split = 0
  let chunks: { readonly hash: Buffer; readonly size: number }[] = []
  let waiting: (NewChunk | ChunkRange)[] = []
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
    digest = startDigest()
    splitter.restart()
    known?.restart()
    split = 0
    chunks = []
    waiting = []
    waitingBytes = 0
  }
  const prepare = (parts: readonly Buffer[]): void => {
    for (const bytes of parts) {
      const found = known?.foundAt(split)
      const { hash } = found ?? prepareNew(bytes)
      if (found) extendRange(waiting, found.of)
      digest.add(hash, bytes)
      chunks.push({ hash, size: bytes.length })
      split += bytes.length
    }
    const last = chunks.at(-1)
    if (last) known?.resumeAfter(last.hash)
  }
  const prepareNew = (bytes: Buffer): NewChunk => {
    const chunk = prepareChunk(store, bytes)
    known?.remember(chunk.hash, bytes)
    waiting.push(chunk)
    waitingBytes += chunk.packed?.bytes.length ?? 0
    return chunk
  }
  const write = (tx: Writable<Readable>): ContentId => {
    id ??= begin(tx)
    if (!isOwn(id)) throw writerExpired()
    known?.requireStored(tx)
    for (const part of waiting) {
      if ('hash' in part) addChunk(tx, id, n++, part)
      else {
        addChunksOf(tx, id, n, part)
        n += part.count
      }
    }
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

  const end = (): { hash: Buffer; size: number } => {
    prepare(splitter.end())
    return { hash: digest.finish(), size }
  }
  const storeAs = (tx: Writable<Readable>, hash: Buffer): ContentId => {
    const existing = id === null ? findByHash(tx, hash) : null
    if (existing && existing.codec !== EVICTED_CODEC && existing.damaged === 0) return existing.id
    const stored = nameOrMerge(tx, write(tx), hash)
    id = null
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
    /** The next bytes of the content. */
    add: (bytes: Uint8Array): void => {
      size += bytes.length
      prepare(splitter.push(bytes))
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
