/** The way to the engine: the running host's socket when one answers, else an engine opened in this process. */
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

/** A host that does not answer within this many ms is treated as absent: the store takes several processes. */
const CONNECT_BUDGET = 300
/** One that lets callers in but does not answer the first question within this many ms hangs, and is passed by. */
const ANSWER_BUDGET = 2000

export interface Programs {
  /** Absolute path of the engine of a command without a host. */
  readonly engine: string
  /** Absolute path of the ingest child. */
  readonly ingest: string
  /** Absolute path of the headless host's entry. */
  readonly serve: string
}

export interface Opened {
  readonly client: Client
  readonly where: 'host' | 'here'
  /** Lets go of the host, or closes the engine of this process. */
  close(): Promise<void>
}

/** Opens a client on the data folder; `'here'` passes a host by. Fails with the engine's errors (StoreNewer, StoreDamaged) when it opens one here. */
export async function openClient(
  dataDir: string,
  programs: Programs,
  where: 'anywhere' | 'here' = 'anywhere'
): Promise<Opened> {
  const host = where === 'here' ? null : await openHost(dataDir)
  return host ?? openHere(dataDir, programs)
}

async function openHost(dataDir: string): Promise<Opened | null> {
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

/** False when the host hangs, or leaves just now. */
async function answers(client: Client): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ANSWER_BUDGET)
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

/** A connected socket, or null when nobody answers in time. */
function connected(address: string): Promise<Socket | null> {
  return new Promise((resolve) => {
    const socket = connect(address)
    const give = (result: Socket | null): void => {
      clearTimeout(timer)
      if (!result) socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => give(null), CONNECT_BUDGET)
    // Refused or missing before the connection stands; later errors are the channel's, which listens too.
    socket.on('error', () => give(null))
    socket.once('connect', () => give(socket))
  })
}

async function openHere(dataDir: string, programs: Programs): Promise<Opened> {
  ensureDataDir(dataDir)
  // Loaded only now: with a host the database library and everything above it stay unread.
  const built = programs.engine.endsWith('.cjs') ? loadProgram(programs.engine, join(dataDir, 'cache')) : null
  const program = (built?.exports ??
    (await import(pathToFileURL(programs.engine).href))) as typeof import('../cli-engine.ts')
  const channels = memoryChannels()
  const engine = await program.openEngine(dataDir, programs.ingest, channels.ends[1])
  if ('error' in engine) throw new DriftlineError(engine.error.code, engine.error.message, engine.error.data)
  return {
    client: createClient(channels.ends[0]),
    where: 'here',
    close: async () => {
      channels.close()
      await engine.close()
      built?.keep()
    }
  }
}
