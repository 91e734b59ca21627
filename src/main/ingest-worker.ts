/** A worker thread of the initial snapshot: reads, hashes and compresses batches of files. */
import { parentPort, workerData } from 'node:worker_threads'
import { readBatch, type SnapshotJob } from './engine/capture/snapshot-batch.ts'
import { awaitRoom, giveWay, hold, type ThreadData } from './engine/capture/snapshot-threads.ts'

const { root, held } = workerData as ThreadData

giveWay()
parentPort?.on('message', (jobs: readonly SnapshotJob[]) => {
  awaitRoom(held)
  const batch = readBatch(root, jobs)
  hold(held, batch)
  parentPort?.postMessage(batch, [batch.bytes.buffer])
})
