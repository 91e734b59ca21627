/** The browser host: a WebSocket, and a token that is removed from the address at once. */
import { readFragment } from './fragment.ts'
import type { Platform } from './platform.ts'

const TOKEN_KEY = 'driftline.token'

export function browserPlatform(): Platform {
  const fragment = readFragment(location.hash)
  if (fragment.token) {
    sessionStorage.setItem(TOKEN_KEY, fragment.token)
    history.replaceState(null, '', location.pathname + location.search)
  }
  const token = fragment.token || (sessionStorage.getItem(TOKEN_KEY) ?? '')
  return {
    kind: 'browser',
    openFirst: fragment.open,
    pathForFile: () => '',
    connect(events) {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const socket = new WebSocket(`${scheme}://${location.host}/ws`, ['driftline.v1', `token.${token}`])
      const unsent: string[] = []
      let onFrame = (_frame: string) => {}
      let onClose = () => {}
      socket.onopen = () => {
        for (const frame of unsent.splice(0)) socket.send(frame)
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
          else unsent.push(frame)
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
