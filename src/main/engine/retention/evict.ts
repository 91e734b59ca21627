/**
 * Carries out a sweep plan in short transactions, so that captures are never blocked for long.
 *
 * The order makes every step safe to be the last one before a crash: first checkpoints that lose content are marked as
 * pruned, so none promises more than it has; then kept content is repacked away from evicted dictionaries; then
 * contents are evicted, each before the content it is packed against, so no stored content ever loses its dictionary.
 */
import { createRepacker } from '../store/content-packer.ts'
import { deleteContent, deleteEvictedChunks, evictChunked, evictRow, markPruned } from '../store/evictions.ts'
import { bumpRev, readRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact, type Writable } from '../store/sql.ts'
import { ALREADY_EVICTED, KNOWN, NEEDED, REFERENCED } from './contents.ts'
import { markWrittenSince } from './needed.ts'
import type { SweepOptions, SweepPlan } from './plan-sweep.ts'

/** Limits of one transaction: the longest that a capture waits for the write lock. */
const STEP_MS = 15
const MAX_ROWS = 200
const MAX_BYTES = 4_000_000
const MAX_CHUNKS = 16

/** Runs `body` in a transaction of its own. False: the sweep has to end and `body` did not run. */
type Step = (body: (tx: Writable<Store>) => void) => Promise<boolean>

interface Eviction {
  readonly store: Store
  readonly plan: SweepPlan
  readonly step: Step
  /** Packed bytes freed up to now. */
  freed: number
}

/** Returns the packed bytes that were freed, also when `options.stop` or a new position ended the sweep early. */
export async function evict(store: Store, plan: SweepPlan, options: SweepOptions): Promise<number> {
  const { flags, packed } = plan.contents
  const eviction: Eviction = { store, plan, step: createStep(store, plan, options), freed: 0 }
  // Chunks of contents that an earlier, interrupted sweep had evicted.
  const leftover = [...packed.keys()].filter(
    (id) => (flags[id] as number) & ALREADY_EVICTED && (packed[id] as number) > 0
  )
  const phases = [
    () => deleteChunks(eviction, leftover),
    () => markDamaged(eviction),
    () => repackKept(eviction),
    () => evictSelected(eviction)
  ]
  for (const phase of phases) if (!(await phase())) break
  return eviction.freed
}

/**
 * A step is valid only for the revision it was checked against: other processes may write between two steps. Each one
 * marks what was written since the plan before it removes anything, and starts again when a write came in between.
 */
function createStep(store: Store, plan: SweepPlan, options: SweepOptions): Step {
  let rev = plan.rev
  return async (body) => {
    for (;;) {
      if (options.stop()) return false
      const now = readRev(store)
      // A past position that has to be kept now was not kept by the plan: the next sweep plans again.
      if (now !== rev && hasNewPosition(plan, plan.positionsNow())) return false
      const done = transact(store, (tx) => {
        if (readRev(tx) !== now) return false
        markWrittenSince(tx, plan.contents)
        body(tx)
        rev = bumpRev(tx)
        return true
      })
      await options.pause()
      if (done) return true
    }
  }
}

function hasNewPosition({ contents, positions }: SweepPlan, now: readonly number[]): boolean {
  const planned = new Set(positions)
  return now.some((seq) => seq < contents.readUpTo.edit && !planned.has(seq))
}

async function markDamaged({ plan, step }: Eviction): Promise<boolean> {
  for (const batch of batches(plan.checkpoints)) {
    const ids = batch.map(({ id }) => id)
    if (!(await step((tx) => markPruned(tx, ids)))) return false
  }
  return true
}

/** Packs kept contents anew whose dictionary is evicted. As many as fit into STEP_MS share a transaction. */
async function repackKept(eviction: Eviction): Promise<boolean> {
  const { store, plan, step } = eviction
  const { base, packed, depth } = plan.contents
  const { repack: pending } = plan.selection
  const repack = createRepacker(store)
  for (let next = 0; next < pending.length; ) {
    const done = await step((tx) => {
      for (const start = performance.now(); next < pending.length && performance.now() - start < STEP_MS; next++) {
        const { id, base: newBase } = pending[next] as { id: number; base: number }
        const made = repack(tx, id, newBase === 0 ? null : newBase)
        if (!made) {
          keepWithBases(plan, id)
          continue
        }
        eviction.freed += (packed[id] as number) - made.packed
        packed[id] = made.packed
        depth[id] = made.depth
        base[id] = made.base ?? 0
      }
    })
    if (!done) return false
  }
  return true
}

async function evictSelected(eviction: Eviction): Promise<boolean> {
  const { plan, step } = eviction
  const { flags, base, packed } = plan.contents
  for (const batch of batches(plan.selection.evicted, (id) => packed[id] as number)) {
    const chunked: number[] = []
    const done = await step((tx) => {
      for (const id of batch) {
        if ((flags[id] as number) & NEEDED) {
          keepWithBases(plan, id)
          continue
        }
        if (evictChunked(tx, id)) chunked.push(id)
        else evictRow(tx, id)
        // No version refers to it: its writer died before it recorded one.
        if (((flags[id] as number) & REFERENCED) === 0) deleteContent(tx, id)
        eviction.freed += packed[id] as number
        flags[id] = KNOWN | ALREADY_EVICTED
        base[id] = 0
      }
    })
    if (!done || !(await deleteChunks(eviction, chunked))) return false
  }
  return true
}

/** Kept content needs the whole chain of contents that it is packed against. */
function keepWithBases({ contents: { flags, base } }: SweepPlan, id: number): void {
  for (let at = id; at !== 0 && at < flags.length; at = base[at] as number) flags[at]! |= NEEDED
}

/**
 * Deletes the chunks of evicted contents, a few per transaction; content that was stored again meanwhile keeps its
 * chunks.
 */
async function deleteChunks({ step }: Eviction, contents: readonly number[]): Promise<boolean> {
  for (const id of contents) {
    for (let hasMore = true; hasMore; ) {
      const done = await step((tx) => {
        hasMore = deleteEvictedChunks(tx, id, MAX_CHUNKS)
      })
      if (!done) return false
    }
  }
  return true
}

/** Lists of at most MAX_ROWS items. A list ends with the item that brings it to MAX_BYTES. */
function* batches<T>(items: readonly T[], bytesOf: (item: T) => number = () => 0): Generator<T[]> {
  let batch: T[] = []
  let bytes = 0
  for (const item of items) {
    batch.push(item)
    bytes += bytesOf(item)
    if (batch.length >= MAX_ROWS || bytes >= MAX_BYTES) {
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}
