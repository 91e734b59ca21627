/** Features of the headless host: its one line of output, access control, a second start, a clean end. */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type ServeProcess, serveProcess, tempDir } from '../support/host.ts'
import { tokenOf } from '../support/raw-calls.ts'

/** Status of an HTTP request with exactly these headers. */
function statusOf(url: string, headers: Record<string, string>, path = '/'): Promise<number> {
  return new Promise((resolve, reject) => {
    const asked = request(new URL(path, url), { headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    })
    asked.once('error', reject).end()
  })
}

/** 101 when the WebSocket is accepted, else the status of the refusal. */
function socketStatus(
  url: string,
  protocols: readonly string[],
  headers: Record<string, string>,
  path = '/ws'
): Promise<number> {
  return new Promise((resolve) => {
    const { host } = new URL(url)
    const socket = new WebSocket(`ws://${host}${path}`, [...protocols], { headers })
    socket.once('open', () => {
      socket.terminate()
      resolve(101)
    })
    socket.once('unexpected-response', (_request, answer) => {
      resolve(answer.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', () => {})
  })
}

describe('the headless host', () => {
  const dataDir = tempDir('data')
  /** The present host: some tests end it and start the next. */
  let served: ServeProcess

  beforeAll(async () => {
    served = await serveProcess(dataDir)
  })
  afterAll(async () => {
    await served?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('prints one line: a 127.0.0.1 address with a token of 256 bits in its fragment', () => {
    expect(served.line).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=[A-Za-z0-9_-]{43}$/)
  })

  test('writes engine.json with its address, readable only by the user', () => {
    const file = join(dataDir, 'engine.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(join(dataDir, 'engine.sock')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o077).toBe(0)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: served.process.pid, url: served.line })
  })

  test('[WR-3] answers only to its own host names, against DNS rebinding', async () => {
    const { origin } = new URL(served.line)
    const { host, port } = new URL(origin)
    expect(await statusOf(origin, { host })).toBe(200)
    expect(await statusOf(origin, { host: `localhost:${port}` })).toBe(200)
    for (const wrong of ['evil.example', `evil.example:${port}`, '127.0.0.1', `127.0.0.1:${port}.evil.example`]) {
      expect(await statusOf(origin, { host: wrong })).toBe(421)
    }
  })

  test('serves its pages and nothing else from the disk', async () => {
    const { origin } = new URL(served.line)
    const { host } = new URL(origin)
    for (const path of [
      '/%2e%2e/main/serve.js',
      '/..%2fmain%2fserve.js',
      '/%00',
      '/assets/../../main/serve.js',
      '/etc/passwd'
    ]) {
      expect([400, 403, 404]).toContain(await statusOf(origin, { host }, path))
    }
  })

  test('accepts a socket only with the token and its own origin', async () => {
    const { origin } = new URL(served.line)
    const token = tokenOf(served.line)
    const good = ['driftline.v1', `token.${token}`]
    expect(await socketStatus(origin, good, { origin })).toBe(101)
    expect(await socketStatus(origin, ['driftline.v1'], { origin })).toBe(403)
    expect(await socketStatus(origin, ['driftline.v1', 'token.'], { origin })).toBe(403)
    expect(await socketStatus(origin, ['driftline.v1', `token.${token.slice(1)}`], { origin })).toBe(403)
    expect(await socketStatus(origin, [`token.${token}`], { origin })).toBe(403)
    expect(await socketStatus(origin, good, {})).toBe(403)
    expect(await socketStatus(origin, good, { origin: 'http://evil.example' })).toBe(403)
    expect(await socketStatus(origin, good, { origin: 'null' })).toBe(403)
    expect(await socketStatus(origin, good, { origin, host: 'evil.example' })).toBe(403)
    expect(await socketStatus(origin, good, { origin }, '/other')).toBe(403)
  })

  test('gives a one-time address for a valid token', async () => {
    const { origin } = new URL(served.line)
    const token = tokenOf(served.line)
    const ask = (authorization: string): Promise<Response> =>
      fetch(`${origin}/open/?open=ws_1`, { headers: { authorization } })
    expect((await ask('Bearer nonsense')).status).toBe(403)
    const once = await (await ask(`Bearer ${token}`)).text()
    expect(once).not.toContain(token)
    const first = await fetch(once, { redirect: 'manual' })
    expect(first.headers.get('location')).toBe(`${served.line}&open=ws_1`)
    expect((await fetch(once, { redirect: 'manual' })).status).toBe(403)
  })

  test('a second start prints the address of the first, also one whose starter closed the output, and ends well', async () => {
    served.process.stdout?.destroy()
    const second = await serveProcess(dataDir, ['--json'])
    expect(JSON.parse(second.line)).toEqual({ url: served.line, pid: served.process.pid })
    expect(await second.ended).toBe(0)
  })

  test('of several starts at once one becomes the host and the others show it', async () => {
    const together = tempDir('data')
    const starts = await Promise.all([1, 2].map(() => serveProcess(together)))
    expect(new Set(starts.map(({ line }) => line)).size).toBe(1)
    const ends = await Promise.all(starts.map(({ stop }) => stop()))
    expect(ends.every((code) => code === 0 || code === null)).toBe(true)
    rmSync(together, { recursive: true, force: true })
  })

  test('a start while the first one ends takes over', async () => {
    const leaving = served.stop()
    served = await serveProcess(dataDir)
    expect(await leaving).toBe(0)
    expect(JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8'))).toMatchObject({ pid: served.process.pid })
  })

  test('ends cleanly on request, and removes its files', async () => {
    const token = tokenOf(served.line)
    expect(await served.stop()).toBe(0)
    expect(existsSync(join(dataDir, 'engine.json'))).toBe(false)
    expect(existsSync(join(dataDir, 'engine.sock'))).toBe(false)
    served = await serveProcess(dataDir)
    expect(tokenOf(served.line)).not.toBe(token)
  })

  test('takes over from a host that was killed', async () => {
    served.process.kill('SIGKILL')
    await served.ended
    expect(existsSync(join(dataDir, 'engine.sock'))).toBe(true)
    served = await serveProcess(dataDir)
    expect(JSON.parse(readFileSync(join(dataDir, 'engine.json'), 'utf8'))).toMatchObject({ pid: served.process.pid })
  })
})
