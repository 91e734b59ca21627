/** A channel whose other end the test controls. */
import type { Channel, Frame } from '../../../src/contract/wire.ts'
import type { ChannelEvents } from '../../../src/renderer/client/platform.ts'

export interface FarEnd {
  /** Received calls without an answer. */
  readonly calls: { readonly id: number; readonly method: string; readonly params: unknown }[]
  open(): void
  close(): void
  reply(id: number, result: unknown): void
  fail(id: number, code: string): void
  event(name: string, payload: unknown, place?: { stream: string; n: number }): void
}

/** A `connect` for `createConnection`; each new connection is added to `ends`. */
export function fakeChannels(): { ends: FarEnd[]; connect: (events: ChannelEvents) => Channel } {
  const ends: FarEnd[] = []
  const connect = (events: ChannelEvents): Channel => {
    let onFrame = (_frame: string) => {}
    let onClose = () => {}
    const calls: FarEnd['calls'] = []
    const send = (frame: unknown) => onFrame(JSON.stringify(frame))
    ends.push({
      calls,
      open: events.opened,
      close: () => {
        onClose()
        events.closed()
      },
      reply: (id, result) => send({ id, result }),
      fail: (id, code) => send({ id, error: { code, message: `${code}.`, data: {} } }),
      event: (event, payload, place) => send({ event, payload, ...place })
    })
    return {
      send: (text) => {
        const frame = JSON.parse(text) as Extract<Frame, { method: string }>
        calls.push({ id: frame.id, method: frame.method, params: frame.params })
      },
      onFrame: (listener) => {
        onFrame = listener
      },
      onClose: (listener) => {
        onClose = listener
      }
    }
  }
  return { ends, connect }
}
