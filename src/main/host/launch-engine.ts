/** Starts the thread of an engine. Its start message follows, so that it can start before the data folder is held. */
import { Worker } from 'node:worker_threads'
import { hasCodeCache, inSharedMemory, type ReadProgram, readProgram } from '../code-cache.ts'
import { PROGRAMS } from '../programs.ts'

/** What the thread gets when it starts. */
export interface EngineThreadData {
  /** Whether the program of the engine follows as the first message. If not, the thread imports it. */
  readonly isProgramSent: boolean
}

/** The first message then: the program, or why it could not be read. */
export type SentProgram = ReadProgram | Error

/**
 * Heap limits of the thread. By default V8 grows the young generation to 3 x 16 MB while files are listed and never
 * shrinks it; a smaller one keeps an idle host small. With 3 x 8 MB a start over 10,000 files needs no full collection.
 * The limit of the old generation only guards against a leak.
 */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 24, maxOldGenerationSizeMb: 768 }

/**
 * `program`: the thread's program. It opens nothing before its start message. `codeFolder`: where the compiled code of
 * the engine is kept; null without such a folder.
 */
export function launchEngine(program: string, codeFolder: string | null): Worker {
  const { engine } = PROGRAMS
  const isProgramSent = hasCodeCache(engine, codeFolder)
  const workerData: EngineThreadData = { isProgramSent }
  const thread = new Worker(program, { workerData, resourceLimits: HEAP_LIMITS, name: 'engine' })
  // Read here, because this thread waits while that one starts.
  if (isProgramSent) thread.postMessage(readToSend(engine, codeFolder))
  return thread
}

/** An error is sent, too: the thread fails with it, as if it had read the program itself. */
function readToSend(file: string, codeFolder: string): SentProgram {
  try {
    return readProgram(file, codeFolder, inSharedMemory)
  } catch (error) {
    return error as Error
  }
}
