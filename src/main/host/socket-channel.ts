/**
 * A socket as a Channel: one JSON frame per line (JSON never contains a raw line feed). Frame size and send buffer are
 * limited, so that a faulty or slow peer cannot exhaust the memory.
 */
import type { Duplex } from 'node:stream'
import { type Channel, openChannel } from '../../contract/wire.ts'

/** Largest frame, and largest send buffer for a slow reader, bytes. */
export const FRAME_LIMIT = 64 * 1024 * 1024
/** Above this send buffer, reading pauses, bytes: a peer that does not read answers cannot send more calls. */
const PAUSE_ABOVE = 4 * 1024 * 1024

const NEWLINE = 10

/** Sends and receives frames on a connected socket, on either side. Closes the connection when a limit is exceeded. */
export function socketChannel(socket: Duplex): Channel {
  const { channel, deliver, closed } = openChannel((frame) => {
    if (socket.destroyed || !socket.writable) return
    socket.write(`${frame}\n`)
    if (socket.writableLength > FRAME_LIMIT) socket.destroy()
    else if (socket.writableLength > PAUSE_ABOVE) socket.pause()
  })
  let parts: Buffer[] = []
  let size = 0

  socket.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      parts.push(chunk.subarray(from, end))
      const frame = Buffer.concat(parts).toString('utf8')
      parts = []
      size = 0
      from = end + 1
      if (frame) deliver(frame)
    }
    if (from === chunk.length) return
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > FRAME_LIMIT) socket.destroy()
  })
  socket.on('drain', () => socket.resume())
  // Expected: EPIPE, ECONNRESET when the peer disconnects; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', closed)

  return {
    ...channel,
    onClose(listener) {
      channel.onClose(listener)
      if (socket.destroyed) listener()
    }
  }
}
