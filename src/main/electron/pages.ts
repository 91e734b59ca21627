/** The `app://` scheme of the built pages. Unlike file://, it is a real origin, so the content security policy can refer to it. */
import { protocol } from 'electron'
import { plainText, serveStaticFile } from '../host/static-files.ts'
import { PROGRAMS } from '../programs.ts'

const SCHEME = 'app'
const HOST = 'driftline'

const ORIGIN = `${SCHEME}://${HOST}`

/** URL of the window; `workspace` is shown first, unless "". */
export function pageUrl(workspace: string): string {
  return `${ORIGIN}/index.html${workspace ? `#open=${encodeURIComponent(workspace)}` : ''}`
}

/** True for URLs of our own pages. */
export function isOwnPage(url: string): boolean {
  return url.startsWith(`${ORIGIN}/`)
}

/** Must run before `ready`: Electron accepts privileged schemes only until then. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } }
  ])
}

export function servePages(): void {
  protocol.handle(SCHEME, (request) => {
    const { host, pathname } = new URL(request.url)
    return host === HOST ? serveStaticFile(PROGRAMS.renderer, pathname) : plainText(404, 'Not found.')
  })
}
