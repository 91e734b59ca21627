/**
 * What a store takes on disk, in bytes. All contents are measured now and then; between two measurements only what was
 * added since is counted, so that every status can afford to ask.
 */
import { statSync } from 'node:fs'
import type { StorageUse } from '../../../contract/storage.ts'
import { storedConversationBytes } from '../store/message-text.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { greatestId, headGrowthAfter, sizeOfContentsAfter } from '../store/retention-queries.ts'
import { transact, withoutDeferred } from '../store/sql.ts'
import { ALREADY_EVICTED, addChunkBytes, type Contents, HEAD, KNOWN, type Pause, readContents } from './contents.ts'

/** JSON in the store's meta table, under `usage`. */
interface Measurement {
  /** Contents up to this id are included, and chunks up to that one. */
  readonly to: number
  readonly chunk: number
  /** Seq of the newest edit that is included. */
  readonly edit: number
  readonly unique: number
  readonly packed: number
  readonly head: number
}

const NOT_MEASURED: Measurement = { to: 0, chunk: 0, edit: 0, unique: 0, packed: 0, head: 0 }

/** The last measurement plus what was added since. Packed paths have no contents of their own. */
export function usageOf(store: Store): Omit<StorageUse, 'budget'> {
  return withoutDeferred(store, () => sumOf(store))
}

function sumOf(store: Store): Omit<StorageUse, 'budget'> {
  const measured = lastMeasurement(store)
  const added = sizeOfContentsAfter(store, { content: measured.to, chunk: measured.chunk })
  const packed = measured.packed + added.packed
  // Before the first measurement all content belongs to the initial snapshot.
  const head =
    measured.to === 0 ? packed : Math.min(packed, Math.max(0, measured.head + headGrowthSince(store, measured.edit)))
  const conversationBytes = storedConversationBytes(store)
  return {
    bytes: fileBytes(store),
    uniqueBytes: measured.unique + added.size,
    headBytes: head,
    historyBytes: packed - head + conversationBytes,
    conversationBytes
  }
}

/** The growth of heads is not worked out for more edits than this; it waits for the next measurement. */
const MAX_EDITS = 1000

function headGrowthSince(store: Store, seq: number): number {
  return store.records.lastSeq() - seq > MAX_EDITS ? 0 : headGrowthAfter(store, seq)
}

/** Number of contents added since the last measurement. */
export function countUnmeasured(store: Store): number {
  return greatestId(store, 'content') - lastMeasurement(store).to
}

/** Size of the history's files on disk. */
function fileBytes(store: Store): number {
  return ['', '-wal'].reduce(
    (sum, suffix) => sum + (statSync(store.file + suffix, { throwIfNoEntry: false })?.size ?? 0),
    0
  )
}

/** Reads all contents, in steps, and saves what they take. */
export async function measure(store: Store, pause: Pause): Promise<void> {
  const contents = await readContents(store, null, pause)
  await addChunkBytes(store, contents, pause)
  saveUsage(store, contents)
}

export function saveUsage(store: Store, { flags, size, packed, readUpTo }: Contents): void {
  const sums = { unique: 0, packed: 0, head: 0 }
  for (let id = 1; id < flags.length; id++) {
    const bits = flags[id] as number
    if ((bits & (KNOWN | ALREADY_EVICTED)) !== KNOWN) continue
    sums.unique += size[id] as number
    sums.packed += packed[id] as number
    if ((bits & HEAD) !== 0) sums.head += packed[id] as number
  }
  const measured: Measurement = { to: readUpTo.content, chunk: readUpTo.chunk, edit: readUpTo.edit, ...sums }
  transact(store, (tx) => writeMeta(tx, 'usage', JSON.stringify(measured)))
}

function lastMeasurement(store: Store): Measurement {
  const text = readMeta(store, 'usage')
  return text === null ? NOT_MEASURED : (JSON.parse(text) as Measurement)
}
