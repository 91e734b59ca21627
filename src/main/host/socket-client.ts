/** A client of the recorder on a connected stream: its socket, or what carries the bytes of that from another machine. */
import type { Duplex } from 'node:stream'
import { ALIVE, createClient, type EventFrame } from '../../contract/wire.ts'
import { socketChannel } from './socket-channel.ts'

export type SocketClient = ReturnType<typeof createSocketClient>

/**
 * `far`: the other side is another machine, whose bytes may be anything: what is no frame ends the connection. `onEvent`
 * gets its events with their numbers.
 */
export function createSocketClient(stream: Duplex, far?: { readonly onEvent: (frame: EventFrame) => void }) {
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  const channel = socketChannel(stream)
  stream.resume()
  return {
    client: createClient(channel, far && { onEvent: far.onEvent, onInvalid: () => void stream.destroy() }),
    closed,
    disconnect: (): void => void stream.destroy(),
    /** Whether anything arrives within `ms`, however long the open calls take. */
    isAnswering: (ms: number): Promise<boolean> =>
      new Promise((resolve) => {
        const timeout = setTimeout(() => resolve(false), ms)
        timeout.unref()
        stream.once('data', () => {
          clearTimeout(timeout)
          resolve(true)
        })
        channel.send(ALIVE)
      })
  }
}

interface AliveTerms {
  /** Between two checks, ms. */
  readonly aliveInterval: number
  /** How long the answer to one may take, ms. */
  readonly alive: number
}

/** Disconnects a recorder that stops answering, so that open calls fail. Returns a function that ends it. */
export function watchAnswers(host: SocketClient, { alive, aliveInterval }: AliveTerms): () => void {
  const timer = setInterval(async () => {
    if (!(await host.isAnswering(alive))) host.disconnect()
  }, aliveInterval)
  timer.unref()
  return () => clearInterval(timer)
}
