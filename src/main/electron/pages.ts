/** The `app://` scheme that the built pages come from: a real origin, unlike file://, so the content policy means something. */
import { protocol } from 'electron'
import { plain, serveStaticFile } from '../host/static-files.ts'
import { PROGRAMS } from '../programs.ts'

const SCHEME = 'app'
const HOST = 'driftline'

const ORIGIN = `${SCHEME}://${HOST}`

/** Address of the window, on a workspace if one is named. */
export function pageUrl(workspace: string): string {
  return `${ORIGIN}/index.html${workspace ? `#open=${encodeURIComponent(workspace)}` : ''}`
}

/** True for addresses of our own pages. */
export function isOwnPage(url: string): boolean {
  return url.startsWith(`${ORIGIN}/`)
}

/** Has to run before `ready`. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

export function servePages(): void {
  protocol.handle(SCHEME, (request) => {
    const { host, pathname } = new URL(request.url)
    return host === HOST ? serveStaticFile(PROGRAMS.renderer, pathname) : plain(404, 'Not found.')
  })
}
