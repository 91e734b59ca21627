/** A browser's WebSocket as a Channel, with back-pressure and a heartbeat. */
import type { WebSocket } from 'ws'
import { type Channel, openChannel } from '../../contract/wire.ts'
import { FRAME_LIMIT } from '../host/socket-channel.ts'

/** Above this send buffer, reading from the browser pauses, bytes. */
const PAUSE_ABOVE = 4 * 1024 * 1024
/** Interval of pings; a browser that sends nothing between two pings is disconnected, ms. */
const HEARTBEAT_MS = 30_000

/** Sends and receives frames on an open WebSocket. Closes it when the browser stops reading or answering. */
export function webSocketChannel(socket: WebSocket): Channel {
  const { channel, deliver, closed } = openChannel((frame) => {
    if (socket.readyState !== socket.OPEN) return
    socket.send(frame, () => {
      if (socket.isPaused && socket.bufferedAmount <= PAUSE_ABOVE) socket.resume()
    })
    if (socket.bufferedAmount > FRAME_LIMIT) socket.terminate()
    else if (socket.bufferedAmount > PAUSE_ABOVE) socket.pause()
  })
  let alive = true

  const heartbeat = setInterval(() => {
    if (!alive) socket.terminate()
    alive = false
    socket.ping()
  }, HEARTBEAT_MS)
  heartbeat.unref()
  socket.on('pong', () => {
    alive = true
  })
  socket.on('message', (data, isBinary) => {
    alive = true
    if (isBinary) socket.close(1003, 'Frames must be text.')
    else deliver(String(data))
  })
  // Expected: a lost connection, a frame over the size limit; 'close' follows.
  socket.on('error', () => {})
  socket.on('close', () => {
    clearInterval(heartbeat)
    closed()
  })

  return channel
}
