/** [PR-2] Both ends of a pipe prove that they know a secret. The same on a socket file, so that every system runs it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Channel } from '../../../src/contract/wire.ts'
import { dialHost, pipeSecret } from '../../../src/main/host/pipe-proof.ts'
import { socketChannel } from '../../../src/main/host/socket-channel.ts'
import { listenOnSocket, type SocketServer } from '../../../src/main/host/socket-server.ts'

const SECRET = 'known to the user'
let dataDir: string
let address: string
let host: SocketServer | undefined
let impostor: Server | undefined
let channels: Channel[]

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'driftline-proof-'))
  const name = `driftline-test-${randomBytes(8).toString('hex')}`
  address = process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(dataDir, 'engine.sock')
  channels = []
})
afterEach(async () => {
  await host?.close()
  impostor?.close()
  host = impostor = undefined
  rmSync(dataDir, { recursive: true, force: true })
})

/** A host that greets each client, as it does with events. */
async function startHost(): Promise<void> {
  host = await listenOnSocket({
    address,
    dataDir,
    secret: SECRET,
    onChannel: (channel) => {
      channels.push(channel)
      channel.onFrame((frame) => channel.send(`answer to ${frame}`))
      channel.send('event')
    }
  })
}

/** Sends lines as another user could, and resolves with all that comes back. */
async function received(lines: readonly string[]): Promise<string> {
  const socket = connect(address)
  let text = ''
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
  })
  // ECONNRESET, if the host leaves something unread.
  socket.on('error', () => {})
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const line of lines) socket.write(`${line}\n`)
  await closed
  return text
}

test('[PR-2] sides that know the secret exchange frames, whatever is sent along with the proof', async () => {
  await startHost()
  const { socket, ready } = dialHost({ socket: address, secret: SECRET })
  await ready
  const channel = socketChannel(socket)
  const frames: string[] = []
  const answered = new Promise<void>((resolve) => {
    channel.onFrame((frame) => {
      frames.push(frame)
      if (frames.length === 2) resolve()
    })
  })
  channel.send('call')
  socket.resume()
  await answered
  expect(frames).toEqual(['event', 'answer to call'])
  socket.destroy()
})

test('[PR-2] a client that cannot prove itself is disconnected, and gets no event and no answer', async () => {
  await startHost()
  const proofs = [['nonce', 'no proof', 'call'], ['nonce', ''], ['x'.repeat(300)]]
  for (const lines of proofs) expect(await received(lines)).not.toMatch(/event|answer/)
  const other = dialHost({ socket: address, secret: 'another' })
  await expect(other.ready).rejects.toThrow('another program')
  expect(channels).toEqual([])
})

test('[PR-2] nothing is sent to a program that took the name of the pipe, and a proof fits one connection', async () => {
  await startHost()
  const recorded = (await received(['nonce', ''])).trim()
  await host?.close()
  host = undefined
  let heard = ''
  impostor = createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('utf8')
    })
    socket.on('error', () => {})
    socket.write(`${recorded}\n`)
  })
  await once(impostor.listen(address), 'listening')
  const { ready } = dialHost({ socket: address, secret: SECRET })
  await expect(ready).rejects.toThrow('another program')
  expect(heard).toMatch(/^([0-9a-f]{32}\n)?$/)
})

test('[PR-2] each host of a pipe has a secret of its own', () => {
  expect(pipeSecret('\\\\.\\pipe\\x')).toMatch(/^[0-9a-f]{64}$/)
  expect(pipeSecret('\\\\.\\pipe\\x')).not.toBe(pipeSecret('\\\\.\\pipe\\x'))
  expect(pipeSecret('/data/engine.sock')).toBeNull()
})
