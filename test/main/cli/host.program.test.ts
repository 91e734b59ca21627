import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { PATIENCE } from '../../../src/main/cli/open-client.ts'
import { endProcess } from '../../support/end-recorder.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

let project: CliProject
const hosts: { child: ChildProcess; end: Promise<unknown> }[] = []

async function startHost(): Promise<ChildProcess> {
  const child = project.start(['serve', '--no-open', '--stay'])
  hosts.push({ child, end: waitForExit(child) })
  await waitForOutput(child.stdout!, '#token=')
  return child
}

beforeEach(async () => {
  project = createCliProject()
  project.write('a.txt', 'a\n')
  await project.add()
})
afterEach(async () => {
  for (const { child, end } of hosts.splice(0)) {
    child.kill('SIGKILL')
    await end
  }
  project.remove()
})

const write = (name: string) => [process.execPath, '-e', `require('node:fs').writeFileSync('${name}', 'x')`]

test('with a host, commands use it and give the same answers; open prints its URL without a display', async () => {
  const host = await startHost()
  const { doc } = await project.json<{ recording: boolean }>(['status'])
  expect(doc.recording).toBe(true)
  const run = await project.json<{ files: { path: string }[]; run: string }>(['run', '--', ...write('h.txt')])
  expect(run.doc.files.map((file) => file.path)).toEqual(['h.txt'])
  expect((await project.json<{ state: string }>(['undo-run', run.doc.run, '--yes'])).doc.state).toBe('done')
  const opened = await project.json<{ url: string; pid: number; workspace: { id: string } }>(['open'])
  expect([opened.code, opened.doc.pid]).toEqual([0, host.pid])
  const { url, workspace } = opened.doc
  expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:\\d+/#token=[^&]+&open=${workspace.id}$`))
  expect((await project.json(['open', '/'])).code).toBe(5)
})

test('without a host, open starts one in the background', { tags: ['linux'] }, async () => {
  const { code, doc } = await project.json<{ url: string; pid: number }>(['open'])
  expect([code, doc.url]).toEqual([0, expect.stringContaining('#token=')])
  try {
    expect((await project.json<{ recording: boolean }>(['status'])).doc.recording).toBe(true)
    expect((await project.json<{ pid: number }>(['open'])).doc.pid).toBe(doc.pid)
  } finally {
    await endProcess(doc.pid)
  }
})

test('a host that crashes during a run does not stop it: the run is closed, and the stale engine.json is ignored', async () => {
  const host = await startHost()
  const child = project.start(['run', '--json', '--', process.execPath, '-e', WAITS])
  const end = waitForExit(child)
  await waitForOutput(child.stderr!, 'ready')
  host.kill('SIGKILL')
  writeFileSync(join(project.root, 'go'), '')
  const { code, out } = await end
  expect(code).toBe(4)
  const doc = JSON.parse(out.toString()) as { files: { path: string }[]; run: string; error?: unknown }
  expect(doc.error).toBeUndefined()
  expect(doc.files.map((file) => file.path)).toContain('late.txt')
  const status = await project.json<{ recording: boolean }>(['status'])
  expect([status.code, status.doc.recording]).toEqual([0, false])
})
const WAITS =
  "const fs = require('node:fs'); console.log('ready'); const t = setInterval(() => { if (!fs.existsSync('go')) return; clearInterval(t); fs.writeFileSync('late.txt', 'x'); process.exitCode = 4 }, 20)"

test('[RC-2] a host that ends between the connection and the begin of a run does not stop it', {
  tags: ['posix']
}, async () => {
  const file = join(project.data, 'engine.json')
  const address = join(project.data, 'stand-in.sock')
  const { id } = (await project.json<{ folders: { id: string }[] }>(['folders'])).doc.folders[0] ?? { id: '' }
  const answers: Record<string, unknown> = {
    'app.info': {},
    'workspaces.find': { workspace: { id, root: project.root } }
  }
  const server = createServer((socket) => {
    socket.on('error', () => {})
    createInterface({ input: socket }).on('line', (line) => {
      const { id: call, method } = JSON.parse(line) as { id: number; method: string }
      if (method in answers) socket.write(`${JSON.stringify({ id: call, result: answers[method] })}\n`)
      else {
        rmSync(file, { force: true })
        socket.destroy()
      }
    })
  })
  await once(server.listen(address), 'listening')
  writeFileSync(file, JSON.stringify({ pid: process.pid, socket: address, version: '0', startedAt: 1 }), {
    mode: 0o600
  })
  const run = await project.json<{ files: { path: string }[] }>(['run', '--', ...write('between.txt')])
  server.close()
  expect([run.code, run.doc.files.map(({ path }) => path)]).toEqual([0, ['between.txt']])
})

test('[RC-3] a host that hangs delays a command for seconds; nothing is opened beside it', {
  tags: ['posix']
}, async () => {
  const host = await startHost()
  const file = join(project.data, 'engine.json')
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), startedAt: 1 }), { mode: 0o600 })
  host.kill('SIGSTOP')
  expect(await project.json(['status'], undefined, { ...PATIENCE, answer: 200 })).toMatchObject({
    code: 1,
    doc: { error: { code: 'NoAnswer', message: expect.stringContaining('`driftline recorder stop` ends it') } }
  })
})

test('commands with and without the host at the same time lose no edits', async () => {
  const starting = startHost()
  const names = ['m1.txt', 'm2.txt', 'm3.txt']
  const runs = await Promise.all(names.map((name) => project.call(['run', '--', ...write(name)])))
  await starting
  expect(runs.map(({ code }) => code)).toEqual([0, 0, 0])
  const { doc } = await project.json<{ drift: unknown[]; activeRuns: unknown[] }>(['status'])
  expect(doc).toMatchObject({ drift: [], activeRuns: [] })
})
