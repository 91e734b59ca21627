/**
 * The stats of a list of paths, in memory that threads share. Each thread claims the next block of paths until none is left:
 * none waits for another one to begin, and one that never comes is not missed.
 */
import type { Stats } from 'node:fs'
import { exactLstat } from './exact-stat.ts'
import type { BareStat } from './signature.ts'

/** Sent to another thread as it is. */
export interface StatBatch {
  /** Absolute, joined with NUL: one text is copied to another thread in a fraction of the time of a list. */
  readonly paths: string
  readonly count: number
  readonly memory: SharedArrayBuffer
}

const PATHS_PER_BLOCK = 32
/** Numbers of a stat, in the order of `BareStat`. `mode` is NONE where no stat could be taken. */
const FIELDS = 5
const NONE = -1
/** The first numbers of the memory: the next block to claim, the blocks that are done, and 1 for each of them. */
const [NEXT, DONE, IS_DONE] = [0, 1, 2]

export function createStatBatch(paths: readonly string[]): StatBatch {
  const { length } = paths
  return {
    paths: paths.join('\0'),
    count: length,
    memory: new SharedArrayBuffer(startOf(length) + length * FIELDS * 8)
  }
}

interface TakeOptions {
  /** Those of the batch, where they are known as a list. */
  readonly paths?: readonly string[]
  /** Asked before each block: true = take no more now. */
  readonly isOver?: () => boolean
}

/**
 * Takes stats until every block is claimed, and returns true; false if it was over before. Errors count as no stat: the caller looks
 * at the path again.
 */
export function takeStats(batch: StatBatch, { isOver, ...known }: TakeOptions = {}): boolean {
  const { claims, stats } = viewsOf(batch)
  const blocks = blocksOf(batch.count)
  let { paths } = known
  while (!isOver?.()) {
    const block = Atomics.add(claims, NEXT, 1)
    if (block >= blocks) return true
    paths ??= batch.paths.split('\0')
    takeBlock(claims, stats, paths, block)
  }
  return false
}

/**
 * Waits up to `ms` for the blocks that other threads have claimed, then takes the others itself. After `takeStats` in this thread.
 * Returns what reads the stat of the n-th path: null where none could be taken, else an object that the next call fills again.
 */
export function finishBatch(batch: StatBatch, paths: readonly string[], ms: number): (n: number) => BareStat | null {
  const { claims, stats } = viewsOf(batch)
  const blocks = blocksOf(batch.count)
  for (let done = Atomics.load(claims, DONE); done < blocks; done = Atomics.load(claims, DONE))
    if (Atomics.wait(claims, DONE, done, ms) === 'timed-out') {
      for (let block = 0; block < blocks; block++)
        if (Atomics.load(claims, IS_DONE + block) === 0) takeBlock(claims, stats, paths, block)
      break
    }
  const read = { ino: 0, mode: 0, size: 0, mtimeMs: 0, ctimeMs: 0 }
  return (n) => {
    const at = n * FIELDS
    read.mode = stats[at + 1] as number
    if (read.mode === NONE) return null
    read.ino = stats[at] as number
    read.size = stats[at + 2] as number
    read.mtimeMs = stats[at + 3] as number
    read.ctimeMs = stats[at + 4] as number
    return read
  }
}

function takeBlock(claims: Int32Array, stats: Float64Array, paths: readonly string[], block: number): void {
  const from = block * PATHS_PER_BLOCK
  const to = Math.min(from + PATHS_PER_BLOCK, paths.length)
  for (let n = from; n < to; n++) {
    const at = n * FIELDS
    const stat = statOrNull(paths[n] as string)
    stats[at + 1] = stat ? stat.mode : NONE
    if (!stat) continue
    stats[at] = stat.ino
    stats[at + 2] = stat.size
    stats[at + 3] = stat.mtimeMs
    stats[at + 4] = stat.ctimeMs
  }
  // Makes what was written before it visible to the thread that reads it.
  Atomics.store(claims, IS_DONE + block, 1)
  Atomics.add(claims, DONE, 1)
  Atomics.notify(claims, DONE)
}

function statOrNull(path: string): Stats | null {
  try {
    return exactLstat(path) ?? null
  } catch {
    return null
  }
}

function viewsOf({ memory, count }: StatBatch) {
  return {
    claims: new Int32Array(memory, 0, IS_DONE + blocksOf(count)),
    stats: new Float64Array(memory, startOf(count), count * FIELDS)
  }
}

function blocksOf(count: number): number {
  return Math.ceil(count / PATHS_PER_BLOCK)
}

/** Where the stats begin, bytes: numbers of eight bytes begin at a multiple of eight. */
function startOf(count: number): number {
  return Math.ceil((IS_DONE + blocksOf(count)) / 2) * 8
}
