/** Starts the thread of an engine. Its start message follows, so that it can start before the data folder is held. */
import { Worker } from 'node:worker_threads'

/** What the thread gets before its start message. */
export interface EngineThreadData {
  /** Where the compiled code of the engine is kept; null without such a folder. */
  readonly codeFolder: string | null
}

/**
 * Heap limits of the thread. By default V8 grows the young generation to 3 x 16 MB while files are listed and never
 * shrinks it; a smaller one keeps an idle host small. With 3 x 8 MB a start over 10,000 files needs no full collection.
 * The limit of the old generation only guards against a leak.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 768 }

/** `program`: the thread's program. It opens nothing before its start message. */
export function launchEngine(program: string, codeFolder: string | null): Worker {
  const workerData: EngineThreadData = { codeFolder }
  return new Worker(program, { workerData, resourceLimits: HEAP_LIMITS, name: 'engine' })
}
