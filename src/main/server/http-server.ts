/**
 * The headless host's HTTP server: pages, and a WebSocket for clients that know the token.
 *
 * It listens on 127.0.0.1 only. Host and Origin must match exactly, which stops DNS rebinding and cross-site WebSocket
 * hijacking. The token travels in the URL's fragment and in the subprotocol header, never in a request path or a log.
 */
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import type { Channel } from '../../contract/wire.ts'
import { log } from '../engine/ports/log.ts'
import { FRAME_LIMIT } from '../host/socket-channel.ts'
import { createResponses } from './responses.ts'
import { newToken, sameToken } from './tokens.ts'
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

/** Listens on 127.0.0.1 only. Rejects when the port is not available. */
export async function startHttpServer(options: HttpServerOptions) {
  const token = options.token ?? newToken()
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
  const { url, oneTimeUrl, respond } = createResponses({ ...options, token, port, names })

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
    if (request.url !== '/ws' || !mayConnect(request, names, token)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
      return
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => options.onChannel(webSocketChannel(webSocket)))
  })

  return {
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

/** Whether a page of this server asks, and knows the token. */
function mayConnect({ headers }: IncomingMessage, names: readonly string[], token: string): boolean {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((part) => part.trim())
  const offeredToken = offered.find((part) => part.startsWith('token.'))?.slice('token.'.length)
  return (
    names.includes(headers.host ?? '') &&
    names.some((name) => headers.origin === `http://${name}`) &&
    offered.includes(PROTOCOL) &&
    sameToken(offeredToken, token)
  )
}

async function send(response: ServerResponse, answer: Response, headOnly: boolean): Promise<void> {
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.end(headOnly ? undefined : Buffer.from(await answer.arrayBuffer()))
}
