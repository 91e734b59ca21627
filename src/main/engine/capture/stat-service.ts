/**
 * Stats of many files at once. Another thread takes most of them while the engine's thread reads rows and opens watches, as git does
 * with its index: the main thread of a recorder, which runs and mostly waits, or one that is started for the scan.
 *
 * Invariant: a list of files is given to a service after the watches of their folders were opened, so that a change which the stat
 * does not show has an event (cached-rows.ts).
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { isLocalDisk } from '../files/local-disk.ts'
import type { BareStat } from '../files/signature.ts'
import { createStatBatch, finishBatch, type StatBatch, takeStats } from '../files/stat-batch.ts'
import { log } from '../ports/log.ts'
import { statCheck } from './stat-compare.ts'

/**
 * The stats of absolute paths, which may be taken from now on. The returned function waits for them; its answer is as that of
 * `statCheck`, and holds until it is asked for the next one.
 */
type TakeStats = (paths: readonly string[]) => () => (n: number) => BareStat | null

export interface StatSource {
  readonly take: TakeStats
  /** How many lists of paths should be given to it before the stats of the first are asked for. */
  readonly ahead: number
}

/** Without another thread: each stat is taken when it is asked for. */
export const OWN_THREAD: StatSource = {
  take: (paths) => () => (n) => statCheck(paths[n] as string),
  ahead: 0
}

type StatService = StatSource & Disposable

/** The threads that may take stats for an engine. */
export interface StatThreads {
  /** Gives a batch to the main thread of a recorder; absent where no thread runs beside the engine's. */
  readonly shareStats?: ((batch: StatBatch) => void) | undefined
  /** The program of a thread that can be started: main/file-helper.ts. */
  readonly fileHelper?: string | undefined
}

/** From how many recorded paths on a thread that runs takes stats, and one is started for that: below, it takes longer than it saves. */
const [PATHS_TO_SHARE, PATHS_FOR_A_THREAD] = [2000, 50_000]

interface ScanSize {
  readonly root: string
  /** How many paths are recorded. */
  readonly paths: number
  /** Of this computer. */
  readonly processors?: number
}

/**
 * The service for a scan; null where its own thread takes all stats: in a small folder, and with one processor, because two threads
 * would only take turns.
 */
export function openStatService(
  { shareStats, fileHelper }: StatThreads,
  { root, paths, processors = availableParallelism() }: ScanSize
): StatService | null {
  if (processors < 2) return null
  // A disk of the network may hold a thread up for long: the main thread has to answer.
  if (shareStats && paths >= PATHS_TO_SHARE && isLocalDisk(root))
    return { ...servedBy(shareStats), [Symbol.dispose]: () => {} }
  return fileHelper !== undefined && paths >= PATHS_FOR_A_THREAD ? startStatThread(fileHelper) : null
}

/** Nothing waits for the thread to start, or is lost when it fails. */
export function startStatThread(program: string): StatService {
  const worker = new Worker(program, { name: 'stats', resourceLimits: { maxYoungGenerationSizeMb: 4 } })
  worker.unref()
  let works = true
  worker.on('error', (error) => {
    works = false
    log.warn(`stats are taken without a second thread: ${error.message}`)
  })
  const service = servedBy((batch) => worker.postMessage(batch))
  return {
    ...service,
    take: (paths) => (works ? service : OWN_THREAD).take(paths),
    [Symbol.dispose]: () => void worker.terminate()
  }
}

/** A stat takes some microseconds, and on a disk of the network milliseconds. */
const PATIENCE_MS = 2000

/** `send`: gives a batch to another thread, which may come to it late, or never. */
function servedBy(send: (batch: StatBatch) => void): StatSource {
  return {
    take: (paths) => {
      const batch = createStatBatch(paths)
      send(batch)
      return () => {
        takeStats(batch, { paths })
        return finishBatch(batch, paths, PATIENCE_MS)
      }
    },
    ahead: 4
  }
}
