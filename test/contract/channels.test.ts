/** The promises of the contract hold over every channel: within a process, over a socket, and over a WebSocket. */
import { once } from 'node:events'
import { createServer, connect as openSocket, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { Client, Method, Params } from '../../src/contract/api.ts'
import { DriftlineError } from '../../src/contract/errors.ts'
import { type Channel, createClient, memoryChannels } from '../../src/contract/wire.ts'
import { createEngine, type Engine } from '../../src/main/engine/engine.ts'
import { serve } from '../../src/main/engine/serve.ts'
import { socketChannel } from '../../src/main/host/socket-channel.ts'
import { PROGRAMS } from '../../src/main/programs.ts'
import { startHttpServer } from '../../src/main/server/http-server.ts'
import { webSocketChannel } from '../../src/main/server/web-socket-channel.ts'
import { tempFolder } from '../support/tmp.ts'

interface Connection {
  readonly channel: Channel
  /** The engine's end breaks off. */
  cut(): void
  close(): Promise<void>
}

type Connect = (folder: string, onChannel: (channel: Channel) => void) => Promise<Connection>

const overMemory: Connect = async (_, onChannel) => {
  const { ends, close } = memoryChannels()
  onChannel(ends[1])
  return { channel: ends[0], cut: close, close: async () => close() }
}

const overSocket: Connect = async (folder, onChannel) => {
  const server = createServer()
  server.listen(join(folder, 'socket'))
  await once(server, 'listening')
  const near = openSocket(join(folder, 'socket'))
  const [far] = (await once(server, 'connection')) as [Socket]
  onChannel(socketChannel(far))
  return {
    channel: socketChannel(near),
    cut: () => far.destroy(),
    close: async () => {
      near.destroy()
      server.close()
    }
  }
}

const overWebSocket: Connect = async (folder, onChannel) => {
  const server = await startHttpServer({
    port: 0,
    pages: folder,
    pageKey: Buffer.alloc(32),
    token: 'secret',
    onChannel
  })
  const { host, origin } = new URL(server.url)
  const socket = new WebSocket(`ws://${host}/ws`, ['driftline.v1', 'token.secret'], { headers: { origin } })
  await once(socket, 'open')
  return { channel: webSocketChannel(socket), cut: () => void server.close(), close: () => server.close() }
}

const CHANNELS: readonly (readonly [string, Connect])[] = [
  ['memory', overMemory],
  ['socket', overSocket],
  ['WebSocket', overWebSocket]
]

describe.each(CHANNELS)('%s', (_, connect) => {
  let temp: ReturnType<typeof tempFolder>
  let engine: Engine
  let connection: Connection
  let client: Client

  beforeEach(async () => {
    temp = tempFolder()
    engine = await createEngine({
      dataDir: join(temp.path, 'data'),
      home: temp.path,
      host: 'cli',
      watch: false,
      programs: { ingest: PROGRAMS.ingest }
    })
    connection = await connect(temp.path, (channel) => serve(engine, channel))
    client = createClient(connection.channel)
  })
  afterEach(async () => {
    await connection.close()
    await engine.close()
    temp[Symbol.dispose]()
  })

  /** A call that the types do not allow. */
  const callUntyped = (method: string, params: object): Promise<unknown> =>
    client.call(method as Method, params as Params<Method>)

  test('a call is answered with its result', async () => {
    expect(await client.call('app.info', {})).toMatchObject({ host: 'cli', dataDir: join(temp.path, 'data') })
  })

  test('an error keeps its code, message and data', async () => {
    const failed = await client.call('workspace.status', { workspace: 'ws_none', check: false }).catch((error) => error)
    expect(failed).toBeInstanceOf(DriftlineError)
    const direct = await engine.call('workspace.status', { workspace: 'ws_none', check: false }).catch((error) => error)
    expect([failed.code, failed.message, failed.data]).toEqual([direct.code, direct.message, direct.data])
  })

  test('unknown methods, unknown keys and wrong types are refused', async () => {
    for (const [method, params] of [
      ['workspaces.forget', {}],
      ['settings.set', { key: 'a', value: 'b', scope: 'c' }],
      ['settings.set', { key: 'a', value: 1 }]
    ] as const)
      await expect(callUntyped(method, params)).rejects.toMatchObject({ code: 'Usage' })
    expect((await client.call('settings.get', {})).values).not.toHaveProperty('a')
  })

  test('events arrive, in the order in which they happened', async () => {
    const values: string[] = []
    const all = new Promise<void>((resolve) =>
      client.on('settings.changed', ({ value }) => {
        values.push(value)
        if (values.length === 50) resolve()
      })
    )
    const expected = Array.from({ length: 50 }, (_, n) => `${n}`)
    await Promise.all(expected.map((value) => client.call('settings.set', { key: 'a', value })))
    await all
    expect(values).toEqual(expected)
  })

  test('[WR-1] every answer reaches its call', async () => {
    const folders = Array.from({ length: 50 }, (_, n) => join(temp.path, `${n}`))
    const answers = await Promise.all([
      ...folders.map((folder) => client.call('workspaces.find', { folder }).catch((error: Error) => error.message)),
      client.call('app.info', {})
    ])
    for (const [n, folder] of folders.entries()) expect(answers[n]).toContain(`${folder} `)
    expect(answers.at(-1)).toHaveProperty('dataDir')
  })

  test('frames of several megabytes are answered and arrive unchanged', async () => {
    const value = '日本語\n"'.repeat(10_000)
    const keys = Array.from({ length: 25 }, (_, n) => `key-${n}`)
    for (const key of keys) await client.call('settings.set', { key, value })
    const { values } = await client.call('settings.get', {})
    expect(keys.every((key) => values[key] === value)).toBe(true)
    await expect(client.call('settings.set', { key: 'a', value: value.repeat(60) })).rejects.toMatchObject({
      code: 'Usage'
    })
  })

  test('[WR-1] open and later calls fail when the connection is lost', async () => {
    await client.call('app.info', {})
    const open = client.call('app.info', {})
    connection.cut()
    await expect(open).rejects.toMatchObject({ code: 'Disconnected' })
    await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'Disconnected' })
  })
})
