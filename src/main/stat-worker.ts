/** The second thread of a comparison of many files: takes stats (engine/capture/stat-thread.ts). */
import { parentPort } from 'node:worker_threads'
import { type StatBatch, takeStats } from './engine/capture/stat-batch.ts'

parentPort?.on('message', (batch: StatBatch) => takeStats(batch))
