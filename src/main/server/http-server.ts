/** The headless host's HTTP server: pages for everybody who asks by our exact name, a socket for who knows the token. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../contract/wire.ts'
import { FRAME_LIMIT } from '../host/socket-channel.ts'
import { HARDENED_HEADERS, plain, serveStaticFile } from '../host/static-files.ts'
import { newToken, sameToken, Tickets } from './tokens.ts'
import { webSocketChannel } from './web-socket-channel.ts'

export interface HttpServer {
  /** The address with the token, for the person who started the host. */
  readonly url: string
  /** An address that works once and leads to `url`, on a workspace if one is named: safe on a command line. */
  oneTimeUrl(workspace: string): string
  close(): Promise<void>
}

export interface HttpServerOptions {
  /** 0 chooses a free one. */
  readonly port: number
  /** Folder of the built pages. */
  readonly pages: string
  readonly onChannel: (channel: Channel) => void
  readonly token?: string
}

/** The protocol browsers must offer beside `token.<token>`. */
const PROTOCOL = 'driftline.v1'
const TICKET_PATH = '/open/'

/** The address with the workspace to open first added; "" adds none. */
export function onWorkspace(url: string, workspace: string): string {
  return workspace ? `${url}&open=${encodeURIComponent(workspace)}` : url
}

/** Listens on 127.0.0.1 only. Rejects when the port cannot be had. */
export async function startHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const token = options.token ?? newToken()
  const tickets = new Tickets()
  const server = createServer({ requestTimeout: 30_000 })
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_LIMIT,
    perMessageDeflate: false,
    handleProtocols: () => PROTOCOL
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  // A page that rebinds its own name to 127.0.0.1 still sends its own name here.
  const names = [`127.0.0.1:${port}`, `localhost:${port}`]
  const origins = names.map((name) => `http://${name}`)
  const url = `http://127.0.0.1:${port}/#token=${token}`

  const answer = async (request: IncomingMessage): Promise<Response> => {
    if (!names.includes(request.headers.host ?? '')) return plain(421, 'This server does not answer to that name.')
    if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET and HEAD.')
    const { pathname } = new URL(request.url ?? '/', origins[0])
    if (pathname === TICKET_PATH) return issueTicket(request)
    if (!pathname.startsWith(TICKET_PATH)) return serveStaticFile(options.pages, pathname)
    const location = tickets.redeem(pathname.slice(TICKET_PATH.length))
    if (location === null) return plain(403, 'This link was used or is too old.')
    return new Response(null, { status: 303, headers: { ...HARDENED_HEADERS, location, 'cache-control': 'no-store' } })
  }

  const oneTimeUrl = (workspace: string): string =>
    `http://127.0.0.1:${port}${TICKET_PATH}${tickets.issue(onWorkspace(url, workspace))}`

  /** For another process of this person that knows the token and wants to show a browser. */
  const issueTicket = (request: IncomingMessage): Response => {
    const given = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1]
    if (!sameToken(given, token)) return plain(403, 'That is not the token.')
    return plain(200, oneTimeUrl(new URL(request.url ?? '/', url).searchParams.get('open') ?? ''))
  }

  server.on('request', (request, response) => {
    answer(request).then(
      (answered) => send(response, answered, request.method === 'HEAD'),
      (error: unknown) => {
        console.error(error)
        response.writeHead(500).end()
      }
    )
  })

  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
    const given = offered.find((part) => part.startsWith('token.'))?.slice('token.'.length)
    const allowed =
      names.includes(request.headers.host ?? '') &&
      origins.includes(request.headers.origin ?? '') &&
      offered.includes(PROTOCOL) &&
      sameToken(given, token)
    if (request.url !== '/ws' || !allowed) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.onChannel(webSocketChannel(webSocket)))
  })

  return {
    url,
    oneTimeUrl,
    async close() {
      for (const client of sockets.clients) client.close(1001, 'The host is closing.')
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
      for (const client of sockets.clients) client.terminate()
    }
  }
}

async function send(response: ServerResponse, answer: Response, headOnly: boolean): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(headOnly ? undefined : Buffer.from(await answer.arrayBuffer()))
}
