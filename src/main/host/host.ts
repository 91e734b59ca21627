/**
 * The host: the one process that records a data folder. Every host is opened here: Electron, headless, and in the
 * background.
 *
 * openHost takes the host lock, starts the engine thread, listens on the socket and writes engine.json, in this order:
 * a client that reads engine.json can connect at once, and only the holder of the lock replaces a stale socket.
 *
 * A call passes through these modules, in order. The answer takes the same path back, and events start at the engine:
 *
 *  1. Process of the caller. createClient (contract/wire.ts) numbers the call and encodes it as one JSON frame, on a
 *     channel: a socket for commands, hooks and MCP (cli/open-client.ts, cli/hook.ts), a WebSocket for a browser, IPC
 *     for the window (preload). A command that can have no recorder is one itself, while it runs: it holds the same lock
 *     and uses a memory channel to an engine in its own process (cli-engine.ts). It continues at step 4.
 *  2. Socket. The host's end of the channel: host/socket-server.ts and socket-channel.ts, server/http-server.ts and
 *     web-socket-channel.ts, or electron/bridge.ts. It splits the stream into frames and limits their size. Access
 *     control is here: file mode 0600, the proof of a pipe (pipe-proof.ts), the token, or the sender's origin.
 *  3. Thread. engine-thread.ts on the main thread forwards each frame with its channel's number to the worker and
 *     remembers the open calls, so that they fail with Disconnected if the engine crashes. thread-engine-side.ts in the
 *     worker delivers it.
 *  4. Engine. engine/serve.ts decodes the frame; engine/engine.ts checks the parameters (contract/params.ts) and looks
 *     up the handler of the method.
 *  5. Handler. engine/handlers/, one file per area of the contract, finds the workspace and calls the features. It
 *     returns the result or throws a DriftlineError, which serve.ts encodes.
 */
import type { Worker } from 'node:worker_threads'
import type { StopReason } from '../../contract/api.ts'
import type { DriftlineError } from '../../contract/errors.ts'
import type { EndReason, RecorderKind } from '../../contract/recorder.ts'
import type { Channel } from '../../contract/wire.ts'
import { log } from '../engine/ports/log.ts'
import { ownProcess } from '../engine/ports/processes.ts'
import type { HeldLock } from '../engine/store/host-lock.ts'
import { PROGRAMS } from '../programs.ts'
import { VERSION } from '../version.ts'
import { socketAddress } from './endpoint.ts'
import { removeEngineFile, writeEngineFile } from './engine-file.ts'
import { type EngineThread, startEngineThread } from './engine-thread.ts'
import { holdDataDirSoon } from './hold-data-dir.ts'
import { recordLastEnd, writeLastEnd } from './last-end.ts'
import { type LogFile, openLogFile } from './log-file.ts'
import { pipeSecret } from './pipe-proof.ts'
import { listenOnSocket, type SocketServer } from './socket-server.ts'

export interface Host {
  readonly dataDir: string
  /** Resolves when the engine is ready; rejects when it cannot start. */
  readonly ready: Promise<void>
  /** Connects a window or a browser; `closed` is called when it leaves. Returns a function that disconnects it. */
  readonly connect: EngineThread['connect']
  /** Sends an event of another machine to every client. */
  readonly emit: EngineThread['emit']
  /** Writes engine.json again, with the URL for browsers. */
  announce(url?: string): void
  /** `why` is kept for `recorder status` and doctor. */
  close(why: EndReason): Promise<void>
}

interface HostOptions {
  readonly dataDir: string
  readonly kind: RecorderKind
  readonly onGiveUp: (error: DriftlineError) => void
  /** Called when a client asks the recorder to end; the host then closes itself. */
  readonly onStopRequested?: (why: StopReason) => void
  /** Called with the number of clients on the local socket whenever it changes. */
  readonly onSocketClients?: (count: number) => void
  /** How long it waits for a holder that is starting or ending, ms; by default not at all. */
  readonly waitMs?: number
  /** The worker's program; tests pass another one. */
  readonly engineProgram?: string
  /** The thread of the engine, if the process launched it already. */
  readonly engine?: Worker
}

/** Becomes the host of a data folder. Throws `SecondHost` if another process already is. */
export async function openHost(options: HostOptions): Promise<Host> {
  const { dataDir } = options
  const lock = await holdDataDirSoon(dataDir, options.waitMs ?? 0)
  const logFile = openLogFile(dataDir)
  try {
    return await openWithLock(options, lock, logFile)
  } catch (error) {
    logFile.writeError(error as Error)
    await logFile.close()
    lock.release()
    throw error
  }
}

async function openWithLock(options: HostOptions, lock: HeldLock, logFile: LogFile): Promise<Host> {
  const { dataDir, kind } = options
  const thread = startThread(options, logFile)
  let socket: SocketServer | undefined
  let announce: Host['announce']
  try {
    const address = socketAddress(dataDir)
    const secret = pipeSecret(address)
    socket = await listenOnSocket({ address, dataDir, secret, onChannel: connectCounted(thread, options) })
    const file = { ...ownProcess(), socket: address, version: VERSION, startedAt: Date.now(), kind }
    announce = (url) =>
      writeEngineFile(dataDir, { ...file, ...(secret === null ? {} : { secret }), ...(url ? { url } : {}) })
    announce()
  } catch (error) {
    // Before the lock is released: there is never a second writer.
    await socket?.close()
    await thread.stop()
    throw error
  }
  log.info(`recorder ${VERSION} started (${kind}, process ${process.pid})`)

  let closing: Promise<void> | undefined
  const close = async (why: EndReason): Promise<void> => {
    // Before the file goes: whoever waits for that reads why.
    writeLastEnd(dataDir, { at: Date.now(), why })
    removeEngineFile(dataDir)
    await socket?.close()
    await thread.stop()
    log.info(`recorder ended (${why})`)
    await logFile.close()
    lock.release()
  }
  return {
    dataDir,
    ready: thread.ready,
    connect: thread.connect,
    emit: thread.emit,
    announce,
    close: (why) => {
      closing ??= close(why)
      return closing
    }
  }
}

function startThread(
  { dataDir, kind, engine, engineProgram, ...options }: HostOptions,
  logFile: LogFile
): EngineThread {
  return startEngineThread({
    program: engineProgram ?? PROGRAMS.engineWorker,
    launched: engine,
    start: {
      dataDir,
      host: kind,
      watch: true,
      programs: { ingest: PROGRAMS.ingest, fileHelper: PROGRAMS.fileHelper },
      ...recordLastEnd(dataDir, Date.now())
    },
    onLog: logFile.record,
    onStopRequested: options.onStopRequested ?? (() => {}),
    onGiveUp: (error) => {
      logFile.writeError(error)
      options.onGiveUp(error)
    }
  })
}

/** Connects channels to the engine, and reports how many there are. */
function connectCounted(thread: EngineThread, { onSocketClients = () => {} }: HostOptions) {
  let clients = 0
  const count = (change: 1 | -1): void => {
    clients += change
    onSocketClients(clients)
  }
  return (channel: Channel): void => {
    count(1)
    thread.connect(channel, () => count(-1))
  }
}
