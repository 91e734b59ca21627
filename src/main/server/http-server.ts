/**
 * The headless host's HTTP server: pages, and a WebSocket for clients that know the token.
 *
 * It listens on 127.0.0.1 only. Host and Origin must match exactly, which stops DNS rebinding and cross-site WebSocket
 * hijacking. The token travels in the URL's fragment and in the subprotocol header, never in a request path or a log.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../contract/wire.ts'
import { log } from '../engine/ports/log.ts'
import { withWorkspace } from '../host/one-time-url.ts'
import { FRAME_LIMIT } from '../host/socket-channel.ts'
import { HARDENED_HEADERS, plainText, serveStaticFile } from '../host/static-files.ts'
import { sealFor } from './page-key.ts'
import { newToken, sameToken, Tickets } from './tokens.ts'
import { webSocketChannel } from './web-socket-channel.ts'

/** Not imported: that would read each of the module's members, and with them load Node's `fetch`, 60 ms of a start. */
const { createServer } = process.getBuiltinModule('node:http')

export type HttpServer = Awaited<ReturnType<typeof startHttpServer>>

interface HttpServerOptions {
  /** 0 selects a free port. */
  readonly port: number
  /** Folder of the built pages. */
  readonly pages: string
  readonly onChannel: (channel: Channel) => void
  readonly token?: string
  /** `readPageKey`: pages of an earlier host with this key get the token. */
  readonly pageKey: Buffer
}

/** The WebSocket subprotocol that clients must offer together with `token.<token>`. */
const PROTOCOL = 'driftline.v1'
const TICKET_PATH = '/open/'
const KEY_PATH = '/renewal/key'
const RENEWED_TOKEN_PATH = '/renewal/token'

/** Listens on 127.0.0.1 only. Rejects when the port is not available. */
export async function startHttpServer(options: HttpServerOptions) {
  const token = options.token ?? newToken()
  const tickets = new Tickets()
  const server = createServer({ requestTimeout: 30_000 })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_LIMIT,
    perMessageDeflate: false,
    handleProtocols: () => PROTOCOL
  })
  await once(server.listen(options.port, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  // After DNS rebinding a hostile page reaches this server, but its Host header still has the hostile name.
  const names = [`127.0.0.1:${port}`, `localhost:${port}`]
  const origins = names.map((name) => `http://${name}`)
  const url = `http://127.0.0.1:${port}/#token=${token}`

  const respond = async (request: IncomingMessage): Promise<Response> => {
    if (!names.includes(request.headers.host ?? '')) return plainText(421, 'Unknown host name.')
    if (request.method !== 'GET' && request.method !== 'HEAD') return plainText(405, 'Only GET and HEAD are allowed.')
    // An absolute target, or one such as `//`, names another host or nothing.
    const target = request.url ?? ''
    if (!/^\/(?![/\\])/.test(target) || !URL.canParse(target, origins[0])) return plainText(400, 'Invalid target.')
    const { pathname, searchParams } = new URL(target, origins[0])
    if (pathname === KEY_PATH) return handOutKey(request)
    if (pathname === RENEWED_TOKEN_PATH)
      return renewedToken(request.headers.host ?? '', searchParams.get('nonce') ?? '')
    if (pathname === TICKET_PATH) return issueTicket(request)
    if (!pathname.startsWith(TICKET_PATH)) return serveStaticFile(options.pages, pathname)
    const location = tickets.redeem(pathname.slice(TICKET_PATH.length))
    if (location === null) return plainText(403, 'This link was already used or has expired.')
    return new Response(null, { status: 303, headers: { ...HARDENED_HEADERS, location, 'cache-control': 'no-store' } })
  }

  /**
   * A URL that redirects to `url` once and is therefore safe as a process argument; `workspace` is shown first, unless
   * "".
   */
  const oneTimeUrl = (workspace: string): string =>
    `http://127.0.0.1:${port}${TICKET_PATH}${tickets.issue(withWorkspace(url, workspace))}`

  const knowsToken = (request: IncomingMessage): boolean =>
    sameToken(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1], token)

  /** Answers another process of the same user that wants to open a browser. It proves that it knows the token. */
  const issueTicket = (request: IncomingMessage): Response => {
    if (!knowsToken(request)) return plainText(403, 'Invalid token.')
    return plainText(200, oneTimeUrl(new URL(request.url ?? '/', url).searchParams.get('open') ?? ''))
  }

  /** For a page that is connected, so that the next host accepts it. */
  const handOutKey = async (request: IncomingMessage): Promise<Response> => {
    if (!knowsToken(request)) return plainText(403, 'Invalid token.')
    const key = options.pageKey.toString('base64url')
    return plainText(200, JSON.stringify({ key, build: await buildOf(options.pages) }))
  }

  /** For anyone who asks: only a page that has the key can read it. */
  const renewedToken = async (host: string, nonce: string): Promise<Response> => {
    const text = JSON.stringify({ token, build: await buildOf(options.pages) })
    return plainText(200, sealFor(options.pageKey, host, nonce, text))
  }

  server.on('request', (request, response) => {
    respond(request).then(
      (answer) => send(response, answer, request.method === 'HEAD'),
      (error: unknown) => {
        log.error('a page could not be served', error)
        response.writeHead(500).end()
      }
    )
  })

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
    const offeredToken = offered.find((part) => part.startsWith('token.'))?.slice('token.'.length)
    const allowed =
      names.includes(request.headers.host ?? '') &&
      origins.includes(request.headers.origin ?? '') &&
      offered.includes(PROTOCOL) &&
      sameToken(offeredToken, token)
    if (request.url !== '/ws' || !allowed) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.onChannel(webSocketChannel(webSocket)))
  })

  return {
    /** The URL with the token, for the user who started the host. */
    url,
    port,
    oneTimeUrl,
    async close(): Promise<void> {
      for (const client of sockets.clients) client.close(1001, 'The host is closing.')
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of sockets.clients) client.terminate()
    }
  }
}

/** Names the pages: that of the index names all other files by their contents. */
async function buildOf(pages: string): Promise<string> {
  return createHash('sha256')
    .update(await readFile(join(pages, 'index.html')))
    .digest('base64url')
}

async function send(response: ServerResponse, answer: Response, headOnly: boolean): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(headOnly ? undefined : Buffer.from(await answer.arrayBuffer()))
}
