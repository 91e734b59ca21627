/**
 * Connects a command to an engine: through the socket of the running host if it answers, else to an engine opened in this
 * process. The store supports several processes, so a host that hangs delays a command but does not block it.
 */
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient, memoryChannels } from '../../contract/wire.ts'
import { loadProgram } from '../code-cache.ts'
import { connectHost } from '../host/connect-host.ts'
import { ensureDataDir } from '../host/data-dir.ts'

/** A host that does not accept the connection within this time is treated as absent, ms. */
const ACCEPT_TIMEOUT_MS = 300
/** A host that accepts connections but does not answer the first call within this time hangs and is skipped, ms. */
const ANSWER_TIMEOUT_MS = 2000

/**
 * Absolute paths of the engine that a command loads when no host runs, of the process that takes initial snapshots, and of the
 * headless host's entry.
 */
export type Programs = Readonly<Record<'engine' | 'ingest' | 'serve', string>>

export interface OpenedClient {
  readonly client: Client
  readonly where: 'host' | 'in-process'
  /** Disconnects from the host, or closes the engine of this process. */
  close(): Promise<void>
}

/** Opens a client on the data folder; `'in-process'` skips the host. Fails with the engine's errors, such as StoreNewer or StoreDamaged. */
export async function openClient(
  dataDir: string,
  programs: Programs,
  where: 'any' | 'in-process' = 'any'
): Promise<OpenedClient> {
  const host = where === 'in-process' ? null : await connectHost(dataDir, ACCEPT_TIMEOUT_MS, ANSWER_TIMEOUT_MS)
  if (!host) return openInProcess(dataDir, programs)
  return { client: host.client, where: 'host', close: async () => host.disconnect() }
}

async function openInProcess(dataDir: string, programs: Programs): Promise<OpenedClient> {
  ensureDataDir(dataDir)
  // Imported only here: a command with a host never loads the database library.
  const built = programs.engine.endsWith('.cjs') ? loadProgram(programs.engine, join(dataDir, 'cache')) : null
  const program = (built?.exports ??
    (await import(pathToFileURL(programs.engine).href))) as typeof import('../cli-engine.ts')
  const channels = memoryChannels()
  const engine = await program.openEngine(dataDir, programs.ingest, channels.ends[1])
  if ('error' in engine) throw new DriftlineError(engine.error.code, engine.error.message, engine.error.data)
  return {
    client: createClient(channels.ends[0]),
    where: 'in-process',
    close: async () => {
      channels.close()
      await engine.close()
      built?.saveCode()
    }
  }
}
