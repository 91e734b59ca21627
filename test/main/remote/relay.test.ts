/** The relay on hosts that answer as scripts say: well, as another version, wrongly, too much, or not at all. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { Client, EngineEvents, EventName } from '../../../src/contract/api.ts'
import type { HostPlace } from '../../../src/contract/hosts.ts'
import { PROTOCOL } from '../../../src/contract/protocol.ts'
import { createClient, memoryChannels } from '../../../src/contract/wire.ts'
import { isAlive } from '../../../src/main/engine/ports/processes.ts'
import { removeHost, saveHost } from '../../../src/main/remote/host-files.ts'
import { createRelay, type Relay } from '../../../src/main/remote/relay.ts'
import { scriptedHost } from '../../support/far-host.ts'

let dataDir: string
let relays: Relay[]
let emitted: { readonly event: EventName; readonly payload: unknown }[]
let watchers: Set<() => void>

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'driftline-relay-'))
  relays = []
  emitted = []
  watchers = new Set()
})
afterEach(() => {
  for (const relay of relays) relay.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const INFO = JSON.stringify({ version: '0.1.0', protocol: PROTOCOL, home: '/far' })
/** A host that records one folder. */
const GOOD = `answer = (method, params) => ({
  'app.info': ${INFO},
  'workspaces.list': { workspaces: [{ id: 'ws_1', root: '/far/app', name: 'app', live: true }], left: [] },
  'timeline.list': { entries: [{ id: 'run_1', kind: 'run' }], more: false, total: 1, asked: params },
  'diff.file': { secret: params?.path === '.env' }
})[method] ?? { asked: params }`

function addFile(name: string, script: string): void {
  const folder = mkdtempSync(join(dataDir, 'far-'))
  const unseen = { build: '', version: '', state: 'out-of-reach', lastSeenAt: 0, workspaces: [] } as const
  saveHost(dataDir, { name, command: scriptedHost(folder, script), ...unseen })
}

/** A page of a relay whose engine answers each call with its own frame. */
function openPage(): Client {
  const emit = <E extends EventName>(event: E, payload: EngineEvents[E]): void => {
    emitted.push({ event, payload })
    for (const watcher of [...watchers]) watcher()
  }
  const relay = createRelay({
    dataDir,
    root: dataDir,
    emit,
    connect: (channel) => {
      channel.onFrame((text) => channel.send(JSON.stringify({ id: JSON.parse(text).id, result: { engine: text } })))
      return () => {}
    }
  })
  relays.push(relay)
  const { ends } = memoryChannels()
  relay.connect(ends[1])
  return createClient(ends[0])
}

/** Waits until what was emitted, or the state of a host, is as `check` wants. */
async function until<T>(check: () => T | Promise<T>): Promise<NonNullable<T>> {
  for (;;) {
    const next = new Promise<void>((resolve) => {
      const watcher = (): void => {
        watchers.delete(watcher)
        resolve()
      }
      watchers.add(watcher)
    })
    const found = await check()
    if (found) return found
    await next
  }
}

const hostsOf = async (page: Client): Promise<readonly HostPlace[]> => (await page.call('hosts.list', {})).hosts
const inPhase = (page: Client, name: string, phase: HostPlace['phase']): Promise<HostPlace> =>
  until(async () => (await hostsOf(page)).find((host) => host.name === name && host.phase === phase))
const events = (event: EventName): unknown[] =>
  emitted.filter((one) => one.event === event).map(({ payload }) => payload)

describe('[RH-6] calls of a page', () => {
  test('go to the host that the workspace or the frame names, and all others to the engine of this computer', async () => {
    addFile('box', GOOD)
    addFile('app', GOOD)
    const page = openPage()
    const box = await inPhase(page, 'box', 'connected')
    await inPhase(page, 'app', 'connected')
    expect(box.workspaces).toMatchObject([{ id: 'box:ws_1', root: '/far/app', name: 'app', live: true }])
    expect(await page.call('drift.list', { workspace: 'box:ws_1', check: false })).toEqual({
      asked: { workspace: 'ws_1', check: false }
    })
    expect(await page.call('workspaces.list', {}, 'app')).toMatchObject({ workspaces: [{ id: 'app:ws_1' }] })
    expect(await page.call('workspaces.list', {})).toEqual({ engine: expect.stringContaining('workspaces.list') })
    expect(await page.call('drift.list', { workspace: 'ws_1', check: false })).toHaveProperty('engine')
    await expect(page.call('drift.list', { workspace: 'gone:ws_1', check: false })).rejects.toThrow('no host "gone"')
  })

  test('a folder that a page adds is in the list of the host when the call is answered', async () => {
    const folders = `{ workspaces: isAdded ? [{ id: 'ws_2', root: '/far/new', name: 'new' }] : [] }`
    addFile(
      'box',
      `let isAdded = false; answer = (m) => {
        if (m === 'workspaces.add') { isAdded = true; return { workspace: { id: 'ws_2', root: '/far/new', name: 'new' } } }
        return m === 'app.info' ? ${INFO} : ${folders}
      }`
    )
    const page = openPage()
    await inPhase(page, 'box', 'connected')
    const { workspace } = await page.call('workspaces.add', { folder: '/far/new', wait: false }, 'box')
    expect((await hostsOf(page))[0]?.workspaces).toMatchObject([{ id: workspace.id }])
  })

  test('are answered from what was last shown while the host is out of reach, also after a start; nothing else is', async () => {
    addFile('box', `if (count > 0) process.exit(3); ${GOOD}`)
    const page = openPage()
    await inPhase(page, 'box', 'connected')
    const list = { workspace: 'box:ws_1', limit: 200 } as const
    await page.call('timeline.list', list)
    const file = { workspace: 'box:ws_1', target: 'run_1' } as const
    await page.call('diff.file', { ...file, path: 'a.txt' })
    await page.call('diff.file', { ...file, path: '.env' })
    relays.pop()?.close()

    const later = openPage()
    const away = await inPhase(later, 'box', 'unreachable')
    expect(away).toMatchObject({ lastSeenAt: expect.any(Number), workspaces: [{ id: 'box:ws_1', live: false }] })
    expect(await later.call('timeline.list', { ...list, limit: 50 })).toMatchObject({ total: 1 })
    expect(await later.call('diff.file', { ...file, path: 'a.txt' })).toMatchObject({ secret: false })
    for (const path of ['.env', 'other.txt'])
      await expect(later.call('diff.file', { ...file, path })).rejects.toThrow('box is out of reach')
    await expect(later.call('drift.accept', { workspace: 'box:ws_1', drift: 'dr_1' })).rejects.toMatchObject({
      code: 'HostUnreachable'
    })
    const shown = join(dataDir, 'hosts/box.shown')
    expect(statSync(shown).mode & 0o077).toBe(0)
    expect(readFileSync(shown, 'utf8')).not.toContain('.env')
    await later.call('hosts.remove', { name: 'box' })
    expect([existsSync(shown), await hostsOf(later)]).toEqual([false, []])
  })

  test('follow what the command line adds and removes meanwhile', async () => {
    const page = openPage()
    expect(await hostsOf(page)).toEqual([])
    addFile('box', GOOD)
    await inPhase(page, 'box', 'connected')
    await page.call('timeline.list', { workspace: 'box:ws_1', limit: 1 })
    removeHost(dataDir, 'box')
    expect(await hostsOf(page)).toEqual([])
    expect(readdirSync(join(dataDir, 'hosts'))).toEqual([])
  })
})

describe('[RH-7] a host that is broken or hostile', () => {
  test.each([
    ['a banner before the answer is skipped', `send('<b>Welcome</b>'); send('x'.repeat(5000)); ${GOOD}`, 'connected'],
    ['bytes without end are given up', `setInterval(() => send('y'.repeat(60_000)), 1)`, 'unreachable'],
    ['a line without end is given up', `setInterval(() => process.stdout.write('y'.repeat(60_000)), 1)`, 'unreachable'],
    ['garbage ends the connection', `ready.then(() => send('garbage')); ${GOOD}`, 'unreachable'],
    ['an answer that is no recorder’s is refused', `answer = () => ({})`, 'unreachable'],
    [
      'a command that ends at once',
      `console.error('\\x1b[31mPermission denied\\x07'); process.exit(255)`,
      'unreachable'
    ]
  ] as const)('%s', async (_title, script, phase) => {
    addFile('box', script)
    addFile('good', GOOD)
    const page = openPage()
    const place = await inPhase(page, 'box', phase)
    expect(place.printed).toBe(script.includes('denied') ? 'Permission denied' : '')
    await inPhase(page, 'good', 'connected')
  })

  test('one that hangs is waited for until a person cancels; the others work', async () => {
    addFile('good', GOOD)
    const page = openPage()
    await inPhase(page, 'good', 'connected')
    await page.call('hosts.remove', { name: 'nobody' })
    addFile('box', `process.stdin.on('data', () => {})`)
    await inPhase(page, 'box', 'connecting')
    expect(await page.call('drift.list', { workspace: 'good:ws_1', check: false })).toHaveProperty('asked')
    await page.call('hosts.remove', { name: 'box' })
    expect((await hostsOf(page)).map(({ name }) => name)).toEqual(['good'])
  })

  test('reports about its own folders alone, and only in forms that a page knows', async () => {
    const event = (name: string, payload: object): string =>
      `send('${JSON.stringify({ event: name, payload }).replaceAll("'", '')}')`
    const changed = { rev: 1, kinds: ['edits'], paths: ['<img src=x>'] }
    const wrong = [
      event('workspace.changed', { workspace: 'good:ws_1', ...changed }),
      event('workspace.changed', { workspace: 'ws_1', ...changed, kinds: 'edits' }),
      event('workspace.changed', { workspace: 7, ...changed }),
      event('settings.changed', { key: 'ui.theme', value: 'dark' }),
      event('host.restored', { host: 'good', workspace: 'ws_1', state: 'done', files: 1 }),
      event('no.such', {})
    ]
    const right = event('workspace.changed', { workspace: 'ws_1', ...changed })
    addFile(
      'box',
      `${GOOD}; const was = answer; answer = (m, p) => { if (m === 'drift.list') { ${wrong.join(';')}; ${right} } return was(m, p) }`
    )
    const page = openPage()
    await inPhase(page, 'box', 'connected')
    await page.call('drift.list', { workspace: 'box:ws_1', check: false })
    await until(() => events('workspace.changed').length > 0)
    expect(events('workspace.changed')).toEqual([{ workspace: 'box:ws_1', ...changed }])
    expect([events('settings.changed'), events('host.restored')]).toEqual([[], []])
  })

  test('lists folders that are none, twice, or with ids of others: only its own are shown', async () => {
    const folders = [
      { id: 'ws_1', root: '/a', name: '<b>a</b>', live: 'yes', openDrift: '<i>' },
      { id: 'ws_1', root: '/b', name: 'b' },
      { id: 'good:ws_1', root: '/c', name: 'c' },
      { id: 5, root: '/d', name: 'd' },
      null,
      'x'
    ]
    addFile('box', `answer = (method) => method === 'app.info' ? ${INFO} : { workspaces: ${JSON.stringify(folders)} }`)
    const page = openPage()
    const { workspaces } = await inPhase(page, 'box', 'connected')
    expect(workspaces).toMatchObject([{ id: 'box:ws_1', name: '<b>a</b>', live: false, openDrift: 0 }])
    expect(workspaces).toHaveLength(1)
  })

  test('answers without what was asked for: the page gets an error that names the host', async () => {
    addFile(
      'box',
      `answer = (m) => m === 'app.info' ? ${INFO} : m === 'workspaces.list' ? { workspaces: [] } : { entries: 5 }`
    )
    const page = openPage()
    await inPhase(page, 'box', 'connected')
    await expect(page.call('timeline.list', { workspace: 'box:ws_9', limit: 1 })).rejects.toThrow('box gave an answer')
  })

  test.each(['no JSON', 'null', '{"workspaces":5}', '{"workspaces":[null,{"root":"/x"}]}'])(
    'what was last shown of a host is damaged (%s): it is connected, and so are the others',
    async (listed) => {
      addFile('box', GOOD)
      addFile('good', GOOD)
      writeFileSync(join(dataDir, 'hosts/box.shown'), JSON.stringify(['["workspaces.list",{},null]', listed]))
      const page = openPage()
      expect((await inPhase(page, 'box', 'connected')).workspaces).toMatchObject([{ id: 'box:ws_1' }])
      await inPhase(page, 'good', 'connected')
    }
  )

  test('a file of a host that cannot be read hides no other host', async () => {
    addFile('good', GOOD)
    addFile('box', GOOD)
    writeFileSync(join(dataDir, 'hosts/box.json'), '{"command":[]}')
    const page = openPage()
    await inPhase(page, 'good', 'connected')
    expect(await inPhase(page, 'box', 'damaged')).toMatchObject({ reason: expect.stringContaining('cannot be read') })
  })
})

describe('[RH-2] adding a host from the window', { tags: ['posix'] }, () => {
  /** A program without files: its build is never sent. */
  function emptyProgram(): void {
    for (const folder of ['out/main', 'node_modules/better-sqlite3/lib'])
      mkdirSync(join(dataDir, folder), { recursive: true })
    for (const file of ['package.json', 'node_modules/better-sqlite3/package.json'])
      writeFileSync(join(dataDir, file), '{}')
  }

  test('shows what its command prints, and leaves nothing when it fails or is cancelled', async () => {
    emptyProgram()
    const page = openPage()
    const question = 'Are you sure (yes/no)?'
    const failing = ['sh', '-c', `echo "${question}" >&2; exit 255`, 'sh']
    await expect(page.call('hosts.add', { name: 'box', command: failing })).rejects.toThrow('exit code 255')
    await until(() => events('hosts.progress').some((progress) => JSON.stringify(progress).includes(question)))
    const hanging = page.call('hosts.add', {
      name: 'box',
      command: ['sh', '-c', `echo "${question}" >&2; sleep 60`, 'sh']
    })
    const refused = expect(hanging).rejects.toMatchObject({ code: 'Cancelled' })
    await expect(page.call('hosts.add', { name: 'box', command: failing })).rejects.toThrow('is being added already')
    await page.call('hosts.cancel', { name: 'box' })
    await refused
    expect([await hostsOf(page), existsSync(join(dataDir, 'hosts'))]).toEqual([[], false])
    await expect(page.call('hosts.add', { name: '../x', command: failing })).rejects.toMatchObject({ code: 'Usage' })
    await expect(page.call('hosts.add', { name: 'box', command: [] })).rejects.toMatchObject({ code: 'Usage' })
  })

  test('a host stays as it was when another command for it fails', async () => {
    emptyProgram()
    addFile('box', GOOD)
    const page = openPage()
    const { command } = await inPhase(page, 'box', 'connected')
    await expect(page.call('hosts.add', { name: 'box', command: ['sh', '-c', 'exit 1', 'sh'] })).rejects.toThrow(
      'exit code 1'
    )
    expect(await inPhase(page, 'box', 'connected')).toMatchObject({ command })
  })

  test('keeps one that answers, and connects no second time', async () => {
    emptyProgram()
    const page = openPage()
    const folder = mkdtempSync(join(dataDir, 'far-'))
    const command = scriptedHost(
      folder,
      `${GOOD}; const was = answer; answer = (m, p) => m === 'app.command' ? { command: '/far/driftline' } : was(m, p)`
    )
    const { host, command: there } = await page.call('hosts.add', { name: 'box', command })
    expect([host.phase, there]).toEqual(['connected', '/far/driftline'])
    expect(await inPhase(page, 'box', 'connected')).toMatchObject({ workspaces: [{ id: 'box:ws_1' }] })
    expect(readFileSync(join(folder, 'connections'), 'utf8')).toBe('.')
  })
})

describe('[RH-3] versions', () => {
  test.each([
    ['far', { version: 0, oldest: 0 }, 'brings box up to date'],
    ['near', { version: 99, oldest: 99 }, 'Update Driftline on this computer']
  ] as const)('a host without a form in common says that the %s side needs an update', async (side, protocol, text) => {
    addFile('box', `answer = () => (${JSON.stringify({ version: '9.9.9', protocol })})`)
    const page = openPage()
    const place = await inPhase(page, 'box', 'needs-update')
    expect(place).toMatchObject({ outdated: side, reason: expect.stringContaining(text) })
  })
})

describe('[RH-6] a connection', () => {
  test('lasts longer than an attempt to connect may take', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    addFile('box', GOOD)
    const page = openPage()
    await until(() => events('host.reached').length > 0)
    vi.advanceTimersByTime(10 * 60_000)
    expect(await page.call('drift.list', { workspace: 'box:ws_1', check: false })).toHaveProperty('asked')
    expect(events('host.reached')).toHaveLength(1)
  })

  test('that a host opens and then refuses to use is closed before the next attempt', async () => {
    addFile(
      'box',
      `fs.appendFileSync(file + '.pids', process.pid + ' '); ${GOOD}; const was = answer
      answer = (m, p) => m === 'workspaces.list' && count < 2 ? { error: { code: 'Internal', message: 'Not now.' } } : was(m, p)`
    )
    const page = openPage()
    const { command } = await inPhase(page, 'box', 'connected')
    const written = readFileSync(`${command[command.indexOf('-e') + 2]}.pids`, 'utf8')
    const pids = written.trim().split(' ').map(Number)
    expect(pids).toHaveLength(3)
    await vi.waitFor(() => expect(pids.map((pid) => isAlive({ pid, start: '' }))).toEqual([false, false, true]))
  })

  test('that is being made again is waited for by calls', async () => {
    addFile('box', `if (count === 0) process.exit(3); ${GOOD}`)
    const page = openPage()
    await inPhase(page, 'box', 'unreachable')
    await page.call('hosts.connect', { name: 'box' })
    expect(await page.call('drift.list', { workspace: 'box:ws_1', check: false })).toHaveProperty('asked')
  })
})

describe('[RH-5] a connection that is lost', () => {
  test('a restore is completed there, and its outcome is reported once the host answers again', async () => {
    const restore = { id: 'rst_1', kind: 'restore', state: 'done', files: 3 }
    const script = `${GOOD}; const was = answer; answer = (m, p) => {
      if (m === 'restore.apply') process.exit(0)
      if (m === 'timeline.list' && p.kinds) return { entries: count === 0 ? [] : [${JSON.stringify(restore)}] }
      return was(m, p)
    }`
    addFile('box', script)
    const page = openPage()
    await inPhase(page, 'box', 'connected')
    const applying = page.call('restore.apply', { workspace: 'box:ws_1', request: { kind: 'undo' } })
    await expect(applying).rejects.toThrow('Its outcome is reported here once box answers')
    await until(() => events('host.restored').length > 0)
    expect(events('host.restored')).toEqual([{ host: 'box', workspace: 'box:ws_1', state: 'done', files: 3 }])
  })

  test('[WR-4] each event is passed on once and in order, across connections', async () => {
    const script = `${GOOD}; const was = answer
    const frame = (n) => ({ event: 'workspace.changed', payload: { workspace: 'ws_1', rev: n, kinds: ['edits'], paths: [] }, stream: 's', n })
    ready.then(() => { send(JSON.stringify(frame(count * 2 + 2))) })
    answer = (m, p) => {
      if (m === 'drift.list') process.exit(0)
      if (m === 'app.resume') return { stream: 's', last: count * 2 + 2, missed: [frame(count * 2 + 1), frame(count * 2 + 2)].filter(({ n }) => n > p.after) }
      return was(m, p)
    }`
    addFile('box', script)
    const page = openPage()
    for (const reached of [1, 2, 3]) {
      await until(() => events('host.reached').length >= reached)
      page.call('drift.list', { workspace: 'box:ws_1', check: false }).catch(() => {})
    }
    await until(() => events('host.reached').length > 3)
    const revs = events('workspace.changed').map((payload) => (payload as { rev: number }).rev)
    expect(revs).toEqual([2, 3, 4, 5, 6, 7, 8].slice(0, revs.length))
    expect(events('host.reached').slice(1)).toEqual(Array(3).fill({ host: 'box', complete: true }))
  })
})
