/** The launcher: finds itself over links, picks a fit Node, becomes it, and says in one sentence what is missing. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
