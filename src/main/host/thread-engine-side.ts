/** The worker's side of the engine thread: makes the engine, then serves every channel the main thread opens. */
import type { MessagePort } from 'node:worker_threads'
import { toErrorShape } from '../../contract/errors.ts'
import type { Channel } from '../../contract/wire.ts'
import type { EngineStart, FromEngine, ToEngine } from './thread-messages.ts'

interface Closable {
  close(): Promise<void>
}

/** What runs in the thread; the real one is in engine-worker.ts. */
export interface EngineProgram<E extends Closable> {
  readonly createEngine: (start: EngineStart) => Promise<E>
  readonly serve: (engine: E, channel: Channel) => () => void
}

interface OpenChannel {
  deliver(frame: string): void
  closed(): void
  stopServing: () => void
}

/** Answers on `port` until told to stop. Frames that come before the engine is ready wait in the port's order. */
export function runEngineThread<E extends Closable>(
  port: MessagePort,
  start: EngineStart,
  { createEngine, serve }: EngineProgram<E>
): void {
  const say = (message: FromEngine): void => port.postMessage(message)
  const channels = new Map<number, OpenChannel>()
  const early: ToEngine[] = []
  let engine: E | undefined

  const take = (message: ToEngine): void => {
    if (!engine) {
      early.push(message)
    } else if ('open' in message) {
      channels.set(message.open, openChannel(engine, message.open))
    } else if ('frame' in message) {
      channels.get(message.channel)?.deliver(message.frame)
    } else if ('close' in message) {
      endChannel(message.close)
    } else {
      void stop(engine)
    }
  }

  const openChannel = (on: E, id: number): OpenChannel => {
    const opened: OpenChannel = { deliver: () => {}, closed: () => {}, stopServing: () => {} }
    opened.stopServing = serve(on, {
      send: (frame) => say({ channel: id, frame }),
      onFrame: (listener) => {
        opened.deliver = listener
      },
      onClose: (listener) => {
        opened.closed = listener
      }
    })
    return opened
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
    say({ stopped: true })
    port.close()
  }

  port.on('message', take)
  createEngine(start).then(
    (made) => {
      engine = made
      say({ ready: true })
      for (const message of early.splice(0)) take(message)
    },
    (error: unknown) => {
      say({ failed: toErrorShape(error) })
      port.close()
    }
  )
}
