/**
 * The engine in a worker thread. The host's main thread only forwards frames, so its event loop stays responsive while
 * the engine works. Frames of one channel keep their order in both directions.
 */
import type { Worker } from 'node:worker_threads'
import type { EngineEvents, EventName, StopReason } from '../../contract/api.ts'
import type { EngineStart } from '../../contract/engine-start.ts'
import { DriftlineError } from '../../contract/errors.ts'
import { ALIVE, type Channel, type Frame } from '../../contract/wire.ts'
import { type LogEntry, log } from '../engine/ports/log.ts'
import { codeFolderOf } from './data-dir.ts'
import { launchEngine } from './launch-engine.ts'
import { OpenCalls } from './open-calls.ts'
import { createStatSlices } from './share-stats.ts'
import type { FromEngine, ToEngine } from './thread-messages.ts'

export type EngineThread = ReturnType<typeof startEngineThread>

interface EngineThreadOptions {
  /** The worker's program. */
  readonly program: string
  /** The thread of that program, if the process launched it already. */
  readonly launched: Worker | undefined
  readonly start: EngineStart
  /** Called with each entry of the engine's log. */
  readonly onLog: (entry: LogEntry) => void
  /** Called when a client asks the recorder to end. */
  readonly onStopRequested: (why: StopReason) => void
  /** Called when the engine cannot start, or crashed again soon after a restart: the host cannot continue. */
  readonly onGiveUp: (error: DriftlineError) => void
}

/** After a second crash within this time restarting does not help, ms. */
const RESTART_WINDOW_MS = 60_000
/**
 * How long the engine may take to close before its thread is terminated, ms. Committed transactions are safe either
 * way.
 */
const CLOSE_TIMEOUT_MS = 10_000

/**
 * Starts the thread. After a crash the engine is restarted once: open calls fail with `Disconnected`, channels stay
 * open, and all clients are notified to reload. A second crash within a minute is final.
 */
export function startEngineThread(options: EngineThreadOptions) {
  const { program, launched, start, onLog, onStopRequested, onGiveUp } = options
  let worker: Worker
  let stopping = false
  let restartedAt = Number.NEGATIVE_INFINITY
  const ready = Promise.withResolvers<void>()
  // A host that stops early never awaits `ready`; without a handler its rejection would end the process.
  ready.promise.catch(() => {})
  const exited = Promise.withResolvers<void>()

  const post = (message: ToEngine): void => worker.postMessage(message)
  const connections = createConnections(post)
  const takeStatsSoon = createStatSlices()

  const onMessage = (message: FromEngine): void => {
    if ('frame' in message) {
      connections.deliver(message.channel, message.frame)
    } else if ('stats' in message) {
      takeStatsSoon(message.stats)
    } else if ('log' in message) {
      onLog(message.log)
    } else if ('stopRequested' in message) {
      onStopRequested(message.stopRequested)
    } else if ('ready' in message) {
      ready.resolve()
    } else if ('failed' in message) {
      const { code, message: sentence, data } = message.failed
      stopping = true
      giveUp(new DriftlineError(code, sentence, data))
    }
  }

  const launch = (thread: Worker): void => {
    worker = thread
    let reason = 'it exited'
    worker.on('message', onMessage)
    worker.on('error', (error: Error) => {
      reason = error.message
      log.error('the recorder crashed', error)
    })
    worker.once('exit', () => {
      if (stopping) exited.resolve()
      else handleCrash(reason)
    })
    post({ start: restartedAt > Number.NEGATIVE_INFINITY ? { ...start, lastEnd: 'restarted' } : start })
  }
  const launchAnother = (): Worker => launchEngine(program, codeFolderOf(start.dataDir))

  const handleCrash = (reason: string): void => {
    const restart = performance.now() - restartedAt > RESTART_WINDOW_MS
    connections.failOpenCalls(restart ? CRASHED_ONCE : CRASHED_AGAIN)
    if (!restart) {
      stopping = true
      exited.resolve()
      giveUp(
        new DriftlineError(
          'Bug',
          `The recorder crashed twice within a minute (${reason}). The history is safe. Start Driftline again.`
        )
      )
      return
    }
    restartedAt = performance.now()
    launch(launchAnother())
    connections.openAgain()
    log.warn(`The recorder crashed (${reason}) and was restarted. The history is safe.`)
  }

  const giveUp = (error: DriftlineError): void => {
    ready.reject(error)
    onGiveUp(error)
  }

  launch(launched ?? launchAnother())
  return {
    /** Resolves when the engine is ready; rejects when it cannot start, such as with a newer or damaged store. */
    ready: ready.promise,
    connect: connections.connect,
    /** Sends an event of another machine to every channel, in order with those of the engine. */
    emit: <E extends EventName>(event: E, payload: EngineEvents[E]): void => {
      if (!stopping) post({ emit: event, payload })
    },
    /** Closes the engine and ends the thread. */
    async stop(): Promise<void> {
      if (!stopping) {
        stopping = true
        post({ stop: true })
      }
      const timeout = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS)
      await exited.promise
      clearTimeout(timeout)
    }
  }
}

const CRASHED_ONCE =
  'The recorder crashed during this action and was restarted. The history is safe. Check the timeline and try again.'
const CRASHED_AGAIN = 'The recorder crashed. The history is safe. Start Driftline again.'

/**
 * The channels of all clients, and the calls that each of them waits for. A channel outlives a crash of the engine: it
 * is opened again in the next one, and no call of it is left without an answer.
 */
function createConnections(post: (message: ToEngine) => void) {
  const connections = new Map<number, { readonly channel: Channel; readonly calls: OpenCalls }>()
  let nextId = 1
  return {
    /**
     * Forwards the frames of a channel until its other side closes it, which calls `closed`. Returns a function that
     * closes it from this side.
     */
    connect(channel: Channel, closed?: () => void): () => void {
      const id = nextId++
      const calls = new OpenCalls()
      connections.set(id, { channel, calls })
      post({ open: id })
      const close = (): void => {
        if (connections.delete(id)) post({ close: id })
      }
      channel.onFrame((frame) => {
        if (frame === ALIVE) return channel.send(ALIVE)
        calls.started(frame)
        post({ channel: id, frame })
      })
      channel.onClose(() => {
        closed?.()
        close()
      })
      return close
    },
    /** Sends a frame of the engine to its channel; drops it if that was closed. */
    deliver(id: number, frame: string): void {
      const connection = connections.get(id)
      connection?.calls.answered(frame)
      connection?.channel.send(frame)
    },
    /** Answers every open call with `Disconnected`. */
    failOpenCalls(message: string): void {
      for (const { channel, calls } of connections.values())
        for (const id of calls.takeAll())
          channel.send(JSON.stringify({ id, error: { code: 'Disconnected', message, data: {} } } satisfies Frame))
    },
    /** Opens every channel in a new engine, and notifies its client to reload. */
    openAgain(): void {
      for (const [id, { channel }] of connections) {
        post({ open: id })
        channel.send(JSON.stringify({ event: 'workspaces.changed', payload: {} } satisfies Frame))
      }
    }
  }
}
