/**
 * Stats of many files at once, with a second thread where one is used: it takes most of them while the engine's thread reads
 * rows and opens watches, as git does with its index. Of 50,000 files it takes two fifths off the engine's thread.
 */
import { Worker } from 'node:worker_threads'
import type { BareStat } from '../files/signature.ts'
import { log } from '../ports/log.ts'
import { createStatBatch, finishBatch, takeStats } from './stat-batch.ts'
import { statCheck } from './stat-compare.ts'

/**
 * The stats of absolute paths, which may be taken from now on. The returned function waits for them; its answer is as that of
 * `statCheck`.
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

export type StatThread = StatSource & Disposable

/** A stat takes some microseconds, and on a disk of the network milliseconds. */
const PATIENCE_MS = 2000

/** `program`: main/stat-worker.ts. Nothing waits for the thread to start, or is lost when it fails. */
export function startStatThread(program: string): StatThread {
  const worker = new Worker(program, { name: 'stats', resourceLimits: { maxYoungGenerationSizeMb: 4 } })
  worker.unref()
  let works = true
  worker.on('error', (error) => {
    works = false
    log.warn(`stats are taken without a second thread: ${error.message}`)
  })
  return {
    take: (paths) => {
      if (!works) return OWN_THREAD.take(paths)
      const batch = createStatBatch(paths)
      worker.postMessage(batch)
      return () => {
        takeStats(batch, paths)
        return finishBatch(batch, paths, PATIENCE_MS)
      }
    },
    ahead: 4,
    [Symbol.dispose]: () => void worker.terminate()
  }
}
