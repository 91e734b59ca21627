/** The engine's second thread: it takes stats of many files (engine/capture/stat-service.ts), or reads large ones (read-thread.ts). */
import { parentPort, workerData } from 'node:worker_threads'
import { type StatBatch, takeStats } from './engine/files/stat-batch.ts'
import type { SharedCode } from './engine/store/fingerprint.ts'
import { attach, type ReadJob, takePieces } from './engine/store/read-ahead.ts'

const reading = workerData ? attach(workerData as SharedCode) : null

parentPort?.on('message', (work: StatBatch | ReadJob) => {
  if ('paths' in work) takeStats(work)
  else if (reading && takePieces(work, reading.memory, reading.sumsOf)) parentPort?.postMessage(work.fd)
})
