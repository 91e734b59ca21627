import { existsSync, lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Client, Method, Params } from '../../../src/contract/api.ts'
import { DriftlineError } from '../../../src/contract/errors.ts'
import { createClient } from '../../../src/contract/wire.ts'
import { codeFolderOf, logFileOf } from '../../../src/main/host/data-dir.ts'
import { type EngineFile, readEngineFile } from '../../../src/main/host/engine-file.ts'
import { type Host, openHost } from '../../../src/main/host/host.ts'
import { registerFolderOnHost } from '../../../src/main/host/internal-client.ts'
import { launchEngine } from '../../../src/main/host/launch-engine.ts'
import { dialHost } from '../../../src/main/host/pipe-proof.ts'
import { findRunningHost } from '../../../src/main/host/second-host.ts'
import { socketChannel } from '../../../src/main/host/socket-channel.ts'

const engineProgram = resolve('test/support/stand-in-worker.ts')
let dir: string
let hosts: Host[]
let gaveUp: PromiseWithResolvers<DriftlineError>

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'driftline-host-'))
  hosts = []
  gaveUp = Promise.withResolvers()
})
afterEach(async () => {
  for (const host of hosts) await host.close('closed')
  rmSync(dir, { recursive: true, force: true })
})

async function open(dataDir = dir): Promise<Host> {
  const host = await openHost({
    dataDir,
    kind: 'server',
    engineProgram,
    onGiveUp: (error) => gaveUp.resolve(error)
  })
  hosts.push(host)
  return host
}

/** The line of the log file with this text, once it is written. */
const logged = (text: string): Promise<string> =>
  vi.waitFor(() => {
    const line = readFileSync(logFileOf(dir), 'utf8')
      .split('\n')
      .find((candidate) => candidate.includes(text))
    if (line === undefined) throw new Error(`"${text}" is not logged`)
    return line
  })

async function dial(dataDir = dir): Promise<Socket> {
  const { socket, ready } = dialHost(readEngineFile(dataDir) as EngineFile)
  await ready
  return socket
}

interface Caller {
  readonly client: Client
  /** A call of the stand-in that is not in the contract. */
  misbehave(name: 'crash' | 'silence' | 'flood' | 'stat', params?: object): Promise<unknown>
  leave(): void
}

async function callerOf(dataDir = dir): Promise<Caller> {
  const socket = await dial(dataDir)
  const client = createClient(socketChannel(socket))
  socket.resume()
  return {
    client,
    misbehave: (name, params = {}) => client.call(`stand-in.${name}` as Method, params as Params<Method>),
    leave: () => socket.destroy()
  }
}

test('clients of the socket reach the engine, each with its own answers', async () => {
  await open()
  const [caller, two] = [await callerOf(), await callerOf()]
  const answers = await Promise.all([
    caller.client.call('workspaces.find', { folder: '/one' }),
    two.client.call('workspaces.find', { folder: '/two' }),
    caller.client.call('app.info', {})
  ])
  expect(answers).toMatchObject([{ folder: '/one' }, { folder: '/two' }, { host: 'server', dataDir: dir }])
  caller.leave()
  two.leave()
})

test('a second host is refused with a message, and finds the first one', async () => {
  const host = await open()
  host.announce('http://127.0.0.1:1/#token=t')
  await expect(open()).rejects.toMatchObject({ code: 'SecondHost', message: expect.stringContaining('already runs') })
  expect(await findRunningHost(dir, '/project')).toMatchObject({
    pid: process.pid,
    url: 'http://127.0.0.1:1/#token=t',
    workspace: 'ws_/project'
  })
})

test('closing removes socket and engine.json, and releases the lock', async () => {
  const host = await open()
  const caller = await callerOf()
  await caller.client.call('app.info', {})
  await Promise.all([host.close('closed'), host.close('closed')])
  expect(existsSync(join(dir, 'engine.sock'))).toBe(false)
  expect(readEngineFile(dir)).toBeNull()
  expect(await findRunningHost(dir)).toBeNull()
  await expect(caller.client.call('app.info', {})).rejects.toMatchObject({ code: 'Disconnected' })
  await open()
})

test('an engine that cannot start reports why, and releases the lock', async () => {
  const newer = join(dir, 'newer')
  const host = await open(newer)
  await expect(host.ready).rejects.toMatchObject({ code: 'StoreNewer' })
  expect((await gaveUp.promise).code).toBe('StoreNewer')
})

test('a host that cannot be announced ends its engine and its socket before it releases the lock', async () => {
  mkdirSync(join(dir, 'engine.json/in-the-way'), { recursive: true })
  const engine = launchEngine(engineProgram, codeFolderOf(dir))
  const opening = openHost({ dataDir: dir, kind: 'server', engineProgram, engine, onGiveUp: () => {} })
  await expect(opening).rejects.toThrow('engine.json')
  expect([engine.threadId, existsSync(join(dir, 'engine.sock'))]).toEqual([-1, false])
  rmSync(join(dir, 'engine.json'), { recursive: true })
  await open()
})

test('the host registers a folder with its own engine', async () => {
  expect(await registerFolderOnHost(await open(), '/project')).toBe('ws_/project')
})

test('[DR-1] the main thread takes stats for the engine while that waits', async () => {
  await open()
  const caller = await callerOf()
  const path = join(dir, 'file')
  writeFileSync(path, 'text')
  const { ino, size } = lstatSync(path)
  expect(await caller.misbehave('stat', { path })).toMatchObject({ ino, size })
  expect(await caller.misbehave('stat', { path: join(dir, 'none') })).toBeNull()
  caller.leave()
})

describe('when the engine crashes', () => {
  test('it is restarted once: open calls fail, clients stay connected and are notified to reload', async () => {
    await open()
    const [one, two] = [await callerOf(), await callerOf()]
    const lookAgain = new Promise<void>((done) => two.client.on('workspaces.changed', () => done()))
    await two.client.call('app.info', {})
    const silent = two.misbehave('silence')
    const crash = one.misbehave('crash')
    await expect(crash).rejects.toMatchObject({
      code: 'Disconnected',
      message: expect.stringContaining('was restarted')
    })
    await expect(silent).rejects.toBeInstanceOf(DriftlineError)
    await lookAgain
    expect(await one.client.call('app.info', {})).toMatchObject({ host: 'server' })
    expect(await two.client.call('app.info', {})).toMatchObject({ host: 'server' })
    expect(await logged('was restarted')).toMatch(/ warn .*fell over on purpose/)
    expect(await one.client.call('host.state', {})).toMatchObject({ lastEnd: 'restarted' })
    one.leave()
    two.leave()
  })

  test('a second crash within a minute ends the host with a message', async () => {
    await open()
    const caller = await callerOf()
    await expect(caller.misbehave('crash')).rejects.toMatchObject({ code: 'Disconnected' })
    await expect(caller.misbehave('crash')).rejects.toMatchObject({ code: 'Disconnected' })
    expect(await gaveUp.promise).toMatchObject({
      code: 'Bug',
      message: expect.stringContaining('Start Driftline again')
    })
    caller.leave()
  })
})

test('calls are answered while the engine sends much, and a client that does not read is disconnected', async () => {
  await open()
  const lazy = await dial()
  lazy.pause()
  const gone = new Promise<void>((done) => lazy.once('close', () => done()))
  lazy.on('error', () => {})
  lazy.write(`${JSON.stringify({ id: 1, method: 'stand-in.flood', params: { bytes: 80 << 20 } })}\n`)
  const busy = await callerOf()
  for (let round = 0; round < 20; round++) {
    expect(await busy.client.call('app.info', {})).toMatchObject({ host: 'server' })
  }
  // A paused socket reports its end only when it is read again.
  lazy.resume()
  await gone
  expect(await busy.client.call('app.info', {})).toMatchObject({ host: 'server' })
  busy.leave()
})
