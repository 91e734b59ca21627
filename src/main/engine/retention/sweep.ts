/**
 * [ST-2] A sweep evicts content that no kept position needs. It plans without a transaction, then evicts in short ones
 * that check what was written since. It never takes the workspace's lock, so recording continues while it runs.
 */
import type { PrunedContent, SweepNote, SweepResult } from '../../../contract/storage.ts'
import { beginTask, isAlive, type ProcessId } from '../ports/processes.ts'
import { deleteChunksOf } from '../store/chunks.ts'
import { coverageState } from '../store/coverage.ts'
import { deleteIncomplete, unmarkIncomplete } from '../store/evictions.ts'
import { databaseBytes } from '../store/maintenance.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { pathName } from '../store/paths.ts'
import { incompleteContents } from '../store/retention-queries.ts'
import { transact } from '../store/sql.ts'
import { evict } from './evict.ts'
import { planSweep, type SweepOptions, type SweepPlan } from './plan-sweep.ts'
import { saveUsage } from './usage.ts'
import { requestErase, vacuum } from './vacuum.ts'

const MAX_LISTED_PATHS = 200
const MAX_LISTED_CHECKPOINTS = 500

/** Evicts, or with `dryRun` only reports. `note` says why nothing was done, or why history is still over its budget. */
export async function sweep(store: Store, options: SweepOptions): Promise<SweepResult> {
  if (coverageState(store) === 'copying') return nothingDone(options, { code: 'copying' })
  if (options.dryRun) return previewSweep(store, options)
  return (await withSweepLock(store, () => runSweep(store, options))) ?? nothingDone(options, { code: 'running' })
}

async function previewSweep(store: Store, options: SweepOptions): Promise<SweepResult> {
  const plan = await planSweep(store, options)
  const abandoned = streamsToDelete(store, options)
  const freedBytes = plan.selection.freed + abandoned.reduce((sum, { size }) => sum + size, 0)
  return { ...report(store, plan, options, abandoned.length), freedBytes }
}

async function runSweep(store: Store, options: SweepOptions): Promise<SweepResult> {
  const bytesBefore = databaseBytes(store)
  const plan = await planSweep(store, options)
  const abandoned = streamsToDelete(store, options)
  for (const { id } of abandoned) deleteStream(store, id)
  // Before the first content is evicted: after a crash in between, the next vacuum still erases.
  if (options.neverKeep) transact(store, requestErase)
  const evictedBytes = await evict(store, plan, options)
  saveUsage(store, plan.contents)
  const postponed = await vacuum(store, options.pause)
  const result = report(store, plan, options, abandoned.length)
  return postponed === null
    ? { ...result, freedBytes: Math.max(0, bytesBefore - databaseBytes(store)) }
    : { ...result, freedBytes: evictedBytes, note: result.note ?? postponed }
}

/** A sweep of the exclude list deletes nothing else. */
function streamsToDelete(store: Store, { neverKeep, now, dryRun }: SweepOptions): { id: number; size: number }[] {
  return neverKeep ? [] : abandonedStreams(store, now, dryRun)
}

function nothingDone({ budget }: SweepOptions, note: SweepNote): SweepResult {
  return { freedBytes: 0, pruned: [], versions: 0, checkpoints: [], historyBytes: 0, budget, note }
}

/** The result without `freedBytes`. */
function report(store: Store, plan: SweepPlan, options: SweepOptions, abandoned: number): SweepResult {
  const { selection, checkpoints, contents, paths } = plan
  const largest = [...paths].sort((a, b) => b[1].bytes - a[1].bytes)
  const unreferenced = options.neverKeep ? 0 : selection.evicted.filter((id) => contents.last[id] === 0).length
  const others = [
    { code: 'more-files', count: largest.length - MAX_LISTED_PATHS },
    { code: 'unreferenced', count: unreferenced },
    { code: 'incomplete', count: abandoned }
  ] as const
  const pruned: PrunedContent[] = [
    ...largest.slice(0, MAX_LISTED_PATHS).map(([path, { versions }]) => ({
      code: options.neverKeep ? ('excluded' as const) : ('older' as const),
      path: pathName(store, path) ?? '',
      versions
    })),
    ...others.filter(({ count }) => count > 0)
  ]
  const over = options.neverKeep ? 0 : selection.remaining - options.budget
  return {
    freedBytes: 0,
    pruned,
    versions: selection.evicted.length,
    checkpoints: checkpoints.slice(0, MAX_LISTED_CHECKPOINTS),
    historyBytes: selection.remaining,
    budget: options.budget,
    note: over > 0 ? { code: 'over-budget', bytes: over, days: options.days } : null
  }
}

const LOCK = 'sweeper'
const UNLOCKED = ''

/**
 * At most one sweep per store at a time, in any process: null when another one is under way. The lock of a process that
 * died is taken over.
 */
async function withSweepLock<T>(store: Store, body: () => Promise<T>): Promise<T | null> {
  using task = beginTask()
  const isLocked = transact(store, (tx) => {
    const holder = readMeta(tx, LOCK) ?? UNLOCKED
    if (holder !== UNLOCKED && isAlive(JSON.parse(holder) as ProcessId)) return false
    writeMeta(tx, LOCK, JSON.stringify(task.owner))
    return true
  })
  if (!isLocked) return null
  try {
    return await body()
  } finally {
    transact(store, (tx) => writeMeta(tx, LOCK, UNLOCKED))
  }
}

/** Chunks deleted in one transaction: a chunk is up to 256 KiB, or 1 MiB in older histories. */
const CHUNKS_PER_STEP = 16

/** A stream that has not grown for this long has no writer any more, ms. */
const ABANDONED_AFTER_MS = 10 * 60_000

interface Observed {
  readonly id: number
  /** Number of its chunks. */
  readonly chunks: number
  /** When it had that many for the first time. */
  readonly at: number
}

/**
 * [ST-2] Content whose writer died before it was complete. Such content has no hash and no version refers to it; it
 * counts as abandoned when it has not grown between two sweeps that are far enough apart. Compares all incomplete
 * contents with the last sweep's observation, and saves the new one unless `dryRun`.
 */
function abandonedStreams(store: Store, now: number, dryRun: boolean): { id: number; size: number }[] {
  const saved = readMeta(store, 'streams') ?? '[]'
  const previous = JSON.parse(saved) as Observed[]
  const observed = incompleteContents(store).map((stream) => ({
    ...stream,
    at: previous.find(({ id, chunks }) => id === stream.id && chunks === stream.chunks)?.at ?? now
  }))
  const next = JSON.stringify(observed.map(({ id, chunks, at }): Observed => ({ id, chunks, at })))
  if (!dryRun && next !== saved) transact(store, (tx) => writeMeta(tx, 'streams', next))
  return observed.filter(({ at }) => now - at >= ABANDONED_AFTER_MS)
}

/**
 * Deletes incomplete content. Its size is set to 0 first: a writer that is alive after all finds its mark missing and
 * gives up, instead of completing a content with missing chunks.
 */
function deleteStream(store: Store, id: number): void {
  if (!transact(store, (tx) => unmarkIncomplete(tx, id))) return
  while (transact(store, (tx) => deleteChunksOf(tx, id, CHUNKS_PER_STEP)));
  transact(store, (tx) => deleteIncomplete(tx, id))
}
