/** The first copy's process: opens the store itself, runs worker threads, tells its parent how far it is. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { toErrorShape } from '../contract/errors.ts'
import type { IngestMessage, IngestOrder } from './engine/capture/baseline.ts'
import type { CopiedBatch, CopyJob } from './engine/capture/copy-batch.ts'
import type { CopyPool } from './engine/capture/copy-options.ts'
import { firstCopy } from './engine/capture/first-copy.ts'
import { openStore } from './engine/store/open-store.ts'
import { createIgnoreRules } from './engine/workspaces/ignore-rules.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** One more worker than there are cores (at most 6): while one waits for the disk another packs. */
function createPool(root: string): CopyPool & { close(): Promise<void> } {
  const size = Math.min(6, availableParallelism() + 1)
  const free: Worker[] = []
  const queue: { jobs: readonly CopyJob[]; resolve: (batch: CopiedBatch) => void; reject: (error: Error) => void }[] =
    []
  const next = (): void => {
    while (free.length > 0 && queue.length > 0) {
      const worker = free.pop() as Worker
      const { jobs, resolve, reject } = queue.shift() as (typeof queue)[number]
      const settle = (use: () => void): void => {
        worker.off('message', onMessage)
        worker.off('error', onError)
        use()
      }
      const onMessage = (batch: CopiedBatch): void =>
        settle(() => {
          free.push(worker)
          resolve(batch)
          next()
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
  free.push(...workers)
  return {
    size,
    run: (jobs) =>
      new Promise((resolve, reject) => {
        queue.push({ jobs, resolve, reject })
        next()
      }),
    close: async () => {
      await Promise.all(workers.map((worker) => worker.terminate()))
    }
  }
}

function tell(message: IngestMessage): void {
  // Gone at this very moment: 'disconnect' comes too late.
  process.send?.(message, (error: Error | null) => error && orphaned())
}

// Without a parent there is nobody to protect for: the next start goes on where this ended.
function orphaned(): never {
  process.exit(1)
}
process.on('disconnect', orphaned)

const order = JSON.parse(process.argv[2] as string) as IngestOrder
try {
  const store = openStore(order.storeFile)
  const pool = createPool(order.root)
  await firstCopy({
    root: order.root,
    store,
    rules: createIgnoreRules(order.root, order.choices),
    boundaries: new Set(order.boundaries),
    pool,
    now: Date.now,
    onProgress: (progress) => tell({ type: 'progress', ...progress })
  })
  await pool.close()
  store.close()
  process.exitCode = 0
} catch (error) {
  tell({ type: 'failed', error: toErrorShape(error) })
  process.exitCode = 1
}
process.off('disconnect', orphaned)
process.disconnect?.()
