/** The launcher: finds itself over links, picks a fit Node, becomes it, and says in one sentence what is missing. */
import { type StdioOptions, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { COMMANDS } from '../../src/main/cli/commands.ts'
import { CALLS_AT_ONCE } from '../../src/main/cli/early-start.ts'
import { dataDirOf } from '../../src/main/host/data-dir.ts'
import { ENGINE_FILE } from '../../src/main/host/engine-file.ts'
import { NODE_OPTIONS } from '../../src/main/host/start-recorder.ts'
import { CLI } from '../support/programs.ts'

let root: string
let launcher: string

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'driftline bin ')))
  launcher = join(root, 'bin', 'driftline')
  mkdirSync(join(root, 'bin'))
  mkdirSync(join(root, 'out', 'main'), { recursive: true })
  copyFileSync(resolve('bin/driftline'), launcher)
  writeFileSync(
    join(root, 'out', 'main', 'cli.cjs'),
    'console.log(JSON.stringify([process.pid, process.execPath, ...process.argv.slice(2)]))'
  )
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

/** A program named `node` in a folder of its own that notes each start and becomes the real one. */
function pretendNode(): string {
  const dir = join(root, 'pretended')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'node'), `#!/bin/sh\necho start >> "${dir}/starts"\nexec "${process.execPath}" "$@"\n`)
  chmodSync(join(dir, 'node'), 0o755)
  return dir
}

function run(program: string, args: readonly string[], path: string) {
  const { pid, status, stdout, stderr } = spawnSync(program, [...args], {
    encoding: 'utf8',
    env: { PATH: `${path}:/usr/bin:/bin` },
    cwd: '/'
  })
  return { pid, status, stderr, said: stdout ? (JSON.parse(stdout) as [number, string, ...string[]]) : null }
}

describe('bin/driftline', { tags: ['posix'] }, () => {
  test('replaces itself with Node and passes arguments unchanged', () => {
    const { pid, said } = run(launcher, ['log', 'a b', '', '*', '--x="y"'], pretendNode())
    expect(said?.[0]).toBe(pid)
    expect(said?.slice(2)).toEqual(['log', 'a b', '', '*', '--x="y"'])
  })

  test('works through a link to a link, absolute or relative', { tags: ['links'] }, () => {
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(launcher, join(root, 'elsewhere', 'first'))
    symlinkSync('first', join(root, 'elsewhere', 'second'))
    expect(run(join(root, 'elsewhere', 'second'), ['x'], pretendNode()).said?.[2]).toBe('x')
  })

  test('prefers the Node installed with it', { tags: ['links'] }, () => {
    const own = join(root, `node_modules/node-linux-${process.arch}/bin`)
    mkdirSync(own, { recursive: true })
    symlinkSync(process.execPath, join(own, 'node'))
    expect(run(launcher, [], pretendNode()).status).toBe(0)
  })

  test.each([[['log']], [['hook', 'claude-code', 'Stop']]])('starts Node exactly once: %j', (words) => {
    const path = pretendNode()
    run(launcher, words, path)
    expect(readFileSync(join(path, 'starts'), 'utf8')).toBe('start\n')
  })

  test('a hook starts its own program directly', () => {
    writeFileSync(
      join(root, 'out', 'main', 'hook.cjs'),
      'console.log(JSON.stringify(["hook", ...process.argv.slice(2)]))'
    )
    expect(run(launcher, ['hook', 'codex', 'Stop'], pretendNode()).said).toEqual(['hook', 'hook', 'codex', 'Stop'])
    // For a person: a hook prints nothing, not even its help.
    expect(run(launcher, ['hook', '--help'], pretendNode()).said?.slice(2)).toEqual(['hook', '--help'])
  })

  test('works when its folder is a link', { tags: ['links'] }, () => {
    mkdirSync(join(root, 'elsewhere'))
    symlinkSync(join(root, 'bin'), join(root, 'elsewhere', 'bin'))
    expect(run(join(root, 'elsewhere', 'bin', 'driftline'), ['x'], pretendNode()).said?.[2]).toBe('x')
  })

  test('explains what to do when it is not built', () => {
    rmSync(join(root, 'out'), { recursive: true })
    const { status, stderr } = run(launcher, [], pretendNode())
    expect(status).toBe(1)
    expect(stderr).toContain('npm run build')
  })
})

describe('[RC-1] the launcher starts the recorder beside the command that will call it', { tags: ['linux'] }, () => {
  let data: string

  beforeEach(() => {
    data = join(root, 'the data')
    mkdirSync(data)
    writeFileSync(join(data, 'app.db'), '')
    // Written once: it may not be opened for writing while a recorder of an earlier call starts from it (ETXTBSY).
    mkdirSync(join(root, 'shell'))
    writeFileSync(join(root, 'shell', 'node'), '#!/bin/sh\necho "$DRIFTLINE_STARTED_RECORDER"\n', { mode: 0o755 })
  })

  /** The recorder that the command finds started: "PID FOLDER"; "" if none was started. Its Node is a shell that prints it. */
  function startedFor(
    words: readonly string[],
    env: Record<string, string> = {},
    stdio: StdioOptions = 'pipe'
  ): string {
    const { stdout, status } = spawnSync(launcher, [...words], {
      encoding: 'utf8',
      env: { PATH: `${join(root, 'shell')}:/usr/bin:/bin`, DRIFTLINE_DATA: data, ...env },
      cwd: '/',
      stdio
    })
    expect(status).toBe(0)
    return stdout.trim()
  }
  const isStarted = expect.stringMatching(/^\d+ \/.*\/the data$/)

  test('for the commands that call it at once, and for hooks', () => {
    const names = COMMANDS.map(({ name }) => name)
    const starting = names.filter((name) => startedFor([name]) !== '')
    expect(starting.sort()).toEqual(['hook', ...CALLS_AT_ONCE].sort())
    expect(startedFor(['run', '--', 'make', '--help', '--data', 'x'])).toEqual(isStarted)
  })

  test('in the default data folder, too', () => {
    const home = { DRIFTLINE_DATA: '', HOME: root }
    expect(startedFor(['log'], home)).toBe('')
    for (const [env, folder] of [
      [{ XDG_DATA_HOME: 'relative' }, join(root, '.local/share/driftline')],
      [{ XDG_DATA_HOME: join(root, 'xdg') }, join(root, 'xdg/driftline')]
    ] as const) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'app.db'), '')
      expect(dataDirOf(undefined, { env: { ...home, ...env }, platform: 'linux', home: root })).toBe(folder)
      expect(startedFor(['log'], { ...home, ...env }).replace(/^\d+ /, '')).toBe(folder)
    }
  })

  test('not where the command has to decide', () => {
    for (const line of ['log --data x', 'log --data=x', 'log --host h', 'log --host=h', 'log --help', 'log -h'])
      expect(startedFor(line.split(' ')), line).toBe('')
    expect(startedFor(['log'], { DRIFTLINE_DATA: 'relative' })).toBe('')
    expect(startedFor(['log'], { DRIFTLINE_RECORDER: 'off' })).toBe('')
    expect(startedFor(['log'], { DRIFTLINE_DATA: join(data, 'none') })).toBe('')
    writeFileSync(join(data, ENGINE_FILE), '{}')
    expect(startedFor(['log'])).toBe('')
  })

  test('not where the caller has left more open than it can close', () => {
    const withOpen = (count: number, more: 'ignore' | 'pipe'): StdioOptions =>
      Array.from({ length: count }, (_, fd) => (fd < 3 ? 'pipe' : more))
    expect(startedFor(['log'], {}, withOpen(10, 'pipe'))).toEqual(isStarted)
    expect(startedFor(['log'], {}, withOpen(12, 'ignore'))).toEqual(isStarted)
    expect(startedFor(['log'], {}, withOpen(12, 'pipe'))).toBe('')
  })

  test('as the command would start it: in a session of its own, for no run, with nothing of its caller', async () => {
    const note = join(root, 'note')
    const recorder = `const { readdirSync, readFileSync, readlinkSync, renameSync, writeFileSync } = require('node:fs')
const links = readdirSync('/proc/self/fd').map((fd) => { try { return readlinkSync('/proc/self/fd/' + fd) } catch { return '' } })
const session = Number(readFileSync('/proc/self/stat', 'utf8').split(' ')[5]) === process.pid
const { execArgv, argv, env } = process
writeFileSync('${note}.part', JSON.stringify({ pid: process.pid, session, execArgv, argv: argv.slice(2), cwd: process.cwd(), run: env.DRIFTLINE_RUN, links }))
renameSync('${note}.part', '${note}')`
    writeFileSync(join(root, 'out', 'main', 'recorder.cjs'), recorder)
    writeFileSync(
      join(root, 'out', 'main', 'cli.cjs'),
      'console.log(JSON.stringify([process.env.DRIFTLINE_STARTED_RECORDER]))'
    )
    const file = openSync(join(root, 'of the caller'), 'w')
    const path = pretendNode()
    const { stdout } = spawnSync(launcher, ['log'], {
      encoding: 'utf8',
      env: { PATH: `${path}:/usr/bin:/bin`, DRIFTLINE_DATA: data, DRIFTLINE_RUN: 'run_1' },
      cwd: root,
      stdio: ['pipe', 'pipe', 'pipe', file]
    })
    closeSync(file)
    await expect.poll(() => existsSync(note)).toBe(true)
    const { pid, links, ...found } = JSON.parse(readFileSync(note, 'utf8'))
    expect(found).toEqual({ session: true, execArgv: NODE_OPTIONS, argv: [`--data=${data}`], cwd: path })
    expect(links.filter((link: string) => link === '/dev/null')).toHaveLength(3)
    expect(links).not.toContain(join(root, 'of the caller'))
    expect(JSON.parse(stdout)).toEqual([`${pid} ${data}`])
  })
})

/** What the command line does under a Node of that version. */
function under(version: string, words: readonly string[]) {
  const pretend = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`
  return spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, CLI, ...words],
    { encoding: 'utf8', input: '{}' }
  )
}

test.each(['20.20.2', '22.21.9', '18.0.0'])('Node %s is refused with a sentence instead of crashing', (version) => {
  const { status, stdout, stderr } = under(version, ['--version'])
  expect([status, stdout]).toEqual([1, ''])
  expect(stderr).toContain(`requires Node 22.22 or newer, but the node on the PATH is v${version}`)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  // [GW-1] An agent is told nothing.
  expect(under(version, ['hook', 'claude-code', 'Stop'])).toMatchObject({ status: 0, stdout: '', stderr: '' })
})

test.each(['22.22.0', '24.0.0', '26.3.1'])('Node %s is taken', (version) => {
  expect(under(version, ['--version'])).toMatchObject({ status: 0, stderr: '' })
})
