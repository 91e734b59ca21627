import type { ChildProcess } from 'node:child_process'
import { readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { finished, makePlace, type Place, said } from './place.ts'

let place: Place
const hosts: { child: ChildProcess; end: Promise<unknown> }[] = []

async function startHost(): Promise<ChildProcess> {
  const child = place.start(['serve', '--no-open', '--stay'])
  hosts.push({ child, end: finished(child) })
  await said(child.stdout!, '#token=')
  return child
}

beforeAll(async () => {
  place = makePlace()
  place.write('a.txt', 'a\n')
  await place.call(['add'])
})
afterEach(async () => {
  for (const { child, end } of hosts.splice(0)) {
    child.kill('SIGKILL')
    await end
  }
})
afterAll(() => place.remove())

const write = (name: string) => [process.execPath, '-e', `require('node:fs').writeFileSync('${name}', 'x')`]

test('with a host, commands go through it and the answers are the same', async () => {
  await startHost()
  const { doc } = await place.json<{ recording: boolean }>(['status'])
  expect(doc.recording).toBe(true)
  const run = await place.json<{ files: { path: string }[]; run: string }>(['run', '--', ...write('h.txt')])
  expect(run.doc.files.map((file) => file.path)).toEqual(['h.txt'])
  expect((await place.json<{ state: string }>(['undo-run', run.doc.run, '--yes'])).doc.state).toBe('done')
})

test('open prints the address of the running host where there is no display', async () => {
  const host = await startHost()
  const { code, doc } = await place.json<{ url: string; pid: number; workspace: { id: string } }>(['open'])
  expect([code, doc.pid]).toEqual([0, host.pid])
  expect(doc.url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=[^&]+&open=${doc.workspace.id}$`))
  expect((await place.json(['open', '/'])).code).toBe(5)
})

test.skipIf(process.platform !== 'linux')('without a host, open starts one in the background', async () => {
  const { code, doc } = await place.json<{ url: string; pid: number }>(['open'])
  expect([code, doc.url]).toEqual([0, expect.stringContaining('#token=')])
  try {
    expect((await place.json<{ recording: boolean }>(['status'])).doc.recording).toBe(true)
    expect((await place.json<{ pid: number }>(['open'])).doc.pid).toBe(doc.pid)
  } finally {
    process.kill(doc.pid, 'SIGKILL')
  }
})

test('a host that dies during a run does not stop it: the run is closed all the same', async () => {
  const host = await startHost()
  const child = place.start(['run', '--json', '--', process.execPath, '-e', WAITS])
  const end = finished(child)
  await said(child.stderr!, 'ready')
  host.kill('SIGKILL')
  writeFileSync(join(place.root, 'go'), '')
  const { code, out } = await end
  expect(code).toBe(4)
  const doc = JSON.parse(out.toString()) as { files: { path: string }[]; run: string; error?: unknown }
  expect(doc.error).toBeUndefined()
  expect(doc.files.map((file) => file.path)).toContain('late.txt')
})
const WAITS =
  "const fs = require('node:fs'); console.log('ready'); const t = setInterval(() => { if (!fs.existsSync('go')) return; clearInterval(t); fs.writeFileSync('late.txt', 'x'); process.exitCode = 4 }, 20)"

test('an engine.json that is a link is not followed; the command opens the store itself', async () => {
  await startHost()
  const file = join(place.data, 'engine.json')
  const moved = join(place.data, 'elsewhere.json')
  renameSync(file, moved)
  symlinkSync(moved, file)
  expect((await place.json(['status'])).code).toBe(0)
  rmSync(file)
  expect(readFileSync(moved, 'utf8')).toContain('socket')
})

test('a host that left its file behind is noticed at once', async () => {
  const host = await startHost()
  const gone = finished(host)
  host.kill('SIGKILL')
  await gone
  const started = Date.now()
  expect((await place.json(['status'])).code).toBe(0)
  expect(Date.now() - started).toBeLessThan(10_000)
})

test.skipIf(process.platform === 'win32')('a host that hangs does not take the command line with it', async () => {
  const host = await startHost()
  host.kill('SIGSTOP')
  expect((await place.json<{ recording: boolean }>(['status'])).doc.recording).toBe(false)
})

test('command lines with and without the host at the same time lose nothing', async () => {
  const starting = startHost()
  const names = ['m1.txt', 'm2.txt', 'm3.txt']
  const runs = await Promise.all(names.map((name) => place.json<{ run: string }>(['run', '--', ...write(name)])))
  await starting
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  const { doc } = await place.json<{ drift: unknown[]; activeRuns: unknown[] }>(['status'])
  expect(doc).toMatchObject({ drift: [], activeRuns: [] })
})
