import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DriftlineError } from '../../../src/contract/errors.ts'
import { createClient, memoryChannels } from '../../../src/contract/wire.ts'
import { readRecorderStatus } from '../../../src/main/cli/commands/recorder.ts'
import { connectRecorder, openClient, silentRecorder } from '../../../src/main/cli/open-client.ts'
import { openDatabase } from '../../../src/main/engine/store/database.ts'
import { acquireHostLock } from '../../../src/main/engine/store/host-lock.ts'
import { socketAddress } from '../../../src/main/host/endpoint.ts'
import { writeEngineFile } from '../../../src/main/host/engine-file.ts'
import { pipeSecret } from '../../../src/main/host/pipe-proof.ts'
import { listenOnSocket, type SocketServer } from '../../../src/main/host/socket-server.ts'
import { RECORDER_EXIT } from '../../../src/main/host/start-recorder.ts'
import { PROGRAMS } from '../../../src/main/programs.ts'
import { createEngine, serve } from '../../support/fake-engine.ts'

const programs = {
  engine: PROGRAMS.engine,
  ingest: '/nowhere/ingest-child.js',
  fileHelper: '/nowhere/file-helper.cjs',
  recorder: '',
  serve: '/nowhere/serve.js'
}
let dataDir: string
let server: SocketServer

beforeEach(async () => {
  dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'driftline-connect-')))
  const engine = await createEngine({ dataDir, host: 'server', watch: false, programs })
  const address = socketAddress(dataDir)
  const secret = pipeSecret(address)
  server = await listenOnSocket({ address, dataDir, secret, onChannel: (channel) => void serve(engine, channel) })
  const own = secret === null ? {} : { secret }
  writeEngineFile(dataDir, { pid: process.pid, socket: address, version: '0', startedAt: 0, ...own })
})
afterEach(async () => {
  await server.close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a running host is used, and a large frame arrives complete', async () => {
  const opened = await openClient(dataDir, programs)
  expect(opened.where).toBe('host')
  expect(await opened.client.call('app.info', {})).toMatchObject({ host: 'server', dataDir })
  const folder = `/é\n${'x'.repeat(3_000_000)}`
  expect(await opened.client.call('workspaces.add', { folder, wait: true })).toMatchObject({
    workspace: { root: folder }
  })
  await opened.close()
})

test('[WR-1] open calls fail with Disconnected when the host exits', async () => {
  const { client, close } = await openClient(dataDir, programs)
  const waiting = client.call('stand-in.silence' as never, {} as never)
  const failed = expect(waiting).rejects.toMatchObject({ code: 'Disconnected' })
  await client.call('app.info', {})
  await server.close()
  await failed
  await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'Disconnected' })
  await close()
  server = { close: async () => {} }
})

test('an engine.json that is a symbolic link is ignored', { tags: ['links'] }, async () => {
  const file = join(dataDir, 'engine.json')
  renameSync(file, join(dataDir, 'moved.json'))
  symlinkSync(join(dataDir, 'moved.json'), file)
  const opened = await openClient(dataDir, programs)
  expect(opened.where).toBe('in-process')
  await opened.close()
})

test('[RC-3] a recorder that is alive and does not answer is an error that names it', async () => {
  await server.close()
  server = { close: async () => {} }
  const lock = acquireHostLock(dataDir)
  const error = await openClient(dataDir, programs).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'NoAnswer', data: { pid: process.pid } })
  lock?.release()
})

test('[RC-2] a process with the number of a recorder that was killed is not taken for one that hangs', async () => {
  await server.close()
  server = { close: async () => {} }
  const opened = await openClient(dataDir, programs)
  expect(opened.where).toBe('in-process')
  await opened.close()
  expect(await readRecorderStatus(dataDir)).toMatchObject({ running: false, answers: false, pid: null })
})

test('[RC-2] a recorder that was killed is replaced, also while the system still holds its lock', async () => {
  await server.close()
  server = { close: async () => {} }
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeEngineFile(dataDir, { pid, socket: 'nowhere', version: '0', startedAt: 0 })
  const recorder = join(dataDir, 'recorder.mjs')
  // The first start finds the lock held, the second one does not.
  writeFileSync(
    recorder,
    `import { existsSync, writeFileSync } from 'node:fs'
    process.chdir(import.meta.dirname)
    const isFirst = !existsSync('first')
    writeFileSync(isFirst ? 'first' : 'second', '')
    process.exit(isFirst ? ${RECORDER_EXIT.anotherRuns} : ${RECORDER_EXIT.failed})`
  )
  process.env.DRIFTLINE_RECORDER = ''
  try {
    expect(await connectRecorder(dataDir, recorder)).toBeNull()
  } finally {
    process.env.DRIFTLINE_RECORDER = 'off'
  }
  expect(existsSync(join(dataDir, 'second'))).toBe(true)
})

test('[RC-3] a recorder that was killed and is not gone yet is not taken for one that hangs', async () => {
  const ending = spawn(process.execPath, ['-e', 'process.stdin.resume()'])
  await once(ending, 'spawn')
  writeEngineFile(dataDir, { pid: ending.pid as number, socket: join(dataDir, 'nowhere'), version: '0', startedAt: 0 })
  const silent = silentRecorder(dataDir)
  setImmediate(() => ending.kill('SIGKILL'))
  expect(await silent).toBeNull()
})

test('in one process, frames arrive in order, asynchronously, and never after closing', async () => {
  const channels = memoryChannels()
  const [near, far] = channels.ends
  const got: string[] = []
  far.onFrame((frame) => {
    got.push(frame)
    far.send(JSON.stringify({ id: JSON.parse(frame).id, result: {} }))
  })
  const client = createClient(near)
  const first = client.call('app.info', {})
  expect(got).toEqual([])
  await Promise.all([first, client.call('settings.get', {})])
  expect(got.map((frame) => JSON.parse(frame).id)).toEqual([1, 2])
  channels.close()
  await expect(client.call('app.info', {})).rejects.toMatchObject({ code: 'Disconnected' })
})

test('an engine that cannot be opened in process reports its error code', async () => {
  const newer = openDatabase(join(dataDir, 'app.db'))
  newer.pragma('user_version = 9999')
  newer.close()
  rmSync(join(dataDir, 'engine.json'))
  const error = await openClient(dataDir, programs).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(DriftlineError)
  expect(error).toMatchObject({ code: 'StoreNewer', message: expect.stringMatching(/newer/i) })
})
