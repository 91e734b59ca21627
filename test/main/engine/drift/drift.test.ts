/** Outside edits: found at every check, recorded at once, and never confused with our own writes. */
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Drift } from '../../../../src/contract/timeline.ts'
import { listDrift } from '../../../../src/main/engine/drift/drifts.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { repository } from '../../../support/repository.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const open = async (folder: RecordedFolder): Promise<readonly Drift[]> =>
  (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift
const paths = async (folder: RecordedFolder): Promise<readonly string[]> => (await open(folder))[0]?.paths ?? []
const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')

type Outside = [title: string, change: (root: string) => void, paths: string[]]

async function isDrift([, change, expected]: Outside): Promise<void> {
  await using folder = await recordedFolder({ files: { a: 'one', l: { link: 'a' }, 'd/x': 'x' } })
  expect(await open(folder)).toEqual([])
  change(folder.root)
  expect(await paths(folder)).toEqual(expected)
}

test.for<Outside>([
  ['an edit', (root) => writeFileSync(join(root, 'a'), 'two'), ['a']],
  ['a deletion', (root) => unlinkSync(join(root, 'a')), ['a']],
  ['a new file', (root) => writeFileSync(join(root, 'new'), 'n'), ['new']],
  ['a rename', (root) => renameSync(join(root, 'a'), join(root, 'z')), ['a', 'z']],
  ['a renamed folder', (root) => renameSync(join(root, 'd'), join(root, 'e')), ['d/x', 'e/x']]
])('[DR-1] %s is drift', isDrift)

test.for<Outside>([
  ['a mode', (root) => chmodSync(join(root, 'a'), 0o600), ['a']],
  ['a mode of a folder', (root) => chmodSync(join(root, 'd'), 0o700), ['d']]
])('[DR-1] %s is drift', { tags: ['posix'] }, isDrift)

test.for<Outside>([
  [
    'another link target',
    (root) => {
      unlinkSync(join(root, 'l'))
      symlinkSync('b', join(root, 'l'))
    },
    ['l']
  ]
])('[DR-1] %s is drift', { tags: ['links'] }, isDrift)

test('[DR-1] a touched or rewritten file with the same bytes is no drift', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  utimesSync(join(folder.root, 'a'), 1000, 1000)
  writeFileSync(join(folder.root, 'b'), 'one')
  linkSync(join(folder.root, 'a'), join(folder.root, '.driftline-rst_0123456789ab-1.old'))
  expect(await open(folder)).toEqual([])
})

test('[DR-1] [DR-2] other bytes of equal size with the old times restored are found', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const at = join(folder.root, 'a')
  utimesSync(at, 1000, 1000)
  await folder.check()
  const before = statSync(at)
  writeFileSync(at, 'two')
  utimesSync(at, 1000, 1000)
  expect([statSync(at).size, statSync(at).mtimeMs, statSync(at).ino]).toEqual([before.size, before.mtimeMs, before.ino])
  expect(await paths(folder)).toEqual(['a'])
})

test('[DR-2] two edits of equal size in a row, each checked at once, are both found', async () => {
  await using folder = await recordedFolder({ files: { a: '000' } })
  for (let i = 1; i <= 40; i++) {
    writeFileSync(join(folder.root, 'a'), String(i).padStart(3, '0'))
    await folder.check()
  }
  const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'a' })
  expect(versions).toHaveLength(41)
})

test('[DR-2] a signature taken within two seconds of the change is not trusted: the bytes are hashed again', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await folder.check()
  writeFileSync(join(folder.root, 'a'), 'two')
  // As with a disk of coarse times: the log believes that this very stat belongs to "one".
  folder.store((store) => {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(join(folder.root, 'a'))
    store.db
      .prepare("UPDATE path SET ino = ?, size = ?, mtime = ?, ctime = ? WHERE name = 'a'")
      .run(ino, size, mtimeMs, ctimeMs)
  })
  expect(await paths(folder)).toEqual(['a'])
})

test('[DR-3] what a restore, its undo and its redo write is never drift, in this process or another', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one', l: { link: 'a' } } })
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two', 'n/new': 'n' })
    remove(folder.root, 'd', 'l')
  })
  for (const request of [{ kind: 'undo-run', run }, { kind: 'undo' }, { kind: 'redo' }] as const) {
    {
      await using recorder = openRecorder(folder.dataDir, folder.workspace)
      expect((await recorder.restore({ request })).state).toBe('done')
    }
    expect(await open(folder)).toEqual([])
  }
})

test('[DR-4] outside edits are recorded at once: accepting or reverting them loses nothing', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const { workspace } = folder
  writeFiles(folder.root, { a: 'first', new: 'n' })
  const [drift] = await open(folder)
  writeFiles(folder.root, { a: 'second' })
  remove(folder.root, 'b')
  const grown = await open(folder)
  expect(grown.map(({ id, paths, count }) => [id, paths, count])).toEqual([[drift?.id, ['a', 'b', 'new'], 3]])
  const { versions } = await folder.engine.call('file.history', { workspace, path: 'a' })
  expect(versions.map((version) => [version.size, version.stored])).toEqual([
    [6, true],
    [5, true],
    [3, true]
  ])
  const back = await folder.apply({ kind: 'drift', drift: drift?.id as string })
  expect(back.state).toBe('done')
  expect([text(folder, 'a'), text(folder, 'b'), Object.keys(folder.tree())]).toEqual(['one', 'one', ['a', 'b']])
  expect(await open(folder), 'it is reverted').toEqual([])
  await folder.apply({ kind: 'undo' })
  expect([text(folder, 'a'), text(folder, 'new'), Object.keys(folder.tree())]).toEqual(['second', 'n', ['a', 'new']])
})

test('[DR-4] only selected paths of a drift are reverted; the others stay', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  writeFiles(folder.root, { a: 'two', b: 'two' })
  const [drift] = await open(folder)
  expect((await folder.apply({ kind: 'drift', drift: drift?.id as string, paths: ['a'] })).state).toBe('done')
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['one', 'two'])
})

test('[DR-7] outside changes left when a run starts are not reviewed, and can be accepted or undone later', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
  const { workspace } = folder
  writeFiles(folder.root, { a: 'two', b: 'two', c: 'two' })
  const [left] = await open(folder)
  const drift = left?.id as string
  await folder.run('work', () => writeFiles(folder.root, { d: 'new' }))
  const states = async (): Promise<unknown[]> => {
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 9, kinds: ['drift'] })
    return entries.map((entry) => entry.kind === 'drift' && [entry.state, entry.paths])
  }
  expect(await states()).toEqual([['unreviewed', ['a', 'b', 'c']]])

  await folder.engine.call('drift.accept', { workspace, drift, paths: ['c'] })
  expect(await states()).toEqual([
    ['accepted', ['c']],
    ['unreviewed', ['a', 'b']]
  ])
  expect((await folder.apply({ kind: 'drift', drift })).state).toBe('done')
  expect(['a', 'b', 'c', 'd'].map((path) => text(folder, path))).toEqual(['one', 'one', 'two', 'new'])
  expect((await states()).at(-1)).toEqual(['put-back', ['a', 'b']])
  await expect(folder.engine.call('drift.accept', { workspace, drift })).rejects.toMatchObject({ code: 'Refused' })
})

test('[DR-7] [RC-2] a change that was reverted outside when the recorder was killed counts as undone once the folder is compared', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  writeFiles(folder.root, { a: 'two' })
  expect(await open(folder)).toHaveLength(1)
  writeFiles(folder.root, { a: 'one', b: 'two' })
  // Ends the recorder's work as a kill does: after the change is recorded, before the earlier one counts as undone.
  const db = new Database(storeFile(folder.dataDir, folder.workspace))
  db.exec("CREATE TRIGGER killed BEFORE INSERT ON drift BEGIN SELECT RAISE(ABORT, 'killed'); END")
  await expect(folder.check()).rejects.toThrow('killed')
  db.exec('DROP TRIGGER killed').close()
  await folder.reopen()
  expect((await open(folder)).map(({ paths }) => paths)).toEqual([['b']])
})

test('[DR-4] an accepted drift is closed, and the next outside change opens another', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { workspace } = folder
  writeFiles(folder.root, { a: 'two' })
  const [first] = await open(folder)
  const { drift } = await folder.engine.call('drift.accept', { workspace, drift: first?.id as string })
  expect(drift.state).toBe('accepted')
  expect(await open(folder)).toEqual([])
  writeFiles(folder.root, { a: 'three' })
  const [second] = await open(folder)
  expect([second?.id === first?.id, second?.count]).toEqual([false, 1])
})

test('[DR-4] a run that starts accepts the open drift and reports that', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { workspace } = folder
  writeFiles(folder.root, { a: 'two' })
  const begun = await folder.engine.call('run.begin', {
    workspace,
    title: 't',
    agent: 'x',
    pid: process.pid,
    pidStart: ''
  })
  expect(begun.workspaceDrifted).toBe(true)
  writeFiles(folder.root, { a: 'three' })
  const ended = await folder.engine.call('run.end', { workspace, run: begun.run, exitCode: 0 })
  expect([ended.files.map((file) => file.path), ended.workspaceDrifted]).toEqual([['a'], true])
  expect(await open(folder)).toEqual([])
  await folder.apply({ kind: 'undo-run', run: begun.run })
  expect(text(folder, 'a'), 'the outside edit stays').toBe('two')
})

test('[DR-5] edits made while nothing was running are found at the next start, and marked as such', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one', c: 'one' } })
  await folder.engine.close()
  writeFiles(folder.root, { a: 'two', 'd/new': 'n' })
  remove(folder.root, 'c')
  await folder.reopen()
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(status.drift.map((drift) => [drift.paths, drift.cause])).toEqual([[['a', 'c', 'd/new'], 'offline']])
})

test('[DR-5] every preview, checkpoint, status and run checks the disk first', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { workspace } = folder
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: '1' }))
  const looks = [
    () => folder.plan({ kind: 'undo-run', run }),
    () => folder.checkpoint(),
    () => folder.engine.call('workspace.status', { workspace, check: true }),
    () => folder.engine.call('diff.files', { workspace, target: run, to: 'now' }),
    () => folder.run('other', () => {})
  ]
  for (const [i, look] of looks.entries()) {
    writeFiles(folder.root, { a: `outside ${i}` })
    await look()
    const { versions } = await folder.engine.call('file.history', { workspace, path: 'a' })
    expect(versions[0]?.size, `look ${i}`).toBe(9)
    expect(versions).toHaveLength(3 + i)
  }
})

test('[DR-1] a branch switch is reported as such', { tags: ['git'] }, async () => {
  const { execFileSync } = await import('node:child_process')
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', '-c', 'init.defaultBranch=main', ...args], {
      cwd: folder.root,
      stdio: 'ignore'
    })
  git('init')
  git('add', '-A')
  git('commit', '-m', 'one')
  git('checkout', '-b', 'other')
  writeFiles(folder.root, { a: 'two' })
  git('commit', '-am', 'two')
  git('checkout', 'main')
  await folder.check()
  git('checkout', 'other')
  const [drift] = await open(folder)
  expect(drift).toMatchObject({ cause: 'branch', branches: { from: 'main', to: 'other' }, paths: ['a'] })
})

test('[DR-4] one file of several is accepted or reverted by itself; the others stay open', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
  writeFiles(folder.root, { a: 'mine', b: 'mine', c: 'mine' })
  const [all] = await open(folder)
  const drift = all?.id ?? ''
  const { workspace } = folder
  const accepted = await folder.engine.call('drift.accept', { workspace, drift, paths: ['a'] })
  expect(accepted.drift).toMatchObject({ id: drift, state: 'open', count: 2, paths: ['b', 'c'] })
  await folder.apply({ kind: 'drift', drift, hunks: { b: [1] } })
  expect(text(folder, 'b')).toBe('one')
  expect(await open(folder)).toMatchObject([{ id: drift, count: 1, paths: ['c'] }])
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['drift'] })
  expect(entries.map((entry) => entry.kind === 'drift' && [entry.state, entry.paths])).toEqual([
    ['put-back', ['b']],
    ['accepted', ['a']],
    ['open', ['c']]
  ])
  writeFiles(folder.root, { a: 'again' })
  expect(await paths(folder)).toEqual(['a', 'c'])
  await folder.engine.call('drift.accept', { workspace, drift })
  expect(await open(folder)).toEqual([])
  expect([text(folder, 'a'), text(folder, 'c')]).toEqual(['again', 'mine'])
})

test('[DR-7] outside changes that an undo restored are open again, and undone again after its redo', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  writeFiles(folder.root, { a: 'mine', b: 'mine' })
  const drift = (await open(folder))[0]?.id ?? ''
  await folder.apply({ kind: 'drift', drift })
  expect(await open(folder)).toEqual([])
  await folder.apply({ kind: 'undo' })
  expect(await open(folder)).toMatchObject([{ id: drift, count: 2, paths: ['a', 'b'] }])
  await folder.apply({ kind: 'redo' })
  expect(await open(folder)).toEqual([])
  await folder.apply({ kind: 'undo' })
  const { workspace } = folder
  const accepted = await folder.engine.call('drift.accept', { workspace, drift })
  expect(accepted.drift.state).toBe('accepted')
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['mine', 'mine'])
})

test('[DR-7] an outside change that a restore replaced is undone, and open again after the undo', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const { seq } = await folder.engine.call('checkpoint.create', { workspace: folder.workspace, label: '' })
  writeFiles(folder.root, { a: 'mine', b: 'mine' })
  const drift = (await open(folder))[0]?.id ?? ''
  await folder.apply({ kind: 'restore', target: `seq:${seq}`, paths: ['a'], outside: 'replace' })
  expect(await open(folder)).toMatchObject([{ id: drift, count: 1, paths: ['b'] }])
  await folder.apply({ kind: 'restore', target: `seq:${seq}`, outside: 'replace' })
  expect([await open(folder), text(folder, 'a'), text(folder, 'b')]).toEqual([[], 'one', 'one'])
  await folder.apply({ kind: 'undo' })
  expect(await open(folder)).toMatchObject([{ id: drift, count: 1, paths: ['b'] }])
})

test('[DR-7] an outside change that a person accepted stays accepted when a restore of the folder undoes it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { engine, workspace } = folder
  const { seq } = await engine.call('checkpoint.create', { workspace, label: '' })
  writeFiles(folder.root, { a: 'mine' })
  const drift = (await open(folder))[0]?.id ?? ''
  await engine.call('drift.accept', { workspace, drift })
  const states = async () => {
    const { entries } = await engine.call('timeline.list', { workspace, limit: 9, kinds: ['drift'] })
    return entries.map((entry) => entry.kind === 'drift' && [entry.id, entry.state])
  }
  await folder.apply({ kind: 'restore', target: `seq:${seq}`, outside: 'replace' })
  expect([text(folder, 'a'), await states()]).toEqual(['one', [[drift, 'accepted']]])
  await folder.apply({ kind: 'undo' })
  expect([text(folder, 'a'), await states()]).toEqual(['mine', [[drift, 'accepted']]])
})

test('[DR-7] a part of an outside change that an undo restored after a run started is not reviewed', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  writeFiles(folder.root, { a: 'mine', b: 'mine' })
  const drift = (await open(folder))[0]?.id ?? ''
  await folder.apply({ kind: 'drift', drift, hunks: { a: [1] } })
  await folder.run('work', () => writeFiles(folder.root, { c: 'new' }))
  await folder.apply({ kind: 'undo' })
  const { workspace } = folder
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 9, kinds: ['drift'] })
  expect(entries.map((entry) => entry.kind === 'drift' && [entry.state, entry.paths])).toEqual([
    ['unreviewed', ['a']],
    ['unreviewed', ['b']]
  ])
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['mine', 'mine'])
})

test('[DR-4] an accepted file can still be reverted', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  writeFiles(folder.root, { a: 'mine', b: 'mine' })
  const drift = (await open(folder))[0]?.id ?? ''
  const { workspace } = folder
  await folder.engine.call('drift.accept', { workspace, drift, paths: ['a'] })
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['drift'] })
  await folder.apply({ kind: 'drift', drift: entries[0]?.id ?? '' })
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['one', 'mine'])
})

test('a folder created or removed with its files is not counted beside them, and is closed with the last of them', async () => {
  await using folder = await recordedFolder({ files: { 'old/deep/a': 'a', b: 'b' } })
  remove(folder.root, 'old')
  writeFiles(folder.root, { 'new/deep/c': 'c', 'new/d': 'd' })
  mkdirSync(join(folder.root, 'empty'))
  const listed = ['empty', 'new/d', 'new/deep/c', 'old/deep/a']
  const [found] = await open(folder)
  expect(found).toMatchObject({ count: listed.length, paths: listed })
  const { workspace } = folder
  const { files } = await folder.engine.call('diff.files', { workspace, target: found?.id ?? '' })
  expect(files.map((file) => file.path)).toEqual(listed)
  for (const [i, path] of listed.entries()) {
    await folder.engine.call('drift.accept', { workspace, drift: found?.id ?? '', paths: [path] })
    expect((await open(folder)).map((drift) => [drift.count, drift.paths])).toEqual(
      i === listed.length - 1 ? [] : [[listed.length - 1 - i, listed.slice(i + 1)]]
    )
  }
  // Decided one by one they are two entries between the same positions; each shows its own paths.
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['drift'] })
  writeFiles(folder.root, { b: 'later' })
  await folder.check()
  const parts = await Promise.all(
    entries.map((entry) => folder.engine.call('diff.files', { workspace, target: entry.id }))
  )
  expect(parts.flatMap((part) => part.files.map((file) => file.path)).sort()).toEqual(listed)
})

test('an outside edit names the newest run that ended before it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFiles(folder.root, { a: 'two' })
  expect((await open(folder)).map((drift) => drift.since)).toEqual([''])
  await folder.run('first', () => writeFiles(folder.root, { a: 'three' }))
  await folder.run('nothing', () => {})
  writeFiles(folder.root, { a: 'four' })
  expect((await open(folder)).map((drift) => drift.since)).toEqual(['nothing'])
})

test('a switch of branches becomes the cause of an outside change that single edits began', {
  tags: ['git']
}, async () => {
  await using repo = await repository()
  const { folder, git } = repo
  git('switch', '-qc', 'spike')
  repo.commit('on spike')
  git('switch', '-q', 'main')
  await folder.check()
  const driftNow = async () =>
    (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.find(
      ({ state }) => state === 'open'
    )
  writeFileSync(join(folder.root, 'mine'), 'an edit')
  const id = (await driftNow())?.id
  git('switch', '-q', 'spike')
  expect(await driftNow()).toMatchObject({ id, cause: 'branch', branches: { from: 'main', to: 'spike' } })
})

test('[DR-7] outside changes that were reverted outside, too, as by a checkout and back, are undone', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
  const drift = async (): Promise<unknown[]> =>
    (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.map(
      ({ paths }) => paths
    )
  writeFiles(folder.root, { a: 'of the other branch', b: 'of a person', d: 'new' })
  expect(await drift()).toEqual([['a', 'b', 'd']])
  writeFiles(folder.root, { a: 'one' })
  remove(folder.root, 'd')
  expect(await drift()).toEqual([['b']])
  writeFiles(folder.root, { a: 'of the other branch' })
  expect(await drift()).toEqual([['a', 'b']])
  writeFiles(folder.root, { a: 'one', b: 'one' })
  expect(await drift()).toEqual([])

  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'of the run' }))
  expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'done' })
  const states = folder.store((store) => listDrift(store).map(({ state }) => state))
  expect(new Set(states), 'a restore of these files opens none of them again').toEqual(new Set(['put-back']))
})

test('[DR-4] however outside changes come and go, as many are counted as are listed', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/x': 'one', 'd/y': 'one' } })
  const { root, engine, workspace } = folder
  const accept = async (path: string): Promise<void> => {
    const [drift] = await open(folder)
    await engine.call('drift.accept', { workspace, drift: drift?.id as string, paths: [path] })
  }
  const steps: readonly [step: string, (() => unknown)[]][] = [
    ['an empty folder', [() => mkdirSync(join(root, 'new'))]],
    ['a file in it and one below', [() => writeFiles(root, { 'new/a': '1', 'new/below/b': '1' })]],
    ['an edit, and the same again', [() => writeFiles(root, { a: 'two' }), () => writeFiles(root, { a: 'three' })]],
    ['a folder with its files is removed', [() => remove(root, 'd')]],
    ['a file is accepted, and edited again', [() => accept('a'), () => writeFiles(root, { a: 'four' })]],
    ['the only file of a new folder is removed', [() => remove(root, 'new/a')]],
    [
      'the removed folder comes back empty, then with a file',
      [() => mkdirSync(join(root, 'd')), () => writeFiles(root, { 'd/x': 'one' })]
    ],
    ['a folder below is accepted', [() => accept('new/below')]],
    ['everything is as before', [() => remove(root, 'new'), () => writeFiles(root, { a: 'one', 'd/y': 'one' })]]
  ]
  for (const [step, changes] of steps) {
    for (const change of changes) {
      await change()
      await open(folder)
      for (const { id, count, paths } of folder.store((store) => listDrift(store)))
        expect([step, id, count]).toEqual([step, id, paths.length])
    }
  }
})
