/**
 * The engine as a command opens it when no host runs. A program file of its own, because reading and compiling the engine is
 * most of what such a command costs: the build makes one file of it, whose code is kept (code-cache.ts).
 */
import { type ErrorShape, toErrorShape } from '../contract/errors.ts'
import type { Channel } from '../contract/wire.ts'
import { createEngine } from './engine/engine.ts'
import { serve } from './engine/serve.ts'

export interface EngineHere {
  /** Closes the engine, once nothing is asked any more. */
  close(): Promise<void>
}

/** Opens the engine and answers on `channel`. An error comes as its shape: this file has classes of its own. */
export async function openEngine(
  dataDir: string,
  ingest: string,
  channel: Channel
): Promise<EngineHere | { readonly error: ErrorShape }> {
  try {
    const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest } })
    const stop = serve(engine, channel)
    return {
      close: () => {
        stop()
        return engine.close()
      }
    }
  } catch (error) {
    return { error: toErrorShape(error) }
  }
}
