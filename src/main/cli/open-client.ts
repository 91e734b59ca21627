/**
 * Connects a command to the engine: through the socket of the recorder, which it starts in the background if none runs.
 * Where no recorder can be started, the command is the recorder while it runs. There is never a second one: a command
 * whose recorder hangs fails within seconds.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../contract/api.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { createClient, memoryChannels } from '../../contract/wire.ts'
import { importProgram } from '../code-cache.ts'
import { connectHost, type FirstCall, type HostConnection, requestEnd } from '../host/connect-host.ts'
import { codeFolderOf, ensureDataDir, logFileOf } from '../host/data-dir.ts'
import type { EngineFile } from '../host/engine-file.ts'
import { isHeld, livingRecorder, noAnswerError } from '../host/hold-data-dir.ts'
import { watchAnswers } from '../host/socket-client.ts'
import { mayStartRecorder, type StartedRecorder, startRecorder } from '../host/start-recorder.ts'
import { VERSION } from '../version.ts'

/** How long a command waits for a recorder that may hang, ms. */
export interface Patience {
  /** Until the connection is accepted. */
  readonly accept: number
  /** Until the first call is answered; one that takes longer hangs. */
  readonly answer: number
  /** Between two checks that it still runs, and how long the answer to one may take. */
  readonly aliveInterval: number
  readonly alive: number
}
export const PATIENCE: Patience = { accept: 300, answer: 2000, aliveInterval: 5000, alive: 5000 }

interface ConnectOptions {
  /** PATIENCE by default. */
  readonly patience?: Patience | undefined
  /** Made on the connection to a recorder, instead of a call only to see that it answers. */
  readonly firstCall?: FirstCall | undefined
  /** The recorder that was started already; it is waited for before another is started. */
  readonly started?: StartedRecorder | null | undefined
}

/** How long a recorder may take until it answers, ms. */
const OPENING_MS = 5000

/**
 * How long a command waits for the recorder that it started, ms. On a busy computer Node alone takes a second to start.
 */
const START_TIMEOUT_MS = 10_000
/** How long a command waits for others that are their own recorders, ms. */
const TURN_TIMEOUT_MS = 10_000
/** How long a recorder that was killed may take until it is gone, ms: it refuses connections before that. */
const ENDING_MS = 500
/** Time between two attempts to connect, ms. */
const POLL_MS = 4

/**
 * Absolute paths of the engine that a command loads when there is no recorder, of the process that takes initial
 * snapshots, of the recorder in the background, and of the headless host's entry.
 */
export type Programs = Readonly<Record<'engine' | 'ingest' | 'fileHelper' | 'recorder' | 'serve', string>>

export interface OpenedClient {
  readonly client: Client
  readonly where: 'host' | 'in-process'
  /** Resolves when the connection to the host is lost or closed; null for the engine of this process. */
  readonly closed: Promise<void> | null
  /** Disconnects from the host, or closes the engine of this process. */
  close(): Promise<void>
}

/** Opens a client on the data folder. Fails with NoAnswer, SecondHost, or the engine's errors, such as StoreNewer. */
export async function openClient(
  dataDir: string,
  programs: Programs,
  { started, ...options }: ConnectOptions = {}
): Promise<OpenedClient> {
  let end = Number.POSITIVE_INFINITY
  for (let waitedFor = started; ; waitedFor = null) {
    const host = await connectRecorder(dataDir, programs.recorder, { ...options, started: waitedFor })
    if (host) return clientOf(host, options.patience)
    try {
      return await openInProcess(dataDir, programs)
    } catch (error) {
      // Another command is the recorder now, or a recorder that is about to listen.
      const isHeld = error instanceof DriftlineError && error.code === 'SecondHost'
      if (!isHeld || performance.now() > end) throw error
      // From the first refusal: the recorder that holds it may be the one that this command waited for in vain.
      end = Math.min(end, performance.now() + TURN_TIMEOUT_MS)
      await pause(POLL_MS)
    }
  }
}

type AnsweringHost = Pick<HostConnection, 'client' | 'closed' | 'disconnect' | 'isAnswering'>

/** The client of a recorder here or on another machine; its connection ends when the recorder no longer answers. */
export function clientOf(
  host: AnsweringHost,
  patience: Pick<Patience, 'aliveInterval' | 'alive'> = PATIENCE
): OpenedClient {
  const stopWatching = watchAnswers(host, patience)
  return {
    client: host.client,
    where: 'host',
    closed: host.closed,
    close: async () => {
      stopWatching()
      host.disconnect()
    }
  }
}

/**
 * Connects to the recorder of a data folder and starts it if none runs; one in the background that is older than this
 * command is replaced. null where none may be started and where it cannot start. Throws NoAnswer for one that hangs.
 */
export async function connectRecorder(
  dataDir: string,
  program: string,
  { patience = PATIENCE, firstCall, started }: ConnectOptions = {}
): Promise<HostConnection | null> {
  const connect = () => connectHost(dataDir, patience.accept, patience.answer, firstCall)
  let running = await connect()
  for (let silent = livingRecorder(dataDir); !running && silent; silent = livingRecorder(dataDir)) {
    // One that has just started may still be opening a large history.
    if (Date.now() - silent.startedAt > OPENING_MS) {
      const hanging = await hangingRecorder(dataDir)
      if (hanging) throw noAnswerError(hanging)
      break
    }
    running = await connect()
  }
  if (!mayStartRecorder(process.env)) return running
  if (running) {
    const { kind, version } = running.file
    if (kind !== 'background' || !isOlder(version, VERSION)) return running
    await requestEnd(running, 'replaced')
  }
  ensureDataDir(dataDir)
  return startAndConnect(dataDir, () => startRecorder(program, dataDir), started, connect)
}

/** As connectRecorder, for a caller that cannot do without. Fails with Refused where none may be started. */
export async function requireRecorder(dataDir: string, program: string, patience = PATIENCE): Promise<HostConnection> {
  const recorder = await connectRecorder(dataDir, program, { patience })
  if (recorder) return recorder
  throw mayStartRecorder(process.env)
    ? new DriftlineError(
        'Bug',
        `Couldn’t start the recorder. The history is safe. The reason is in ${logFileOf(dataDir)}.`
      )
    : new DriftlineError(
        'Refused',
        'No recorder runs, and DRIFTLINE_RECORDER=off keeps it from being started. Nothing was changed.'
      )
}

/** The recorder that is alive and does not answer; null without one. */
export async function silentRecorder(dataDir: string, { accept, answer } = PATIENCE): Promise<EngineFile | null> {
  const answering = await connectHost(dataDir, accept, answer)
  answering?.disconnect()
  return answering ? null : hangingRecorder(dataDir)
}

/** The recorder that is alive, also after the time that one which was killed takes to end. Null without one. */
export async function hangingRecorder(dataDir: string): Promise<EngineFile | null> {
  for (const end = performance.now() + ENDING_MS; performance.now() < end; await pause(POLL_MS))
    if (!livingRecorder(dataDir)) return null
  return isHeld(dataDir) ? livingRecorder(dataDir) : null
}

async function startAndConnect(
  dataDir: string,
  start: () => StartedRecorder,
  started: StartedRecorder | null | undefined,
  connect: () => Promise<HostConnection | null>
): Promise<HostConnection | null> {
  let recorder = started ?? start()
  for (const end = performance.now() + START_TIMEOUT_MS; performance.now() < end; await pause(POLL_MS)) {
    const host = await connect()
    if (host) return host
    const state = recorder.state()
    if (state === 'failed') return null
    // It gave way to one that has ended since, or was killed and is gone now.
    if (state === 'another' && livingRecorder(dataDir) === null) recorder = start()
  }
  return null
}

/** Compares versions by their numbers, as in `0.10.2`. Without a collator, which takes 25 ms to load. */
function isOlder(version: string, than: string): boolean {
  const [a, b] = [version, than].map((text) => text.split(/\D+/).map(Number)) as [number[], number[]]
  const differing = b.findIndex((number, n) => number !== (a[n] ?? 0))
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] as number)
}

/** The program of the engine. Imported only by commands that need it: others never load the database library. */
export async function loadEngine(dataDir: string, programs: Programs) {
  const { exports, saveCode } = await importProgram(programs.engine, codeFolderOf(dataDir))
  return { program: exports as typeof import('../cli-engine.ts'), saveCode }
}

async function openInProcess(dataDir: string, programs: Programs): Promise<OpenedClient> {
  ensureDataDir(dataDir)
  const { program, saveCode } = await loadEngine(dataDir, programs)
  const channels = memoryChannels()
  const engine = await program.openEngine(dataDir, programs, channels.ends[1])
  if ('error' in engine) throw new DriftlineError(engine.error.code, engine.error.message, engine.error.data)
  return {
    client: createClient(channels.ends[0]),
    where: 'in-process',
    closed: null,
    close: async () => {
      channels.close()
      await engine.close()
      saveCode()
    }
  }
}
