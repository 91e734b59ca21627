/**
 * The process that takes an initial snapshot. It opens the store itself, runs worker threads and reports its progress to its
 * parent. A process of its own, because its memory is returned to the system when it exits.
 */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { toErrorShape } from '../contract/errors.ts'
import { createIgnoreRules } from './engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from './engine/capture/initial-snapshot.ts'
import type { SnapshotBatch, SnapshotJob } from './engine/capture/snapshot-batch.ts'
import type { SnapshotPool } from './engine/capture/snapshot-options.ts'
import type { SnapshotMessage, SnapshotRequest } from './engine/capture/snapshot-process.ts'
import { openStore } from './engine/store/open-store.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** One worker more than cores, at most 6: while one waits for the disk, another one compresses. */
function createPool(root: string): SnapshotPool & { close(): Promise<void> } {
  const size = Math.min(6, availableParallelism() + 1)
  const idle: Worker[] = []
  const queue: {
    jobs: readonly SnapshotJob[]
    resolve: (batch: SnapshotBatch) => void
    reject: (error: Error) => void
  }[] = []
  const dispatch = (): void => {
    while (idle.length > 0 && queue.length > 0) {
      const worker = idle.pop() as Worker
      const { jobs, resolve, reject } = queue.shift() as (typeof queue)[number]
      const settle = (finish: () => void): void => {
        worker.off('message', onMessage)
        worker.off('error', onError)
        finish()
      }
      const onMessage = (batch: SnapshotBatch): void =>
        settle(() => {
          idle.push(worker)
          resolve(batch)
          dispatch()
        })
      const onError = (error: Error): void => settle(() => reject(error))
      worker.on('message', onMessage)
      worker.on('error', onError)
      worker.postMessage(jobs)
    }
  }
  const workers = Array.from(
    { length: size },
    () =>
      new Worker(new URL(`./ingest-worker.${extension}`, import.meta.url), {
        workerData: { root },
        resourceLimits: { maxYoungGenerationSizeMb: 16 }
      })
  )
  idle.push(...workers)
  return {
    size,
    run: (jobs) =>
      new Promise((resolve, reject) => {
        queue.push({ jobs, resolve, reject })
        dispatch()
      }),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()))
    }
  }
}

function report(message: SnapshotMessage): void {
  // The parent may have exited just now, before 'disconnect' arrives here.
  process.send?.(message, (error: Error | null) => error && exitOrphaned())
}

// Without its host the process stops. The next start continues from the stored progress.
function exitOrphaned(): never {
  process.exit(1)
}
process.on('disconnect', exitOrphaned)

const order = JSON.parse(process.argv[2] as string) as SnapshotRequest
try {
  const store = openStore(order.storeFile)
  const pool = createPool(order.root)
  await takeInitialSnapshot({
    root: order.root,
    store,
    rules: createIgnoreRules(order.root, order.settings),
    boundaries: new Set(order.boundaries),
    pool,
    now: Date.now,
    onProgress: (progress) => report({ type: 'progress', ...progress })
  })
  await pool.close()
  store.close()
  process.exitCode = 0
} catch (error) {
  report({ type: 'failed', error: toErrorShape(error) })
  process.exitCode = 1
}
process.off('disconnect', exitOrphaned)
process.disconnect?.()
