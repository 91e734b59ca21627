/** A browser's WebSocket as a Channel, with back-pressure and a check that the other end is still there. */
import type { WebSocket } from 'ws'
import type { Channel } from '../../contract/wire.ts'
import { FRAME_LIMIT } from '../host/socket-channel.ts'

/** While more than this waits to be sent, nothing more is read from this browser, in bytes. */
const PAUSE_ABOVE = 4 * 1024 * 1024
/** How often a quiet browser is asked for a sign of life, in ms. */
const HEARTBEAT = 30_000

/** Speaks frames on an open WebSocket. Ends it when a browser stops reading or stops answering. */
export function webSocketChannel(socket: WebSocket): Channel {
  let frameListener: (frame: string) => void = () => {}
  let closeListener: () => void = () => {}
  let alive = true

  const heartbeat = setInterval(() => {
    if (!alive) socket.terminate()
    alive = false
    socket.ping()
  }, HEARTBEAT)
  heartbeat.unref()
  socket.on('pong', () => {
    alive = true
  })
  socket.on('message', (data, isBinary) => {
    alive = true
    if (isBinary) socket.close(1003, 'Frames are text.')
    else frameListener(String(data))
  })
  // Expected: a connection that breaks, a frame over the limit; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(heartbeat)
    closeListener()
  })

  return {
    send(frame) {
      if (socket.readyState !== socket.OPEN) return
      socket.send(frame, () => {
        if (socket.isPaused && socket.bufferedAmount <= PAUSE_ABOVE) socket.resume()
      })
      if (socket.bufferedAmount > FRAME_LIMIT) socket.terminate()
      else if (socket.bufferedAmount > PAUSE_ABOVE) socket.pause()
    },
    onFrame(listener) {
      frameListener = listener
    },
    onClose(listener) {
      closeListener = listener
    }
  }
}
