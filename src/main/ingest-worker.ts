/** A worker of the first copy: reads, hashes and packs batches of files. */
import { parentPort, workerData } from 'node:worker_threads'
import { type CopyJob, copyBatch } from './engine/capture/copy-batch.ts'

const { root } = workerData as { root: string }

parentPort?.on('message', (jobs: readonly CopyJob[]) => {
  const batch = copyBatch(root, jobs, Date.now)
  parentPort?.postMessage(batch, [batch.bytes.buffer, batch.files.buffer])
})
