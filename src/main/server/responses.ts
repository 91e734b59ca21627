/**
 * What the headless host answers to requests: the pages for anyone, a one-time link and the pages' key for those that know
 * the token, and the token, sealed, for pages that have the key.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { withWorkspace } from '../host/one-time-url.ts'
import { HARDENED_HEADERS, plainText, serveStaticFile } from '../host/static-files.ts'
import { sealFor } from './page-key.ts'
import { sameToken, Tickets } from './tokens.ts'

interface ResponseOptions {
  /** As of `startHttpServer`. */
  readonly pages: string
  readonly pageKey: Buffer
  readonly token: string
  readonly port: number
  /** The names of this server in the header Host. */
  readonly names: readonly string[]
}

const TICKET_PATH = '/open/'
const KEY_PATH = '/renewal/key'
const RENEWED_TOKEN_PATH = '/renewal/token'

export function createResponses({ pages, pageKey, token, port, names }: ResponseOptions) {
  const tickets = new Tickets()
  const origin = `http://127.0.0.1:${port}`
  const url = `${origin}/#token=${token}`

  /**
   * A URL that redirects to `url` once and is therefore safe as a process argument; `workspace` is shown first, unless
   * "".
   */
  const oneTimeUrl = (workspace: string): string =>
    `${origin}${TICKET_PATH}${tickets.issue(withWorkspace(url, workspace))}`

  const knowsToken = (request: IncomingMessage): boolean =>
    sameToken(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1], token)

  /** Answers another process of the same user that wants to open a browser. It proves that it knows the token. */
  const issueTicket = (request: IncomingMessage): Response => {
    if (!knowsToken(request)) return plainText(403, 'Invalid token.')
    return plainText(200, oneTimeUrl(new URL(request.url ?? '/', url).searchParams.get('open') ?? ''))
  }
  const redeemTicket = (ticket: string): Response => {
    const location = tickets.redeem(ticket)
    if (location === null) return plainText(403, 'This link was already used or has expired.')
    return new Response(null, { status: 303, headers: { ...HARDENED_HEADERS, location, 'cache-control': 'no-store' } })
  }
  /** For a page that is connected, so that the next host accepts it. */
  const handOutKey = async (request: IncomingMessage): Promise<Response> => {
    if (!knowsToken(request)) return plainText(403, 'Invalid token.')
    const key = pageKey.toString('base64url')
    return plainText(200, JSON.stringify({ key, build: await buildOf(pages) }))
  }
  /** For anyone who asks: only a page that has the key can read it. */
  const renewedToken = async (host: string, nonce: string): Promise<Response> => {
    const text = JSON.stringify({ token, build: await buildOf(pages) })
    return plainText(200, sealFor(pageKey, host, nonce, text))
  }

  return {
    /** The URL with the token, for the user who started the host. */
    url,
    oneTimeUrl,
    respond: async (request: IncomingMessage): Promise<Response> => {
      const host = request.headers.host ?? ''
      if (!names.includes(host)) return plainText(421, 'Unknown host name.')
      if (request.method !== 'GET' && request.method !== 'HEAD') return plainText(405, 'Only GET and HEAD are allowed.')
      // An absolute target, or one such as `//`, names another host or nothing.
      const target = request.url ?? ''
      if (!/^\/(?![/\\])/.test(target) || !URL.canParse(target, origin)) return plainText(400, 'Invalid target.')
      const { pathname, searchParams } = new URL(target, origin)
      if (pathname === KEY_PATH) return handOutKey(request)
      if (pathname === RENEWED_TOKEN_PATH) return renewedToken(host, searchParams.get('nonce') ?? '')
      if (pathname === TICKET_PATH) return issueTicket(request)
      if (pathname.startsWith(TICKET_PATH)) return redeemTicket(pathname.slice(TICKET_PATH.length))
      return serveStaticFile(pages, pathname)
    }
  }
}

/** Names the pages: that of the index names all other files by their contents. */
async function buildOf(pages: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(pages, 'index.html')))
    .digest('base64url')
}
