/**
 * The engine: of the recorder's thread, and of a command that can have no recorder and is one while it runs. A separate
 * program file, because reading and compiling it is most of the time that both take to start: the build bundles it into
 * one file, and code-cache.ts caches its compiled code.
 */
import type { MessagePort } from 'node:worker_threads'
import type { EnginePrograms } from '../contract/engine-start.ts'
import { type ErrorShape, toErrorShape } from '../contract/errors.ts'
import type { Channel } from '../contract/wire.ts'
import { createEngine } from './engine/engine.ts'
import { serve } from './engine/serve.ts'

export { problemsOfDatabase } from './engine/store/copy-database.ts'

import { holdDataDir } from './host/hold-data-dir.ts'
import { runEngineThread } from './host/thread-engine-side.ts'

/** Runs the engine of a recorder: `port` is of the thread that launched this one. */
export const runEngine = (port: MessagePort): void => runEngineThread(port, { createEngine, serve })

interface InProcessEngine {
  /** Closes the engine. No call may be open. */
  close(): Promise<void>
}

/**
 * Holds the data folder, opens the engine and answers calls on `channel`. Returns errors as plain shapes: this bundle has its own copy of the
 * DriftlineError class, which the caller's `instanceof` would not match.
 */
export async function openEngine(
  dataDir: string,
  { ingest, fileHelper }: EnginePrograms,
  channel: Channel
): Promise<InProcessEngine | { readonly error: ErrorShape }> {
  try {
    const lock = holdDataDir(dataDir)
    try {
      const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest, fileHelper } })
      const stop = serve(engine, channel)
      return {
        close: async () => {
          stop()
          await engine.close()
          lock.release()
        }
      }
    } catch (error) {
      lock.release()
      throw error
    }
  } catch (error) {
    return { error: toErrorShape(error) }
  }
}
