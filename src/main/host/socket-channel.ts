/** A socket as a Channel: one JSON frame per line, with a limit on frames and on what waits to be sent. */
import type { Socket } from 'node:net'
import type { Channel } from '../../contract/wire.ts'

/** Largest frame, and most that may wait for a slow reader, in bytes. */
export const FRAME_LIMIT = 64 * 1024 * 1024
/** While more than this waits to be sent, nothing more is read: a caller that does not listen cannot ask either. */
const PAUSE_ABOVE = 4 * 1024 * 1024

const NEWLINE = 10

/** Speaks frames on a connected socket, from either end. Breaks the connection when a limit is passed. */
export function socketChannel(socket: Socket): Channel {
  let frameListener: (frame: string) => void = () => {}
  let closeListener: () => void = () => {}
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
      if (frame) frameListener(frame)
    }
    if (from === chunk.length) return
    parts.push(chunk.subarray(from))
    size += chunk.length - from
    if (size > FRAME_LIMIT) socket.destroy()
  })
  socket.on('drain', () => socket.resume())
  // A broken pipe is how the other side leaves; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => closeListener())

  return {
    send(frame) {
      if (socket.destroyed || !socket.writable) return
      socket.write(`${frame}\n`)
      if (socket.writableLength > FRAME_LIMIT) socket.destroy()
      else if (socket.writableLength > PAUSE_ABOVE) socket.pause()
    },
    onFrame(listener) {
      frameListener = listener
    },
    onClose(listener) {
      closeListener = listener
      if (socket.destroyed) listener()
    }
  }
}
