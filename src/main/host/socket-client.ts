/** A client of the recorder on a connected stream: its socket, or what carries the bytes of that from another machine. */
import type { Duplex } from 'node:stream'
import { ALIVE, createClient } from '../../contract/wire.ts'
import { socketChannel } from './socket-channel.ts'

export type SocketClient = ReturnType<typeof createSocketClient>

export function createSocketClient(stream: Duplex) {
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  const channel = socketChannel(stream)
  stream.resume()
  return {
    client: createClient(channel),
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
