/** A page gets the token of the next host of its data folder, and gives nothing to whatever else answers at its address. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type HttpServer, startHttpServer } from '../../../src/main/server/http-server.ts'
import { readPageKey } from '../../../src/main/server/page-key.ts'
import { createPageToken } from '../../../src/renderer/client/page-token.ts'

const KEY = randomBytes(32)
const fetched = globalThis.fetch

let folder: string
let host: HttpServer
/** What the page's address shows, and what it stored. */
let origin: string
let stored: Map<string, string>

const startHost = (token: string, pageKey = KEY) =>
  startHttpServer({ port: 0, pages: folder, token, pageKey, onChannel: () => {} })

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'driftline-page-token-'))
  writeFileSync(join(folder, 'index.html'), 'first')
  host = await startHost('first')
  stored = new Map()
  moveTo(host)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value)
  })
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => fetched(new URL(path, origin), init))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await host.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The page sees this host at its own address, as when that was started again at the same port. */
function moveTo(next: HttpServer): void {
  ;({ origin } = new URL(next.url))
  vi.stubGlobal('location', new URL(origin))
}

async function restarted(token: string, pageKey = KEY): Promise<void> {
  await host.close()
  host = await startHost(token, pageKey)
  moveTo(host)
}

test('[UI-11] a connected page gets the token of the next host of its data folder, and of those after it', async () => {
  const reload = vi.fn()
  const page = createPageToken('first', reload)
  await page.accepted()
  await restarted('second')
  expect(await page.renew()).toBe(true)
  expect(page.protocols()).toEqual(['driftline.v1', 'token.second'])
  expect([...stored.values()]).toEqual(['second'])
  await restarted('third')
  expect(await page.renew()).toBe(true)
  expect(page.protocols()).toContain('token.third')
  expect(reload).not.toHaveBeenCalled()
})

test('a page loads again when the next host has other pages', async () => {
  const reload = vi.fn()
  const page = createPageToken('first', reload)
  await page.accepted()
  writeFileSync(join(folder, 'index.html'), 'second')
  await restarted('second')
  expect(await page.renew()).toBe(true)
  expect(reload).toHaveBeenCalledOnce()
})

test('[UI-11] neither another data folder nor a page that was never connected gets anything', async () => {
  const page = createPageToken('first')
  await restarted('second')
  expect(await page.renew()).toBe(false)
  await restarted('first')
  await page.accepted()
  await restarted('second', randomBytes(32))
  expect(await page.renew()).toBe(false)
  expect(page.protocols()).toContain('token.first')
})

test('[PR-1] a program that took the port learns nothing, and cannot pass an answer of the real host on', async () => {
  const page = createPageToken('first')
  await page.accepted()
  await restarted('second')
  const sent: string[] = []
  const earlier = await (await fetched(`${origin}/renewal/token?nonce=earlier`)).text()
  const real = origin
  // It listens at the page's address, and asks the real host, which had to take another port.
  vi.stubGlobal('location', new URL('http://127.0.0.1:1'))
  for (const answer of [
    (path: string) => fetched(new URL(path, real)).then((given) => given.text()),
    async () => earlier,
    async () => 'no base64 †',
    async () => ''
  ]) {
    vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
      sent.push(`${path} ${JSON.stringify(init?.headers ?? '')}`)
      return new Response(await answer(path))
    })
    expect(await page.renew()).toBe(false)
  }
  const asked = expect.stringMatching(/^\/renewal\/token\?nonce=[0-9a-f-]{36} ""$/)
  expect(sent).toEqual(Array.from({ length: 4 }, () => asked))
  expect(page.protocols()).toContain('token.first')
})

test('[PR-1] the key is kept in the data folder, readable only by the user', () => {
  const key = readPageKey(folder)
  expect(key).toHaveLength(32)
  expect(readPageKey(folder)).toEqual(key)
  expect(statSync(join(folder, 'page.key')).mode & 0o777).toBe(0o600)
  writeFileSync(join(folder, 'page.key'), 'damaged')
  expect(readPageKey(folder)).toHaveLength(32)
})
