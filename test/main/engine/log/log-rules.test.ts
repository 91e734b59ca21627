/** The log's invariants, verified through a real engine. */
import { appendFileSync, chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { append } from '../../../../src/main/engine/capture/append.ts'
import { observe } from '../../../../src/main/engine/capture/observe.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const edits = (folder: RecordedFolder) =>
  folder.store(
    (store) =>
      store.db
        .prepare(
          'SELECT e.seq, p.name AS path, e.before, e.after, e.origin, e.base FROM edit e JOIN path p ON p.id = e.path ORDER BY e.seq'
        )
        .all() as { seq: number; path: string; before: number; after: number; origin: number; base: number }[]
  )

test('[LG-1] seq grows by one with every Edit and rev with every write, even if the clock is set back', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { workspace } = folder
  const revs: number[] = []
  for (let i = 1; i <= 5; i++) {
    writeFiles(folder.root, { a: `${i}` })
    await folder.check()
    revs.push((await folder.engine.call('workspace.status', { workspace, check: false })).rev)
  }
  folder.store((store) => store.db.prepare('UPDATE edit SET at = 9000000000000 - seq').run())
  const first = await folder.checkpoint('one')
  writeFiles(folder.root, { a: 'last' })
  await folder.check()
  const second = await folder.checkpoint('two')
  expect(edits(folder).map((edit) => edit.seq)).toEqual([1, 2, 3, 4, 5, 6])
  expect(revs).toEqual([...new Set(revs)].sort((a, b) => a - b))
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace })
  expect(checkpoints.map((checkpoint) => [checkpoint.id, checkpoint.seq])).toEqual([
    [second, 6],
    [first, 5]
  ])
  expect((await folder.apply({ kind: 'restore', target: first, outside: 'replace' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('5')
})

test('[B20] [LG-1] ten checkpoints made in one go keep their order', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const made = await Promise.all(Array.from({ length: 10 }, (_, i) => folder.checkpoint(`${i}`)))
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace })
  expect(checkpoints.map((checkpoint) => checkpoint.id)).toEqual(made.reverse())
})

test('[LG-2] a run’s edits start from the last recorded version; an edit made before the run is recorded first, as outside', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFiles(folder.root, { a: 'by a person' })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'by the run' }))
  const [outside, own] = edits(folder)
  expect([outside?.origin, own?.origin, own?.before]).toEqual([0, 1, outside?.after])
  await folder.apply({ kind: 'undo-run', run })
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('by a person')
})

test('[LG-3] the version at every position is what the folder contained when the position was recorded', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'two' } })
  const marks: [string, string][] = []
  const steps = [
    () => writeFiles(folder.root, { a: 'two', c: 'new' }),
    () => remove(folder.root, 'd'),
    () => writeFiles(folder.root, { d: 'a file now' }),
    () => {
      remove(folder.root, 'd')
      writeFiles(folder.root, { 'd/b': 'back', 'd/e/f': 'deep' })
    },
    () => renameSync(join(folder.root, 'a'), join(folder.root, 'moved')),
    () => chmodSync(join(folder.root, 'c'), 0o755)
  ]
  for (const step of steps) {
    marks.push([await folder.checkpoint(), JSON.stringify(folder.tree())])
    step()
    await folder.check()
  }
  // Backwards and forwards, in an order of its own each.
  for (const i of [5, 0, 3, 1, 4, 2, 0, 5]) {
    const [id, tree] = marks[i] as [string, string]
    await folder.apply({ kind: 'restore', target: id, outside: 'replace' })
    expect(JSON.stringify(folder.tree()), `mark ${i}`).toBe(tree)
  }
})

test('[LG-4] a run that makes and deletes a file changed nothing there; one that deletes and makes it again changed its content', async () => {
  await using folder = await recordedFolder({ files: { x: 'one', y: 'same' } })
  const { workspace } = folder
  const me = { pid: process.pid, pidStart: '' }
  const { run } = await folder.engine.call('run.begin', { workspace, title: 't', agent: 'a', ...me })
  const step = async (work: () => void): Promise<void> => {
    work()
    await folder.check()
  }
  await step(() => writeFiles(folder.root, { temp: 't' }))
  await step(() => remove(folder.root, 'temp', 'x', 'y'))
  await step(() => writeFiles(folder.root, { x: 'two', y: 'same' }))
  const { files } = await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  expect(files.map((file) => [file.path, file.change])).toEqual([['x', 'modified']])
})

test('[LG-5] a new path in a covered folder was absent before, so a restore removes it', async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one' } })
  const run = await folder.run('add', () => writeFiles(folder.root, { 'd/new': 'n', 'e/f/g': 'g' }))
  await folder.apply({ kind: 'undo-run', run })
  expect(Object.keys(folder.tree())).toEqual(['d', 'd/a'])
})

test('[LG-5] [RS-12] a path that appears when an ignore rule is removed was not covered before: it is never deleted and never written', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'build/\n', 'build/out': 'made long ago', a: 'one' }
  })
  const mark = await folder.checkpoint('before')
  const run = await folder.run('unignore', () => {
    writeFileSync(join(folder.root, '.gitignore'), '')
    writeFiles(folder.root, { a: 'two', 'build/new': 'by the run' })
  })
  for (const act of [{ kind: 'undo-run', run } as const, { kind: 'restore', target: mark } as const]) {
    const result = await folder.apply(act)
    expect(result.items.find((item) => item.path === 'build/out')).toMatchObject({
      action: 'keep',
      note: { code: 'not-protected' }
    })
    expect(readFileSync(join(folder.root, 'build/out'), 'utf8')).toBe('made long ago')
    expect(readFileSync(join(folder.root, 'build/new'), 'utf8')).toBe('by the run')
    expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('one')
    await folder.apply({ kind: 'undo' })
  }
})

test('[LG-5] once tracked, always tracked: a later ignore rule hides no recorded path', async () => {
  await using folder = await recordedFolder({ files: { 'build/out': 'one', 'x.log': 'one' } })
  writeFiles(folder.root, { '.gitignore': 'build/\n*.log\n' })
  const run = await folder.run('edit', () => writeFiles(folder.root, { 'build/out': 'two', 'x.log': 'two' }))
  await folder.apply({ kind: 'undo-run', run })
  expect([
    readFileSync(join(folder.root, 'build/out'), 'utf8'),
    readFileSync(join(folder.root, 'x.log'), 'utf8')
  ]).toEqual(['one', 'one'])
})

test('[LG-5] an ignored folder stays uncovered and is listed; ignored files are covered', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'node_modules/\n.env\n', 'node_modules/x/y': 'y', '.env': 'KEY=1' }
  })
  const run = await folder.run('edit', () =>
    writeFiles(folder.root, { 'node_modules/x/y': 'changed', '.env': 'KEY=2' })
  )
  const { notCovered } = await folder.engine.call('coverage.list', { workspace: folder.workspace })
  expect(notCovered).toEqual([{ path: 'node_modules', reason: 'ignored' }])
  await folder.apply({ kind: 'undo-run', run })
  expect([
    readFileSync(join(folder.root, '.env'), 'utf8'),
    readFileSync(join(folder.root, 'node_modules/x/y'), 'utf8')
  ]).toEqual(['KEY=1', 'changed'])
})

test('[LG-6] a path that changes between its read and the transaction is not appended but reported as stale', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'd/b': 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const { store, root } = open.recorder
  const observeNow = (path: string) =>
    observe(createWorkspaceFs(root), store.content, path, {
      limit: Number.POSITIVE_INFINITY,
      folderReason: null,
      readAt: Date.now()
    })
  const outside = () => ({ origin: 'outside', attribution: 'none', by: [], drift: null }) as const
  writeFiles(root, { a: 'two', 'd/b': 'two', new: 'n' })
  const observed = ['a', 'd/b', 'new', 'later'].map(observeNow)
  appendFileSync(join(root, 'a'), '!')
  remove(root, 'new')
  writeFiles(root, { later: 'l' })
  const done = transact(store, (tx) => append(tx, root, observed, { author: outside, at: Date.now() }))
  expect(done.edits.map((edit) => edit.path)).toEqual(['d/b'])
  expect(done.stale).toEqual(['a', 'later', 'new'])
  renameSync(join(root, 'd'), join(root, 'd2'))
  mkdirSync(join(root, 'd'))
  const moved = transact(store, (tx) =>
    append(tx, root, [observed[1] as (typeof observed)[number]], {
      author: outside,
      at: Date.now()
    })
  )
  expect(moved.stale, 'also when its folder is another one now').toEqual(['d/b'])
})

test('[A4] [CK-1] a checkpoint never changes: later edits show neither in its restore nor in its diff nor in its files', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  await folder.run('edit', () => writeFiles(folder.root, { a: 'two', c: 'new' }))
  const mark = await folder.checkpoint('here')
  const { workspace } = folder
  const patch = async (): Promise<string> =>
    (await folder.engine.call('diff.patch', { workspace, target: mark, scope: 'checkpoint' })).patch
  const [tree, before] = [folder.tree(), await patch()]
  writeFiles(folder.root, { a: 'outside', b: 'outside', d: 'outside' })
  remove(folder.root, 'c')
  expect(await patch()).toBe(before)
  await folder.check()
  expect(await patch()).toBe(before)
  const cat = await folder.engine.call('file.cat', { workspace, target: mark, path: 'c' })
  expect(Buffer.from(cat.base64, 'base64').toString()).toBe('new')
  expect((await folder.apply({ kind: 'restore', target: mark, outside: 'replace' })).state).toBe('done')
  expect(folder.tree()).toEqual(tree)
})

test('[CK-2] a checkpoint, a run and a plan scan the disk first, so they include what was just written', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  writeFiles(folder.root, { a: 'two' })
  const mark = await folder.checkpoint()
  writeFiles(folder.root, { a: 'three' })
  const plan = await folder.plan({ kind: 'restore', target: mark, outside: 'replace' })
  expect(plan.items.map((item) => [item.path, item.after.size])).toEqual([['a', 3]])
  writeFiles(folder.root, { a: 'four' })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'five!' }))
  const { base64 } = await folder.engine.call('file.cat', {
    workspace: folder.workspace,
    target: `${run}:start`,
    path: 'a'
  })
  expect(Buffer.from(base64, 'base64').toString()).toBe('four')
})

test('[LG-5] [CK-2] a covered folder that git ignores since is watched after a restart', {
  tags: ['linux']
}, async () => {
  await using folder = await recordedFolder({ files: { 'build/deep/a': 'one' } })
  writeFiles(folder.root, { '.gitignore': 'build/\n' })
  await folder.check()
  await folder.reopen({ watch: true })
  const status = (check: boolean) => folder.engine.call('workspace.status', { workspace: folder.workspace, check })
  // No check begins the watch: the folders are walked.
  await expect.poll(async () => (await status(false)).watcher.state).toBe('live')
  const { head } = await status(true)
  writeFiles(folder.root, { 'build/deep/a': 'two' })
  expect((await status(true)).head).toBe(head + 1)
})
