/** The same screens in a browser: a WebSocket, and a token that never stays in the address. */
import { readFragment } from './fragment.ts'
import type { Platform } from './platform.ts'

const TOKEN_KEY = 'driftline.token'

export function browserPlatform(): Platform {
  const arrival = readFragment(location.hash)
  if (arrival.token) {
    sessionStorage.setItem(TOKEN_KEY, arrival.token)
    history.replaceState(null, '', location.pathname + location.search)
  }
  const token = arrival.token || (sessionStorage.getItem(TOKEN_KEY) ?? '')
  return {
    kind: 'browser',
    openFirst: arrival.open,
    pathForFile: () => '',
    connect(events) {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const socket = new WebSocket(`${scheme}://${location.host}/ws`, ['driftline.v1', `token.${token}`])
      const waiting: string[] = []
      let onFrame = (_frame: string) => {}
      let onClose = () => {}
      socket.onopen = () => {
        for (const frame of waiting.splice(0)) socket.send(frame)
        events.opened()
      }
      socket.onmessage = (event: MessageEvent<string>) => onFrame(event.data)
      socket.onclose = () => {
        onClose()
        events.closed()
      }
      return {
        send: (frame) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(frame)
          else waiting.push(frame)
        },
        onFrame: (listener) => {
          onFrame = listener
        },
        onClose: (listener) => {
          onClose = listener
        }
      }
    }
  }
}
