/** The second thread that takes stats of many files (engine/capture/stat-thread.ts). */
import { parentPort } from 'node:worker_threads'
import { type StatBatch, takeStats } from './engine/capture/stat-batch.ts'

parentPort?.on('message', (batch: StatBatch) => takeStats(batch))
