/** The engine in a worker thread: the host's main thread only forwards frames to it and back. */
import { Worker } from 'node:worker_threads'
import { DriftlineError } from '../../contract/errors.ts'
import type { Channel, Frame } from '../../contract/wire.ts'
import { OpenCalls } from './open-calls.ts'
import type { EngineStart, FromEngine, ToEngine } from './thread-messages.ts'

export interface EngineThread {
  /** Resolves when the engine is up; rejects with the reason it cannot start (a newer or damaged store). */
  readonly ready: Promise<void>
  /** Forwards a channel's frames until it closes. Returns how to close it from this side. */
  connect(channel: Channel): () => void
  /** Closes the engine and ends the thread. */
  stop(): Promise<void>
}

export interface EngineThreadOptions {
  /** The worker's program. */
  readonly program: string
  readonly start: EngineStart
  /** The engine failed and was started again: a sentence to show or log. */
  readonly onRestart: (sentence: string) => void
  /** The engine failed again soon after; the host cannot go on. */
  readonly onGiveUp: (error: DriftlineError) => void
}

/**
 * A small young generation is what keeps an idle host small: V8 grows it to 3 x 16 MB when files are listed and
 * never gives it back. The old generation is only a ceiling against a leak.
 */
const MEMORY = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 768 }
/** A second failure within this time after a restart means that restarting does not help, in ms. */
const SOON = 60_000
/** How long the engine may take to close before its thread is ended, in ms. Its transactions are safe either way. */
const CLOSING = 10_000

interface Line {
  readonly channel: Channel
  readonly calls: OpenCalls
}

/** Starts the thread. One failure is survived: open calls fail, channels stay, everybody is told to look again. */
export function startEngineThread({ program, start, onRestart, onGiveUp }: EngineThreadOptions): EngineThread {
  const lines = new Map<number, Line>()
  let nextLine = 1
  let worker: Worker
  let stopping = false
  let restartedAt = Number.NEGATIVE_INFINITY
  const ready = Promise.withResolvers<void>()
  // A host that stops before it was ready does not wait for it.
  ready.promise.catch(() => {})
  const gone = Promise.withResolvers<void>()

  const tell = (message: ToEngine): void => worker.postMessage(message)

  const hear = (message: FromEngine): void => {
    if ('frame' in message) {
      const line = lines.get(message.channel)
      line?.calls.answered(message.frame)
      line?.channel.send(message.frame)
    } else if ('ready' in message) {
      ready.resolve()
    } else if ('failed' in message) {
      const { code, message: sentence, data } = message.failed
      stopping = true
      giveUp(new DriftlineError(code, sentence, data))
    }
  }

  const launch = (): void => {
    const again: EngineStart = restartedAt > Number.NEGATIVE_INFINITY ? { ...start, lastEnd: 'restarted' } : start
    worker = new Worker(program, { workerData: again, resourceLimits: MEMORY, name: 'engine' })
    let reason = 'it ended'
    worker.on('message', hear)
    worker.on('error', (error: Error) => {
      reason = error.message
      console.error(error.stack ?? error.message)
    })
    worker.once('exit', () => {
      if (stopping) gone.resolve()
      else fellOver(reason)
    })
  }

  const fellOver = (reason: string): void => {
    const again = performance.now() - restartedAt > SOON
    failOpenCalls(again)
    if (!again) {
      stopping = true
      gone.resolve()
      giveUp(
        new DriftlineError(
          'Bug',
          `The recorder failed twice within a minute (${reason}). Nothing recorded was lost; start Driftline again.`
        )
      )
      return
    }
    restartedAt = performance.now()
    launch()
    for (const [id, { channel }] of lines) {
      tell({ open: id })
      channel.send(JSON.stringify({ event: 'workspaces.changed', payload: {} } satisfies Frame))
    }
    onRestart(`The recorder failed (${reason}) and was started again. Nothing recorded was lost.`)
  }

  const failOpenCalls = (again: boolean): void => {
    const message = again
      ? 'The recorder failed while this was under way and was started again. Nothing recorded was lost; look at the timeline and try again.'
      : 'The recorder failed. Nothing recorded was lost; start Driftline again.'
    for (const { channel, calls } of lines.values()) {
      for (const id of calls.takeAll()) {
        channel.send(JSON.stringify({ id, error: { code: 'Disconnected', message, data: {} } } satisfies Frame))
      }
    }
  }

  const giveUp = (error: DriftlineError): void => {
    ready.reject(error)
    onGiveUp(error)
  }

  launch()
  return {
    ready: ready.promise,
    connect(channel) {
      const id = nextLine++
      const calls = new OpenCalls()
      lines.set(id, { channel, calls })
      tell({ open: id })
      const close = (): void => {
        if (lines.delete(id)) tell({ close: id })
      }
      channel.onFrame((frame) => {
        calls.asked(frame)
        tell({ channel: id, frame })
      })
      channel.onClose(close)
      return close
    },
    async stop() {
      if (!stopping) {
        stopping = true
        tell({ stop: true })
      }
      const late = setTimeout(() => void worker.terminate(), CLOSING)
      await gone.promise
      clearTimeout(late)
    }
  }
}
