/** Hosts: other machines, here homes of their own on this one, reached by a command that ends in a shell. */
import type { ChildProcess } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NamedEvent } from '../../../src/contract/events.ts'
import { PROTOCOL } from '../../../src/contract/protocol.ts'
import { isAlive } from '../../../src/main/engine/ports/processes.ts'
import { buildIdOf } from '../../../src/main/remote/build.ts'
import { hostNamed, type RemoteHost, saveHost } from '../../../src/main/remote/host-files.ts'
import { VERSION } from '../../../src/main/version.ts'
import { cutAt, type FarHost, farHost, standInHost } from '../../support/far-host.ts'
import { addFolder } from '../../support/recorded-folder.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

interface Hosts {
  hosts: { name: string; command: string[]; state: string; version: string; workspaces: { root: string }[] }[]
}

/** How many events a follower waits for; its connection is cut before or after each. */
const POINTS = 8

let project: CliProject
let far: FarHost
const followers: ChildProcess[] = []
/** A host that was added: packing, sending and unpacking the build takes longer than most of what is shown here. */
let prepared: FarHost
let preparedFile: RemoteHost

beforeAll(async () => {
  const first = createCliProject()
  prepared = farHost()
  await first.call(['hosts', 'add', 'prepared', '--', ...prepared.command])
  preparedFile = hostNamed(first.data, 'prepared')
  expect(statSync(prepared.data).mode & 0o077).toBe(0)
  first.remove()
})
afterAll(() => prepared.remove())
beforeEach(() => {
  project = createCliProject()
  far = farHost()
})
afterEach(() => {
  for (const follower of followers.splice(0)) follower.kill('SIGKILL')
  far.remove()
  project.remove()
})

const add = (command: readonly string[], name = 'box') => project.call(['hosts', 'add', name, '--', ...command])
const onBox = <T>(...args: readonly string[]) => project.json<T>(['--host', 'box', ...args])

/** The host `box`, which records its folder `app` with the file `a.txt`. Its recorder is not started yet. */
async function addRecordingHost(command = far.command): Promise<string> {
  far.write('app/a.txt', 'one\n')
  const root = join(far.home, 'app')
  await addFolder(root, far.data)
  cpSync(join(prepared.data, 'builds'), join(far.data, 'builds'), { recursive: true })
  reachBy(command)
  return root
}

/** Whoever reaches the host `box` does it by this command from now on. */
function reachBy(command: readonly string[]): void {
  saveHost(project.data, { ...preparedFile, name: 'box', command })
}

describe('adding', { tags: ['posix'] }, () => {
  test('[RH-2] a build that arrives in part leaves nothing', async () => {
    const armed = join(project.root, '../armed')
    writeFileSync(armed, '')
    const broken = await add(cutAt(far, ` ${VERSION}-`, armed))
    expect([broken.code, broken.err]).toEqual([1, expect.stringContaining('Couldn’t reach box')])
    expect(existsSync(armed)).toBe(false)
    const shell = Number(readFileSync(`${armed}.shell`, 'utf8'))
    await expect.poll(() => isAlive({ pid: shell, start: '' })).toBe(false)
    expect(far.builds()).toEqual([])
    expect((await project.json<Hosts>(['hosts'])).doc.hosts).toEqual([])
  })

  test('[RH-2] a new host gets the build from here, whatever its login prints, and keeps two; a second time nothing is sent', async () => {
    for (const id of ['0.0.1-a', '0.0.1-b', '0.0.1-c']) mkdirSync(join(far.data, 'builds', id), { recursive: true })
    const greeting = ['sh', '-c', 'echo "Welcome to box"; printf "no line end"; exec "$@"', '-', ...far.command]
    const { code, out } = await add(greeting)
    expect([code, out.toString()]).toEqual([
      0,
      expect.stringContaining(`Added box: Driftline ${VERSION}, 0 recorded folders.`)
    ])
    expect(existsSync(join(far.data, 'bin/driftline'))).toBe(true)
    const id = buildIdOf(join(import.meta.dirname, '../../..'))
    expect(far.builds()).toHaveLength(2)
    expect(far.builds()).toContain(id)
    const installed = statSync(join(far.data, 'builds', id)).ino
    expect((await project.call(['hosts', 'add', 'box'])).out.toString()).toContain('Updated box')
    expect(statSync(join(far.data, 'builds', id)).ino).toBe(installed)
    const { doc } = await project.json<Hosts>(['hosts'])
    expect(doc.hosts).toMatchObject([
      { name: 'box', command: greeting, state: 'reached', version: VERSION, workspaces: [] }
    ])
  })

  test('[RH-2] a command that gives no shell is named, with what to do, and nothing is added', async () => {
    for (const command of [['false'], ['no-such-program', 'box'], [process.execPath, '-e', '0']]) {
      const { code, err } = await add(command)
      expect([code, err]).toEqual([1, expect.stringContaining('Couldn’t reach box')])
    }
    expect((await add(far.command, '../x')).code).toBe(2)
    expect((await project.call(['hosts', 'add', 'box'])).code).toBe(2)
    expect((await project.call(['hosts', 'remove', 'box'])).code).toBe(5)
    const unknown = await project.call(['--host', 'box', 'log'])
    expect([unknown.code, unknown.err]).toEqual([5, expect.stringContaining('`driftline hosts` lists them')])
    expect(existsSync(join(project.data, 'hosts'))).toBe(false)
  })

  test('[RH-4] an installed build that is gone is named with what to do; removing a host leaves it as it is', async () => {
    const root = await addRecordingHost()
    const { code, out } = await project.call(['hosts', 'doctor'])
    expect([code, out.toString()]).toEqual([0, expect.stringContaining('no problems')])
    expect((await project.json<Hosts>(['hosts'])).doc.hosts[0]?.workspaces).toMatchObject([{ root }])
    far.driftline('recorder', 'stop')
    const gone = join(project.data, 'hosts/box.json')
    writeFileSync(gone, readFileSync(gone, 'utf8').replaceAll(far.home, `${far.home}/elsewhere`))
    const lost = await project.call(['hosts', 'doctor', 'box'])
    expect([lost.code, lost.out.toString()]).toEqual([1, expect.stringContaining('has no Driftline any more')])
    expect((await project.call(['hosts', 'remove', 'box'])).code).toBe(0)
    expect((await project.json<Hosts>(['hosts'])).doc.hosts).toEqual([])
    expect(far.builds()).toHaveLength(1)
  })
})

describe('commands on a host', { tags: ['posix'] }, () => {
  test('[RH-1] they show and restore what is recorded there, and record nothing here', async () => {
    const root = await addRecordingHost()
    far.driftline('run', '--', 'sh', '-c', 'echo two > a.txt; echo new > b.txt')
    const { doc } = await onBox<{ entries: { id: string; title: string }[] }>('log', '--kind', 'run')
    const [run] = doc.entries
    expect(run?.title).toContain('echo two')
    const { patch } = (await onBox<{ patch: string }>('diff', 'latest', 'a.txt')).doc
    expect(patch).toContain('-one\n+two\n')
    expect((await onBox<{ state: string }>('undo-run', 'latest', join(root, 'a.txt'), '--yes')).doc.state).toBe('done')
    expect([far.read('app/a.txt'), far.read('app/b.txt')]).toEqual(['one\n', 'new\n'])
    expect((await onBox<{ state: string }>('restore', `${run!.id}:start`, '--yes', '--outside', 'replace')).code).toBe(
      0
    )
    expect([far.read('app/a.txt'), existsSync(join(root, 'b.txt'))]).toEqual(['one\n', false])
    const undone = await project.call(['--host', 'box', 'undo', '--yes'])
    expect([undone.code, undone.out.toString()]).toEqual([0, expect.stringContaining('`driftline --host box redo`')])
    expect(far.read('app/b.txt')).toBe('new\n')
    expect((await project.json<{ folders: unknown[] }>(['folders'])).doc.folders).toEqual([])
  })

  test('[RH-1] a folder is named by its path there, or not at all if there is one', async () => {
    const folders = ['/h/app', '/h/second'].map((root) => ({ id: root, root, name: '' }))
    const answers = {
      'app.info': {
        result: { version: VERSION, protocol: PROTOCOL, platform: 'linux', dataDir: '/d', home: '/h' }
      },
      'workspaces.find': { result: { workspace: folders[1] } },
      'timeline.list': { result: { entries: [], more: false, total: 0 } }
    }
    reachBy(standInHost({ ...answers, 'workspaces.list': { result: { workspaces: folders.slice(0, 1), left: [] } } }))
    expect((await project.call(['--host', 'box', '--folder', 'app', 'log'])).err).toContain('absolute path')
    expect((await onBox('log', '../other')).code).toBe(2)
    expect((await onBox<{ error: { code: string } }>('history', '../other')).doc.error.code).toBe(
      'PathOutsideWorkspace'
    )
    reachBy(standInHost({ ...answers, 'workspaces.list': { result: { workspaces: folders, left: [] } } }))
    const unnamed = await project.call(['--host', 'box', 'log'])
    expect([unnamed.code, unnamed.err]).toEqual([5, expect.stringContaining('/h/second')])
    expect((await onBox('log', '--folder', '/h/second')).code).toBe(0)
    expect((await onBox('run', '--', 'true')).code).toBe(2)
  })

  test('[RH-3] a host of another version works with what both know, and says what to do about the rest', async () => {
    const info = { version: '0.0.9', protocol: PROTOCOL, platform: 'linux', dataDir: '/d', home: '/h' }
    const message = 'Driftline has no method "entry.show".'
    const answers = {
      'app.info': { result: info },
      'app.command': { result: { command: 'driftline' } },
      'workspaces.list': { result: { workspaces: [{ id: 'ws_1', root: '/h/app', name: 'app' }], left: [] } },
      'timeline.list': { result: { entries: [], more: false, total: 0 } },
      'entry.show': { error: { code: 'Usage', message, data: { method: 'entry.show' } } }
    }
    expect((await add(standInHost(answers))).out.toString()).toContain('Driftline 0.0.9')
    expect((await onBox<{ entries: unknown[] }>('log')).doc.entries).toEqual([])
    const refused = await project.call(['--host', 'box', 'show', 'latest'])
    expect([refused.code, refused.err]).toEqual([3, expect.stringContaining('driftline hosts add box')])
    for (const [protocol, advice] of [
      [{ version: PROTOCOL.version + 1, oldest: PROTOCOL.version + 1 }, 'Update Driftline on this computer'],
      [{ version: PROTOCOL.oldest - 1, oldest: 0 }, 'driftline hosts add box']
    ] as const) {
      const other = { ...answers, 'app.info': { result: { ...info, version: '7.0.0', protocol } } }
      const { code, err } = await add(standInHost(other))
      expect([code, err]).toEqual([3, expect.stringContaining(advice)])
    }
  })
})

test('[RH-1] a hostile host writes nothing outside the folder of an export, and prints no control characters', {
  tags: ['posix']
}, async () => {
  const root = '/h/\u001b[31mapp'
  const answers = {
    'app.info': { result: { version: VERSION, protocol: PROTOCOL, platform: 'linux', dataDir: '/d', home: '/h' } },
    'app.command': { result: { command: '\u001b[2Jdriftline' } },
    'workspaces.list': { result: { workspaces: [{ id: 'ws_1', root, name: '../../up' }], left: [] } },
    'timeline.list': { result: { entries: [], more: false, total: 0 } },
    'sessions.list': { result: { sessions: [{ id: '../../../escaped', agent: 'x', title: '' }] } },
    'sessions.messages': { result: { messages: [], unknown: [], todos: [], plan: '', more: false, revision: 0 } }
  }
  expect((await add(standInHost(answers))).out.toString()).not.toContain('\u001b')
  const { code, err } = await project.call(['--host', 'box', 'export', '--all'])
  expect([code, err]).toEqual([1, expect.stringContaining('would be outside')])
  expect(readdirSync(project.root)).toEqual(['up-history'])
  expect(existsSync(join(project.root, '../escaped.md'))).toBe(false)
})

describe('a connection that is cut', { tags: ['posix'] }, () => {
  test('[RH-5] while it only reads: unnoticed; during a restore: it is completed there, and its outcome is reported', async () => {
    const armed = join(project.root, '../armed')
    await addRecordingHost(cutAt(far, '"timeline.list"', armed))
    writeFileSync(armed, '')
    expect(await project.call(['--host', 'box', 'log'])).toMatchObject({ code: 0, err: '' })
    expect(existsSync(armed)).toBe(false)

    far.driftline('run', '--', 'sh', '-c', 'echo two > a.txt')
    reachBy(cutAt(far, '"restore.apply"', armed))
    writeFileSync(armed, '')
    const { code, doc } = await onBox<{ state: string; files: number; connectionLost: boolean }>(
      'undo-run',
      'latest',
      '--yes'
    )
    expect(existsSync(armed)).toBe(false)
    expect({ code, ...doc }).toMatchObject({ code: 0, state: 'done', files: 1, connectionLost: true })
    expect(far.read('app/a.txt')).toBe('one\n')
  })

  test('[RH-5] a follower of events misses none and repeats none, however often', { tags: ['long'] }, async () => {
    const armed = join(project.root, '../never')
    await addRecordingHost(cutAt(far, 'nothing', armed))
    const follower = project.start(['--host', 'box', 'events', '--follow', '--since', '0', '--json'])
    followers.push(follower)
    const ended = waitForExit(follower)
    const cut = (): void => {
      try {
        process.kill(Number(readFileSync(`${armed}.pid`, 'utf8')), 'SIGKILL')
      } catch {
        // ESRCH: the follower has not started the next one yet.
      }
    }
    for (let n = 1; n <= POINTS; n++) {
      const seen = waitForOutput(follower.stdout!, `point ${n}.`)
      far.driftline('checkpoint', '-m', `point ${n}.`)
      // Every second one is cut before the point can have arrived; the first connection must be there.
      if (n % 2 === 0) cut()
      await seen
      if (n % 2 === 1) cut()
    }
    follower.kill('SIGINT')
    const { code, out } = await ended
    const labels = out
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as NamedEvent & { label: string }).label)
    expect([code, labels]).toEqual([0, Array.from({ length: POINTS }, (_, n) => `point ${n + 1}.`)])
  })
})
