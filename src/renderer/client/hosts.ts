/** The two hosts of a page: a browser, and the desktop app, whose preload defines `window.driftline`. */
import type { Channel } from '../../contract/wire.ts'
import { createPageToken, type PageToken, storeToken } from './page-token.ts'
import type { ChannelEvents, Platform } from './platform.ts'

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

/** A WebSocket, and a token that is removed from the address at once. */
export function browserPlatform(): Platform {
  const fragment = readFragment(location.hash)
  if (fragment.token) {
    storeToken(fragment.token)
    const rest = new URLSearchParams(location.hash.slice(1))
    rest.delete('token')
    history.replaceState(null, '', `${location.pathname}${location.search}#${rest}`)
  }
  reloadForNewToken()
  const token = createPageToken(fragment.token)
  return {
    kind: 'browser',
    openFirst: fragment.open,
    pathForFile: () => '',
    // The tab gets a copy of this session's storage, and with it the token.
    openWindow: (fragment) => void window.open(fragment || location.pathname),
    connect: (events) => connectSocket(token, events)
  }
}

/** A channel over a WebSocket. A host that refuses the token may be the next of this page's data folder. */
function connectSocket(token: PageToken, events: ChannelEvents): Channel {
  const address = `${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`
  const unsent: string[] = []
  let onFrame = (_frame: string): void => {}
  let onClose = (): void => {}
  let socket: WebSocket
  const open = (whenRefused: () => void): void => {
    let opened = false
    socket = new WebSocket(address, token.protocols())
    socket.onmessage = (event: MessageEvent<string>) => onFrame(event.data)
    socket.onopen = () => {
      opened = true
      for (const frame of unsent.splice(0)) socket.send(frame)
      events.opened()
      token.accepted().catch(() => {})
    }
    socket.onclose = () => (opened ? close() : whenRefused())
  }
  const close = (): void => {
    onClose()
    events.closed()
  }
  // The reason of a refused socket is hidden from pages. A recorder that is away does not answer this, either.
  const refused = (): void => {
    close()
    fetch('/', { method: 'HEAD', cache: 'no-store' }).then(events.refused, () => {})
  }
  open(() => {
    token.renew().then((isRenewed) => (isRenewed ? open(refused) : refused()), close)
  })
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

/** A host that is started again has another token, at the same port: in the same tab its address changes the fragment alone. */
function reloadForNewToken(): void {
  window.addEventListener('popstate', (event) => {
    const { token } = readFragment(location.hash)
    if (token === '') return
    event.stopImmediatePropagation()
    storeToken(token)
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
