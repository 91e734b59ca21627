/** The two hosts of a page: a browser, and the desktop app, whose preload defines `window.driftline`. */
import type { Platform } from './platform.ts'

/** The API that the Electron preload exposes on `window`. */
interface DriftlineBridge extends Required<Omit<Platform, 'connect' | 'openFirst'>> {
  readonly platform: string
  send(frame: string): void
  onFrame(listener: (frame: string) => void): () => void
}

declare global {
  interface Window {
    readonly driftline?: DriftlineBridge
  }
}

export function detectPlatform(): Platform {
  return window.driftline ? electronPlatform(window.driftline) : browserPlatform()
}

const TOKEN_KEY = 'driftline.token'

/** A WebSocket, and a token that is removed from the address at once. */
export function browserPlatform(): Platform {
  const fragment = readFragment(location.hash)
  if (fragment.token) {
    sessionStorage.setItem(TOKEN_KEY, fragment.token)
    const rest = new URLSearchParams(location.hash.slice(1))
    rest.delete('token')
    history.replaceState(null, '', `${location.pathname}${location.search}#${rest}`)
  }
  reloadForNewToken()
  const token = fragment.token || (sessionStorage.getItem(TOKEN_KEY) ?? '')
  return {
    kind: 'browser',
    openFirst: fragment.open,
    pathForFile: () => '',
    // The tab gets a copy of this session's storage, and with it the token.
    openWindow: (fragment) => void window.open(fragment || location.pathname),
    connect(events) {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws'
      const socket = new WebSocket(`${scheme}://${location.host}/ws`, ['driftline.v1', `token.${token}`])
      const unsent: string[] = []
      let onClose = () => {}
      let opened = false
      socket.onopen = () => {
        opened = true
        for (const frame of unsent.splice(0)) socket.send(frame)
        events.opened()
      }
      socket.onclose = () => {
        onClose()
        events.closed()
        // The reason of a refused socket is hidden from pages. A recorder that is away does not answer this, either.
        if (!opened) fetch('/', { method: 'HEAD', cache: 'no-store' }).then(events.refused, () => {})
      }
      return {
        send: (frame) => {
          if (socket.readyState === WebSocket.OPEN) socket.send(frame)
          else unsent.push(frame)
        },
        onFrame: (listener) => {
          socket.onmessage = (event: MessageEvent<string>) => listener(event.data)
        },
        onClose: (listener) => {
          onClose = listener
        }
      }
    }
  }
}

/** A host that is started again has another token, at the same port: in the same tab its address changes the fragment alone. */
function reloadForNewToken(): void {
  window.addEventListener('popstate', (event) => {
    const { token } = readFragment(location.hash)
    if (token === '') return
    event.stopImmediatePropagation()
    sessionStorage.setItem(TOKEN_KEY, token)
    location.reload()
  })
}

/** Frames go through the preload's bridge, which lives as long as the window does. */
function electronPlatform({ send, onFrame, platform: _platform, ...host }: DriftlineBridge): Platform {
  const { open } = readFragment(location.hash)
  return {
    ...host,
    openFirst: open,
    connect(events) {
      let stop = () => {}
      queueMicrotask(events.opened)
      return {
        send,
        onFrame: (listener) => {
          stop()
          stop = onFrame(listener)
        },
        onClose: () => {}
      }
    }
  }
}

/** Token and workspace of an address fragment such as `#token=…&open=ws_1`; empty strings when absent. */
export function readFragment(hash: string): { readonly token: string; readonly open: string } {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  return { token: params.get('token') ?? '', open: params.get('open') ?? '' }
}
