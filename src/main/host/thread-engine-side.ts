/** The worker's side of the engine thread: creates the engine, then serves every channel that the main thread opens. */
import type { MessagePort } from 'node:worker_threads'
import type { EngineEvents, EventName, StopReason } from '../../contract/api.ts'
import type { EngineStart } from '../../contract/engine-start.ts'
import { toErrorShape } from '../../contract/errors.ts'
import { type Channel, openChannel } from '../../contract/wire.ts'
import type { StatBatch } from '../engine/files/stat-batch.ts'
import { setLogSink } from '../engine/ports/log.ts'
import type { FromEngine, ToEngine } from './thread-messages.ts'

interface RunningEngine {
  emit<N extends EventName>(event: N, payload: EngineEvents[N]): void
  close(): Promise<void>
}

/** What the engine asks of the main thread. */
interface EngineRequests {
  readonly requestStop: (why: StopReason) => void
  readonly shareStats: (batch: StatBatch) => void
}

/** The engine to run in the thread: the real one in engine-worker.ts, a fake in tests. */
interface EngineProgram<E extends RunningEngine> {
  readonly createEngine: (start: EngineStart & EngineRequests) => Promise<E>
  readonly serve: (engine: E, channel: Channel) => () => void
}

/**
 * Opens the engine at the start message and serves `port` until a stop message. What arrives before the engine is ready
 * is queued in its order.
 */
export function runEngineThread<E extends RunningEngine>(
  port: MessagePort,
  { createEngine, serve }: EngineProgram<E>
): void {
  const post = (message: FromEngine): void => port.postMessage(message)
  // Only the main thread writes the log file.
  setLogSink((entry) => post({ log: entry }))
  const channels = new Map<number, ReturnType<typeof openChannel> & { stopServing(): void }>()
  const queued: ToEngine[] = []
  let engine: E | undefined

  const handle = (message: ToEngine): void => {
    if ('start' in message) {
      open(message.start)
    } else if (!engine) {
      queued.push(message)
    } else if ('open' in message) {
      const id = message.open
      const opened = openChannel((frame) => post({ channel: id, frame }))
      channels.set(id, { ...opened, stopServing: serve(engine, opened.channel) })
    } else if ('frame' in message) {
      channels.get(message.channel)?.deliver(message.frame)
    } else if ('close' in message) {
      endChannel(message.close)
    } else if ('emit' in message) {
      engine.emit(message.emit, message.payload as never)
    } else {
      void stop(engine)
    }
  }

  const endChannel = (id: number): void => {
    const channel = channels.get(id)
    if (!channel) return
    channels.delete(id)
    channel.closed()
    channel.stopServing()
  }

  const stop = async (running: E): Promise<void> => {
    for (const id of [...channels.keys()]) endChannel(id)
    await running.close()
    post({ stopped: true })
    port.close()
  }

  const open = (start: EngineStart): void =>
    void createEngine({
      ...start,
      requestStop: (why) => post({ stopRequested: why }),
      shareStats: (stats) => post({ stats })
    }).then(
      (created) => {
        engine = created
        post({ ready: true })
        for (const message of queued.splice(0)) handle(message)
      },
      (error: unknown) => {
        post({ failed: toErrorShape(error) })
        port.close()
      }
    )

  port.on('message', handle)
}
