/**
 * Connects a command to an engine: through the socket of the recorder, which it starts in the background if none runs,
 * else to an engine opened in this process. The store supports several processes, so a recorder that hangs delays a
 * command but does not block it.
 */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient, memoryChannels } from '../../contract/wire.ts'
import { loadProgram } from '../code-cache.ts'
import { isAlive } from '../engine/ports/processes.ts'
import { connectHost, type HostConnection, requestEnd } from '../host/connect-host.ts'
import { ensureDataDir } from '../host/data-dir.ts'
import { readEngineFile } from '../host/engine-file.ts'
import { mayStartRecorder, startRecorder } from '../host/start-recorder.ts'
import { VERSION } from '../version.ts'

/** A host that does not accept the connection within this time is treated as absent, ms. */
const ACCEPT_TIMEOUT_MS = 300
/** A host that accepts connections but does not answer the first call within this time hangs and is skipped, ms. */
const ANSWER_TIMEOUT_MS = 2000

/**
 * How long a command waits for the recorder that it started, ms. On a busy computer Node alone takes a second to start.
 */
const START_TIMEOUT_MS = 10_000
/** How long it waits for a recorder that another process has just started, ms. */
const ANOTHER_TIMEOUT_MS = 2000
/** Time between two attempts to connect, ms. */
const POLL_MS = 15

/**
 * Absolute paths of the engine that a command loads when there is no recorder, of the process that takes initial
 * snapshots, of the recorder in the background, and of the headless host's entry.
 */
export type Programs = Readonly<Record<'engine' | 'ingest' | 'recorder' | 'serve', string>>

export interface OpenedClient {
  readonly client: Client
  readonly where: 'host' | 'in-process'
  /** Disconnects from the host, or closes the engine of this process. */
  close(): Promise<void>
}

/**
 * Opens a client on the data folder; `'in-process'` skips the host. Fails with the engine's errors, such as StoreNewer
 * or StoreDamaged.
 */
export async function openClient(
  dataDir: string,
  programs: Programs,
  where: 'any' | 'in-process' = 'any'
): Promise<OpenedClient> {
  const host = where === 'in-process' ? null : await connectRecorder(dataDir, programs.recorder)
  if (!host) return openInProcess(dataDir, programs)
  return { client: host.client, where: 'host', close: async () => host.disconnect() }
}

/**
 * Connects to the recorder of a data folder and starts it if none runs; one in the background that is older than this
 * command is replaced. null where none may be started, where it fails, and where one runs but does not answer.
 */
export async function connectRecorder(dataDir: string, program: string): Promise<HostConnection | null> {
  const running = await connectHost(dataDir, ACCEPT_TIMEOUT_MS, ANSWER_TIMEOUT_MS)
  if (!mayStartRecorder(process.env)) return running
  if (running) {
    const { kind, version } = running.file
    if (kind !== 'background' || !isOlder(version, VERSION)) return running
    await requestEnd(running, 'replaced')
  } else {
    const file = readEngineFile(dataDir)
    // It hangs, or is stopped by a signal. Another one could not get the lock.
    if (file && isAlive({ pid: file.pid, start: '' })) return null
  }
  ensureDataDir(dataDir)
  return startAndConnect(dataDir, program)
}

async function startAndConnect(dataDir: string, program: string): Promise<HostConnection | null> {
  let recorder = startRecorder(program, dataDir)
  let end = performance.now() + START_TIMEOUT_MS
  let isShared = false
  while (performance.now() < end) {
    const host = await connectHost(dataDir, ACCEPT_TIMEOUT_MS, ANSWER_TIMEOUT_MS)
    if (host) return host
    const state = recorder.state()
    if (state === 'failed') return null
    if (state === 'another') {
      // Another caller started one at the same moment, or the last one is about to end and this one takes its place.
      if (!isShared) end = performance.now() + ANOTHER_TIMEOUT_MS
      isShared = true
      if (readEngineFile(dataDir) === null) recorder = startRecorder(program, dataDir)
    }
    await pause(POLL_MS)
  }
  return null
}

/** Compares versions by their numbers, as in `0.10.2`. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, 'en', { numeric: true }) < 0
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
