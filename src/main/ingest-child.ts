/**
 * The process that takes an initial snapshot. It opens the store itself, runs worker threads and reports its progress
 * to its parent. A process of its own, because its memory is returned to the system when it exits.
 */
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { toErrorShape } from '../contract/errors.ts'
import { createIgnoreRules } from './engine/capture/ignore-rules.ts'
import { takeInitialSnapshot } from './engine/capture/initial-snapshot.ts'
import type { SnapshotBatch, SnapshotJob } from './engine/capture/snapshot-batch.ts'
import { openStore } from './engine/store/open-store.ts'
import { receiveNames, type SnapshotMessage, type SnapshotRequest } from './engine/workspaces/snapshot-messages.ts'

const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'

/** One worker more than cores, at most 6: while one waits for the disk, another one compresses. */
const size = Math.min(6, availableParallelism() + 1)

/** Workers without work, and who waits for one. */
const idle: Worker[] = []
const waiting: ((worker: Worker) => void)[] = []

async function run(jobs: readonly SnapshotJob[]): Promise<SnapshotBatch> {
  const worker = idle.pop() ?? (await new Promise<Worker>((resolve) => void waiting.push(resolve)))
  worker.postMessage(jobs)
  // Rejects if the worker fails.
  const [batch] = await once(worker, 'message')
  const next = waiting.shift()
  if (next) next(worker)
  else idle.push(worker)
  return batch
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
const names = order.progress.counted ? {} : { names: receiveNames() }
try {
  const store = openStore(order.storeFile)
  const workers = Array.from(
    { length: size },
    () =>
      new Worker(new URL(`./ingest-worker.${extension}`, import.meta.url), {
        workerData: { root: order.root },
        resourceLimits: { maxYoungGenerationSizeMb: 16 }
      })
  )
  idle.push(...workers)
  const isAlone = await takeInitialSnapshot({
    root: order.root,
    store,
    rules: createIgnoreRules(order.root, order.settings),
    ...names,
    progress: order.progress,
    pool: { size, run },
    onProgress: (progress) => report({ progress })
  })
  report({ isAlone })
  await Promise.all(workers.map((worker) => worker.terminate()))
  store.close()
  process.exitCode = 0
} catch (error) {
  report({ failed: toErrorShape(error) })
  process.exitCode = 1
}
process.off('disconnect', exitOrphaned)
process.disconnect?.()
