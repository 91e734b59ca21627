/** Which folders are recorded: refusals, nested folders, and folders that move or disappear. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createEngine, type Engine } from '../../../../src/main/engine/engine.ts'
import { smallDisk } from '../../../support/faulty-disk.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { readTree, remove, writeFiles } from '../../../support/tree.ts'

interface TestEngine extends AsyncDisposable {
  readonly path: string
  readonly dataDir: string
  readonly engine: Engine
  add(folder: string): Promise<string>
}

async function openTestEngine(dataName = 'data'): Promise<TestEngine> {
  const temp = tempFolder()
  const dataDir = join(temp.path, dataName)
  const engine = await createEngine({ dataDir, host: 'cli', watch: false, programs: { ingest: INGEST_PROGRAM } })
  return {
    path: temp.path,
    dataDir,
    engine,
    add: async (folder) => (await engine.call('workspaces.add', { folder, wait: true })).workspace.id,
    [Symbol.asyncDispose]: async () => {
      await engine.close()
      temp[Symbol.dispose]()
    }
  }
}

/** Creates a file, or a folder for null, and returns its path. */
function createPath(path: string, content: string | null): string {
  if (content === null) mkdirSync(path, { recursive: true })
  else writeFileSync(path, content)
  return path
}

test.each<[string, (host: TestEngine) => string, string]>([
  ['a file', (host) => createPath(join(host.path, 'f'), 'x'), 'NotAFolder'],
  ['nothing', (host) => join(host.path, 'missing'), 'FolderMissing'],
  ['the whole disk', () => '/', 'NeedsConfirmation'],
  ['the home folder', () => homedir(), 'NeedsConfirmation'],
  ['our own data', (host) => host.dataDir, 'Refused'],
  ['a folder in our own data', (host) => createPath(join(host.dataDir, 'w/x'), null), 'Refused']
])('%s is not recorded, and nothing is registered or written', async (_, folder, code) => {
  await using host = await openTestEngine()
  const target = folder(host)
  const before = readTree(host.path)
  await expect(host.engine.call('workspaces.add', { folder: target, wait: true })).rejects.toMatchObject({
    code,
    message: expect.stringMatching(/\.$/)
  })
  expect((await host.engine.call('workspaces.list', {})).workspaces).toEqual([])
  const after = Object.keys(readTree(host.path)).filter((path) => !path.startsWith('data/app.db'))
  expect(after).toEqual(Object.keys(before).filter((path) => !path.startsWith('data/app.db')))
})

test('adding a folder twice, also through a link, gives one workspace with one history', {
  tags: ['links']
}, async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'p')
  writeFiles(root, { a: 'one' })
  symlinkSync('p', join(host.path, 'link'))
  const first = await host.add(root)
  writeFiles(root, { a: 'two' })
  expect([await host.add(join(host.path, 'link')), await host.add(`${root}/`)]).toEqual([first, first])
  const { versions } = await host.engine.call('file.history', { workspace: first, path: 'a' })
  expect(versions.map((version) => version.origin)).toEqual(['outside', 'baseline'])
})

test('a workspace inside another is a boundary: each records its own files, and neither writes the other’s', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'outer')
  writeFiles(root, { a: 'one', 'inner/b': 'one', 'inner/deep/c': 'one', 'innermost/x': 'x' })
  const inner = await host.add(join(root, 'inner'))
  const outer = await host.add(root)
  const coverage = async (workspace: string) => {
    const { notCovered, covered } = await host.engine.call('coverage.list', { workspace })
    return [covered.files, notCovered]
  }
  expect(await coverage(inner)).toEqual([2, []])
  expect(await coverage(outer)).toEqual([2, [{ path: 'inner', reason: 'workspace' }]])
  const me = { agent: 'x', pid: process.pid, pidStart: '' }
  const { run } = await host.engine.call('run.begin', { workspace: outer, title: 'all', ...me })
  writeFiles(root, { a: 'two', 'inner/b': 'two', 'inner/new': 'n' })
  remove(root, 'inner/deep')
  const ended = await host.engine.call('run.end', { workspace: outer, run, exitCode: 0 })
  expect(ended.files.map((file) => file.path)).toEqual(['a'])
  const inside = readTree(join(root, 'inner'))
  await host.engine.call('restore.apply', { workspace: outer, request: { kind: 'undo-run', run } })
  expect(readTree(join(root, 'inner'))).toEqual(inside)
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one')
  const { drift } = await host.engine.call('drift.list', { workspace: inner, check: true })
  expect(drift[0]?.paths).toEqual(['b', 'deep/c', 'new'])
})

test('a nested folder that becomes a workspace is never written by the outer one again', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'outer')
  writeFiles(root, { a: 'one', 'inner/b': 'one' })
  const outer = await host.add(root)
  const me = { agent: 'x', pid: process.pid, pidStart: '' }
  const { run } = await host.engine.call('run.begin', { workspace: outer, title: 'all', ...me })
  writeFiles(root, { a: 'two', 'inner/b': 'two', 'fresh/c': 'new', 'inner/new': 'n' })
  await host.engine.call('run.end', { workspace: outer, run, exitCode: 0 })
  await host.add(join(root, 'inner'))
  const fresh = await host.add(join(root, 'fresh'))
  const before = [readTree(join(root, 'inner')), readTree(join(root, 'fresh'))]
  const result = await host.engine.call('restore.apply', { workspace: outer, request: { kind: 'undo-run', run } })
  expect(result.items.filter((item) => item.result === 'done').map((item) => item.path)).toEqual(['a'])
  expect([readTree(join(root, 'inner')), readTree(join(root, 'fresh'))]).toEqual(before)
  const checked = await host.engine.call('drift.list', { workspace: outer, check: true })
  expect(checked.drift.flatMap((drift) => drift.paths).filter((path) => path.includes('/'))).toEqual([])
  expect((await host.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  await host.engine.call('workspaces.remove', { workspace: fresh, deleteHistory: true })
  await host.engine.call('drift.list', { workspace: outer, check: true })
  expect((await host.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('Driftline’s data folder inside a workspace is never recorded', async () => {
  await using host = await openTestEngine('project/.data')
  const root = join(host.path, 'project')
  writeFiles(root, { a: 'one' })
  await expect(host.add(root)).rejects.toMatchObject({ code: 'Refused' })
})

test('a folder that was moved away is reported; nothing is recorded as deleted and nothing is written', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  const { workspace } = folder
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', new: 'n' }))
  const head = folder.store((store) => store.records.lastSeq())
  renameSync(folder.root, `${folder.root}-moved`)
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([status.folder, status.head, status.drift, status.recording]).toEqual(['missing', head, [], false])
  await folder.checkpoint()
  await expect(
    folder.engine.call('run.begin', { workspace, title: 't', agent: 'a', pid: 1, pidStart: '' })
  ).rejects.toMatchObject({ code: 'FolderMissing' })
  const act = { kind: 'undo-run', run } as const
  await expect(folder.apply(act)).rejects.toMatchObject({ code: 'FolderMissing' })
  expect(existsSync(folder.root), 'nothing is made in its place').toBe(false)
  await folder.reopen()
  expect((await folder.engine.call('workspaces.list', {})).workspaces[0]?.folder).toBe('missing')
  renameSync(`${folder.root}-moved`, folder.root)
  await folder.check()
  expect(
    folder.store((store) => store.records.lastSeq()),
    'back again, nothing happened'
  ).toBe(head)
  expect((await folder.apply(act)).state).toBe('done')
})

test('[B21] [DR-1] a folder replaced by a file or a link does not count as deleted files', {
  tags: ['links']
}, async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  renameSync(folder.root, `${folder.root}-moved`)
  writeFileSync(folder.root, 'a file now')
  await folder.check()
  expect(folder.store((store) => store.records.lastSeq())).toBe(0)
  rmSync(folder.root)
  symlinkSync(`${folder.root}-moved`, folder.root)
  await folder.check()
  expect(folder.store((store) => store.records.lastSeq())).toBe(0)
})

test('[B24] locate: a moved folder continues its history, and restores write to its new path only', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  const { workspace } = folder
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const moved = `${folder.root}-moved`
  renameSync(folder.root, moved)
  writeFiles(moved, { 'd/b': 'changed on the way' })
  const located = await folder.engine.call('workspaces.locate', { workspace, folder: moved })
  expect(located.workspace).toEqual({ id: workspace, root: moved, name: 'project-moved' })
  writeFiles(folder.root, { a: 'another project at the old place' })
  const { drift } = await folder.engine.call('drift.list', { workspace, check: true })
  expect(drift[0]?.paths).toEqual(['d/b'])
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect([readFileSync(join(moved, 'a'), 'utf8'), readFileSync(join(folder.root, 'a'), 'utf8')]).toEqual([
    'one',
    'another project at the old place'
  ])
})

test('locate: a call during the move waits and gets the folder at its new path', async () => {
  const files = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`d${i % 30}/${i}`, `${i}`]))
  await using folder = await recordedFolder({ files })
  const { workspace, engine, root } = folder
  const moved = `${root}-moved`
  cpSync(root, moved, { recursive: true, preserveTimestamps: true })
  const status = (check: boolean) => engine.call('workspace.status', { workspace, check })
  // The workspace closes when these calls are done.
  const checks = Array.from({ length: 10 }, () => status(true))
  let isDone = false
  const locating = engine.call('workspaces.locate', { workspace, folder: moved }).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await status(false)
    await new Promise(setImmediate)
  }
  await Promise.allSettled(checks)
  await locating
  rmSync(root, { recursive: true })
  expect((await status(false)).folder).toBe('present')
})

test('locate: a folder that is already recorded, or is no folder, is refused and nothing changes', async () => {
  await using host = await openTestEngine()
  const [recordedRoot, otherRoot] = [join(host.path, 'one'), join(host.path, 'two')]
  writeFiles(recordedRoot, { a: 'a' })
  writeFiles(otherRoot, { b: 'b' })
  const workspace = await host.add(recordedRoot)
  await host.add(otherRoot)
  await expect(host.engine.call('workspaces.locate', { workspace, folder: otherRoot })).rejects.toMatchObject({
    code: 'Refused'
  })
  await expect(
    host.engine.call('workspaces.locate', { workspace, folder: join(host.path, 'no') })
  ).rejects.toMatchObject({
    code: 'FolderMissing'
  })
  expect((await host.engine.call('workspaces.list', {})).workspaces.map((found) => found.root).sort()).toEqual([
    recordedRoot,
    otherRoot
  ])
})

test('removing a workspace keeps its files, and its history unless deletion is requested', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'p')
  writeFiles(root, { a: 'one' })
  const workspace = await host.add(root)
  const store = join(host.dataDir, 'w', workspace, 'store.db')
  await host.engine.call('workspaces.remove', { workspace, deleteHistory: false })
  expect([existsSync(store), readFileSync(join(root, 'a'), 'utf8')]).toEqual([true, 'one'])
  await expect(host.engine.call('workspace.status', { workspace, check: true })).rejects.toMatchObject({
    code: 'NotAWorkspace'
  })
  const again = await host.add(root)
  await host.engine.call('workspaces.remove', { workspace: again, deleteHistory: true })
  expect([existsSync(join(host.dataDir, 'w', again)), readFileSync(join(root, 'a'), 'utf8')]).toEqual([false, 'one'])
})

test('a folder that is added again continues its history; changes in between are outside edits', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'p')
  writeFiles(root, { a: 'one' })
  const workspace = await host.add(root)
  const begin = { workspace, title: 'work', agent: 'test', pid: process.pid, pidStart: '' }
  const { run } = await host.engine.call('run.begin', begin)
  writeFiles(root, { a: 'two' })
  await host.engine.call('run.end', { workspace, run, exitCode: 0 })
  await host.engine.call('settings.set', { key: `history.days/${workspace}`, value: '7' })
  await host.engine.call('workspaces.remove', { workspace, deleteHistory: false })
  const list = await host.engine.call('workspaces.list', {})
  expect([list.workspaces, list.left]).toEqual([[], [{ id: workspace, root, name: 'p' }]])
  writeFiles(root, { a: 'three' })
  expect(await host.add(root)).toBe(workspace)
  expect((await host.engine.call('workspaces.list', {})).left).toEqual([])
  const { versions } = await host.engine.call('file.history', { workspace, path: 'a' })
  expect(versions.map((version) => version.origin)).toEqual(['outside', 'agent', 'baseline'])
  expect((await host.engine.call('storage.get', { workspace })).days).toBe(7)
  const request = { kind: 'restore', target: `${run}:start`, outside: 'replace' } as const
  expect((await host.engine.call('restore.apply', { workspace, request })).state).toBe('done')
  expect(readFileSync(join(root, 'a'), 'utf8')).toBe('one')
})

test('the history of a removed workspace can be deleted, also when its folder is missing', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'p')
  writeFiles(root, { a: 'one' })
  const workspace = await host.add(root)
  await host.engine.call('workspaces.remove', { workspace, deleteHistory: false })
  rmSync(root, { recursive: true })
  await host.engine.call('workspaces.remove', { workspace, deleteHistory: true })
  expect((await host.engine.call('workspaces.list', {})).left).toEqual([])
  expect(readdirSync(join(host.dataDir, 'w'))).toEqual([`${workspace}.deleted`])
})

test('a history that cannot be deleted stays listed; an interrupted deletion is finished at the next start', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'p')
  writeFiles(root, { a: 'one' })
  const workspace = await host.add(root)
  const remove = () => host.engine.call('workspaces.remove', { workspace, deleteHistory: true })
  {
    using disk = smallDisk(join(host.dataDir, 'w', workspace), '1m')
    if (disk) {
      await expect(remove()).rejects.toMatchObject({ code: 'Refused', message: expect.stringContaining('try again') })
      expect((await host.engine.call('workspaces.list', {})).workspaces).toMatchObject([{ id: workspace }])
    }
  }
  await host.engine.close()
  const cut = join(host.dataDir, 'w', 'ws_another.going')
  writeFiles(cut, { 'store.db': 'words' })
  const again = await createEngine({
    dataDir: host.dataDir,
    host: 'cli',
    watch: false,
    programs: { ingest: INGEST_PROGRAM }
  })
  expect(existsSync(cut)).toBe(false)
  await again.call('workspaces.remove', { workspace, deleteHistory: true })
  expect(readdirSync(join(host.dataDir, 'w'))).toEqual([`${workspace}.deleted`])
  await again.close()
})

test('the workspace of a path is the innermost one that contains it', async () => {
  await using host = await openTestEngine()
  const root = join(host.path, 'outer')
  writeFiles(root, { 'inner/deep/c': 'c', 'inner2/x': 'x' })
  const outer = await host.add(root)
  const inner = await host.add(join(root, 'inner'))
  const find = (folder: string) => host.engine.call('workspaces.find', { folder })
  expect(await find(join(root, 'inner/deep'))).toMatchObject({ workspace: { id: inner }, inside: 'deep' })
  expect(await find(join(root, 'inner2'))).toMatchObject({ workspace: { id: outer }, inside: 'inner2' })
  await expect(find(host.path)).rejects.toMatchObject({ code: 'NotAWorkspace' })
})
