/**
 * Takes stats of files on the main thread of a recorder, for its engine's (engine/capture/stat-service.ts): in slices, so that
 * connections are answered between them.
 */
import { type StatBatch, takeStats } from '../engine/files/stat-batch.ts'

/** How long a slice holds the thread, ms. */
const SLICE_MS = 2

/** Returns what takes a batch soon. The engine's thread does not wait for that: it takes the rest itself. */
export function createStatSlices(): (batch: StatBatch) => void {
  const waiting: StatBatch[] = []
  const takeSlice = (): void => {
    const end = performance.now() + SLICE_MS
    const isOver = (): boolean => performance.now() >= end
    while (waiting[0] && takeStats(waiting[0], { isOver })) waiting.shift()
    if (waiting.length > 0) setImmediate(takeSlice)
  }
  return (batch) => {
    if (waiting.push(batch) === 1) setImmediate(takeSlice)
  }
}
