/**
 * Connects a command to an engine: through the socket of the running host if it answers, else to an engine opened in this
 * process. The store supports several processes, so a host that hangs delays a command but does not block it.
 */
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient } from '../../contract/wire.ts'
import { loadProgram } from '../code-cache.ts'
import { ensureDataDir } from '../host/data-dir.ts'
import { readEngineFile } from '../host/engine-file.ts'
import { socketChannel } from '../host/socket-channel.ts'
import { memoryChannels } from './memory-channel.ts'

/** A host that does not accept the connection within this time is treated as absent, ms. */
const CONNECT_TIMEOUT_MS = 300
/** A host that accepts connections but does not answer the first call within this time hangs and is skipped, ms. */
const ANSWER_TIMEOUT_MS = 2000

export interface Programs {
  /** Absolute path of the engine that a command loads when no host runs. */
  readonly engine: string
  /** Absolute path of the process that takes initial snapshots. */
  readonly ingest: string
  /** Absolute path of the headless host's entry. */
  readonly serve: string
}

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
  const host = where === 'in-process' ? null : await openHost(dataDir)
  return host ?? openInProcess(dataDir, programs)
}

async function openHost(dataDir: string): Promise<OpenedClient | null> {
  const file = readEngineFile(dataDir)
  if (!file) return null
  const socket = await connected(file.socket)
  if (!socket) return null
  const client = createClient(socketChannel(socket))
  if (!(await answers(client))) {
    socket.destroy()
    return null
  }
  return {
    client,
    where: 'host',
    close: async () => {
      socket.destroy()
    }
  }
}

/** False when the host hangs or is about to exit. */
async function answers(client: Client): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_TIMEOUT_MS)
  })
  const answered = client.call('app.info', {}).then(
    () => true,
    () => false
  )
  try {
    return await Promise.race([answered, late])
  } finally {
    clearTimeout(timer)
  }
}

/** A connected socket, or null when the host does not accept in time. */
function connected(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const settle = (result: Socket | null): void => {
      clearTimeout(timer)
      if (!result) socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => settle(null), CONNECT_TIMEOUT_MS)
    // ECONNREFUSED or ENOENT before the connection is open. Later errors are handled by the channel, which listens, too.
    socket.on('error', () => settle(null))
    socket.once('connect', () => settle(socket))
  })
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
