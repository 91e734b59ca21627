/**
 * Our pages and what they may do: no navigation, new windows, embedded pages or permissions. Their scheme is `app://`:
 * unlike file://, it is a real origin, so the content security policy can refer to it.
 */
import { app, type IpcMainEvent, type IpcMainInvokeEvent, protocol, session } from 'electron'
import { plainText, serveStaticFile } from '../host/static-files.ts'
import { PROGRAMS } from '../programs.ts'

const SCHEME = 'app'
const HOST = 'driftline'

const ORIGIN = `${SCHEME}://${HOST}`

/** URL of the window; `workspace` is shown first, unless "". */
export function pageUrl(workspace: string): string {
  return `${ORIGIN}/index.html${workspace ? `#open=${encodeURIComponent(workspace)}` : ''}`
}

/** URL of a window that shows the address with this fragment, which a page names; null for what is none. */
export function pageUrlOfFragment(fragment: unknown): string | null {
  if (typeof fragment !== 'string' || fragment.length > 16_384) return null
  return fragment === '' || fragment.startsWith('#') ? `${ORIGIN}/index.html${fragment}` : null
}

/** True for URLs of our own pages. */
function isOwnPage(url: string): boolean {
  return url.startsWith(`${ORIGIN}/`)
}

/** Must run before `ready`: Electron accepts privileged schemes only until then. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

/** Serves the pages, with their restrictions. */
export function servePages(): void {
  denyPermissions()
  guardContents()
  protocol.handle(SCHEME, (request) => {
    const { host, pathname } = new URL(request.url)
    return host === HOST ? serveStaticFile(PROGRAMS.renderer, pathname) : plainText(404, 'Not found.')
  })
}

/** True for IPC messages of the top frame of one of our own pages. Embedded frames and other origins are refused. */
export function isOwnSender({ senderFrame }: IpcMainEvent | IpcMainInvokeEvent): boolean {
  return senderFrame !== null && senderFrame.parent === null && isOwnPage(senderFrame.url)
}

/** Denies all permissions, except writing text to the clipboard after a click. */
function denyPermissions(): void {
  const allowed = (permission: string): boolean => permission === 'clipboard-sanitized-write'
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(allowed(permission)))
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => allowed(permission))
}

/** Applies the restrictions to every window when it is created. */
function guardContents(): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
    // A page may reload itself. All other URLs are refused, including those of dropped files.
    const refuseNavigation = (event: { preventDefault(): void }, url: string): void => {
      if (!isOwnPage(url)) event.preventDefault()
    }
    contents.on('will-navigate', refuseNavigation)
    contents.on('will-redirect', refuseNavigation)
    contents.on('will-attach-webview', (event) => event.preventDefault())
  })
}
