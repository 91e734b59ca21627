/** A second close listener for a channel, used to count the connected clients. */
import type { Channel } from '../../contract/wire.ts'

/** The same channel; `closed` is called before the listener of the channel's user. */
export function withCloseNotice(channel: Channel, closed: () => void): Channel {
  return {
    send: (frame) => channel.send(frame),
    onFrame: (listener) => channel.onFrame(listener),
    onClose: (listener) =>
      channel.onClose(() => {
        closed()
        listener()
      })
  }
}
