/** A worker thread of the initial snapshot: reads, hashes and compresses batches of files. */
import { parentPort, workerData } from 'node:worker_threads'
import { readBatch, type SnapshotJob } from './engine/capture/snapshot-batch.ts'

const { root } = workerData as { root: string }

parentPort?.on('message', (jobs: readonly SnapshotJob[]) => {
  const batch = readBatch(root, jobs)
  parentPort?.postMessage(batch, [batch.bytes.buffer])
})
