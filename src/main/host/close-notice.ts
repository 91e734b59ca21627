/** Lets somebody beside a channel's user know of its end, such as whoever counts who is connected. */
import type { Channel } from '../../contract/wire.ts'

/** The same channel; `closed` is called before its user's own listener. */
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
