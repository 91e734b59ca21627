/** Detects the host: only Electron's preload defines `window.driftline`. */
import type { Platform } from './platform.ts'

export function detectPlatform(): Platform {
  return window.driftline ? electronPlatform(window.driftline) : browserPlatform()
}

/** The browser host: a WebSocket, and a token that is removed from the address at once. */

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

/** Parameters that a host passes to a page in the fragment of its address. */

interface PageFragment {
  readonly token: string
  readonly open: string
}

/** Token and workspace of an address fragment such as `#token=…&open=ws_1`; empty strings when absent. */
export function readFragment(hash: string): PageFragment {
  const params = new URLSearchParams(hash.replace(/^#/, ''))
  return { token: params.get('token') ?? '', open: params.get('open') ?? '' }
}

/** The window inside Electron: frames go through the preload's bridge. */

/** The API that the Electron preload exposes on `window`. */

interface DriftlineBridge {
  readonly kind: 'electron'
  readonly platform: string
  send(frame: string): void
  onFrame(listener: (frame: string) => void): () => void
  pathForFile(file: File): string
  chooseFolder(): Promise<string | null>
  reveal(path: string): Promise<void>
  openInEditor(path: string): Promise<void>
  onCommand(listener: (name: string) => void): () => void
  setTheme(theme: 'system' | 'light' | 'dark'): void
}

declare global {
  interface Window {
    readonly driftline?: DriftlineBridge
  }
}

function electronPlatform(bridge: DriftlineBridge): Platform {
  const { open } = readFragment(location.hash)
  // Used once: a reload opens the last workspace instead.
  if (open) history.replaceState(null, '', location.pathname + location.search)
  return {
    kind: 'electron',
    openFirst: open,
    connect(events) {
      let stop = () => {}
      queueMicrotask(events.opened)
      return {
        send: (frame) => bridge.send(frame),
        onFrame: (listener) => {
          stop()
          stop = bridge.onFrame(listener)
        },
        // The bridge lives as long as the window does.
        onClose: () => {}
      }
    },
    pathForFile: (file) => bridge.pathForFile(file),
    chooseFolder: () => bridge.chooseFolder(),
    reveal: (path) => bridge.reveal(path),
    openInEditor: (path) => bridge.openInEditor(path),
    onCommand: (listener) => bridge.onCommand(listener),
    setTheme: (theme) => bridge.setTheme(theme)
  }
}
