import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FRAME_LIMIT, socketChannel } from '../../../src/main/host/socket-channel.ts'

let server: Server
let near: Socket
let far: Socket

beforeEach(async () => {
  server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  near = connect((server.address() as AddressInfo).port, '127.0.0.1')
  far = (await once(server, 'connection'))[0] as Socket
})
afterEach(() => {
  near.destroy()
  far.destroy()
  server.close()
})

/** Resolves with the first `count` frames. */
function frames(socket: Socket, count: number): Promise<string[]> {
  const got: string[] = []
  return new Promise((resolve) => {
    socketChannel(socket).onFrame((frame) => {
      got.push(frame)
      if (got.length === count) resolve(got)
    })
  })
}

test('frames arrive complete and in order, however the stream is split', async () => {
  const got = frames(near, 4)
  const bytes = Buffer.from('{"a":"ä"}\n{"b":1}\n\n{"c":"日本"}\n{"d":2}\n')
  for (const byte of bytes) far.write(Buffer.from([byte]))
  expect(await got).toEqual(['{"a":"ä"}', '{"b":1}', '{"c":"日本"}', '{"d":2}'])
})

test('both ends use the same format', async () => {
  const got = frames(far, 1)
  socketChannel(near).send('{"big":"'.concat('x'.repeat(3_000_000), '"}'))
  expect((await got)[0]).toHaveLength(3_000_010)
})

test('a line without an end closes the connection instead of filling the memory', async () => {
  const closed = new Promise<void>((resolve) => socketChannel(near).onClose(resolve))
  const piece = Buffer.alloc(1 << 20, 'x')
  far.on('error', () => {})
  const push = (): void => {
    while (!far.destroyed && far.write(piece));
  }
  far.on('drain', push)
  push()
  await closed
  expect(near.bytesRead).toBeLessThan(FRAME_LIMIT + (8 << 20))
})

test('reading from a peer pauses while it does not read, and it is finally disconnected', async () => {
  far.pause()
  const channel = socketChannel(near)
  const closed = new Promise<void>((resolve) => channel.onClose(resolve))
  channel.send('x'.repeat(8 << 20))
  expect(near.isPaused()).toBe(true)
  for (let sent = 0; sent < FRAME_LIMIT; sent += 8 << 20) channel.send('x'.repeat(8 << 20))
  await closed
})

test('sending after the peer disconnected does nothing', async () => {
  const channel = socketChannel(near)
  const closed = new Promise<void>((resolve) => channel.onClose(resolve))
  far.destroy()
  await closed
  expect(() => channel.send('{}')).not.toThrow()
})
