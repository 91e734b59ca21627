import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import type { Channel } from '../../../src/contract/wire.ts'
import { withWorkspace } from '../../../src/main/host/one-time-url.ts'
import { type HttpServer, startHttpServer } from '../../../src/main/server/http-server.ts'

const KEY = randomBytes(32)

let pages: string
let server: HttpServer
let channels: Channel[]

beforeEach(async () => {
  pages = mkdtempSync(join(tmpdir(), 'driftline-pages-'))
  writeFileSync(join(pages, 'index.html'), 'page')
  channels = []
  server = await startHttpServer({
    port: 0,
    pages,
    pageKey: KEY,
    token: 'secret',
    onChannel: (channel) => {
      channels.push(channel)
      channel.onFrame((frame) => channel.send(frame))
    }
  })
})
afterEach(async () => {
  await server.close()
  rmSync(pages, { recursive: true, force: true })
})

async function connected(): Promise<WebSocket> {
  const { host, origin } = new URL(server.url)
  const socket = new WebSocket(`ws://${host}/ws`, ['driftline.v1', 'token.secret'], { headers: { origin } })
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
  return socket
}
const closeCode = (socket: WebSocket): Promise<number> =>
  new Promise((resolve) => socket.on('error', () => {}).once('close', resolve))

test('[WR-3] a target that names no path of this host is a bad request, not a failure', async () => {
  const port = Number(new URL(server.url).port)
  const statusOf = (target: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(`GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: close\r\n\r\n`)
      )
      let answer = ''
      socket.on('data', (data) => {
        answer += String(data)
      })
      socket.once('close', () => resolve(answer.split(' ')[1] ?? ''))
      socket.once('error', reject)
    })
  for (const target of ['//', '///x', '/\\', 'http://', 'http://[/', '*', '//[', '/%'])
    expect([target, await statusOf(target)]).toEqual([target, '400'])
  expect(await statusOf('/')).toBe('200')
})

test('selects the subprotocol and passes frames unchanged', async () => {
  const socket = await connected()
  expect(socket.protocol).toBe('driftline.v1')
  const echoed = new Promise((resolve) => socket.once('message', (data) => resolve(String(data))))
  socket.send('{"id":1,"method":"日本"}')
  expect(await echoed).toBe('{"id":1,"method":"日本"}')
})

test('refuses binary frames and frames over 64 MB', async () => {
  const binary = await connected()
  binary.send(Buffer.from([1, 2, 3]))
  expect(await closeCode(binary)).toBe(1003)
  const large = await connected()
  large.send('x'.repeat((64 << 20) + 1))
  expect(await closeCode(large)).toBe(1009)
})

test('disconnects a browser that does not read', async () => {
  const socket = await connected()
  socket.pause()
  const closed = vi.fn()
  channels[0]?.onClose(closed)
  for (let sent = 0; sent < 100; sent += 4) channels[0]?.send('x'.repeat(4 << 20))
  await expect.poll(() => closed).toHaveBeenCalled()
  socket.terminate()
})

test('closing disconnects every browser and frees the port', async () => {
  const socket = await connected()
  const code = closeCode(socket)
  await server.close()
  expect(await code).toBe(1001)
  await expect(fetch(new URL(server.url).origin)).rejects.toThrow()
})

test('allows only GET and HEAD', async () => {
  const { origin } = new URL(server.url)
  expect((await fetch(origin, { method: 'POST' })).status).toBe(405)
  const head = await fetch(origin, { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(await (await fetch(origin)).text()).toBe('page')
})

test('the workspace to open first is added to the URL', () => {
  expect(withWorkspace('http://127.0.0.1:1/#token=t', '')).toBe('http://127.0.0.1:1/#token=t')
  expect(withWorkspace('http://127.0.0.1:1/#token=t', 'ws_1')).toBe('http://127.0.0.1:1/#token=t&open=ws_1')
})

test('a port in use is an error, not another port', async () => {
  const port = Number(new URL(server.url).port)
  await expect(startHttpServer({ port, pages, pageKey: KEY, onChannel: () => {} })).rejects.toThrow(/EADDRINUSE/)
})

test('[WR-3] the key of pages is for those that know the token', async () => {
  const { origin } = new URL(server.url)
  const asked = (authorization: string) => fetch(`${origin}/renewal/key`, { headers: { authorization } })
  expect([(await fetch(`${origin}/renewal/key`)).status, (await asked('Bearer nonsense')).status]).toEqual([403, 403])
  expect(await (await asked('Bearer secret')).json()).toMatchObject({ key: KEY.toString('base64url') })
})
