/** The installed app at work: its command and its headless host run out of what was packed, far from the sources. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TempFolder, tempFolder } from '../support/tmp.ts'
import { type InstalledApp, installApp } from './installed-app.ts'

// The command is a POSIX script; Windows has its own, which only a Windows machine can run.

let place: TempFolder
let app: InstalledApp
let project: string
let env: NodeJS.ProcessEnv

beforeAll(async () => {
  place = tempFolder()
  app = await installApp(place.path)
  project = join(place.path, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'a.txt'), 'one\n')
  // No node on the PATH: the app brings its own.
  env = { HOME: place.path, PATH: '/usr/bin:/bin', DRIFTLINE_DATA: join(place.path, 'data') }
})
afterAll(() => place[Symbol.dispose]())

const driftline = (...args: string[]): string =>
  execFileSync(app.command, args, { cwd: project, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

test('its command adds a folder, records a run and undoes it, byte for byte', { tags: ['posix'] }, () => {
  driftline('add', '.')
  driftline('run', '--', 'sh', '-c', 'echo two > a.txt; echo new > b.txt')
  const { files } = JSON.parse(driftline('diff', 'latest', '--json')) as { files: { path: string }[] }
  expect(files.map((file) => file.path)).toEqual(['a.txt', 'b.txt'])
  driftline('undo-run', 'latest', '--yes')
  expect(readFileSync(join(project, 'a.txt'), 'utf8')).toBe('one\n')
  expect(() => readFileSync(join(project, 'b.txt'))).toThrow(/ENOENT/)
  expect(JSON.parse(driftline('doctor', '--json'))).toMatchObject({ ok: true })
})

test('its headless host serves the pages it was packed with', { tags: ['posix'] }, async () => {
  const host = spawn(app.command, ['serve', '--no-open', '--stay'], {
    cwd: project,
    env,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  try {
    const [line] = (await once(host.stdout, 'data')) as [Buffer]
    const url = new URL(line.toString().trim())
    const page = await (await fetch(new URL('/', url))).text()
    const script = /<script[^>]+src="([^"]+)"/.exec(page)?.[1] ?? ''
    const answer = await fetch(new URL(script, url))
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, expect.stringContaining('javascript')])
  } finally {
    host.kill()
    await once(host, 'exit')
  }
})
