/** The rules of restores on real folders: what is taken back, what stays, and the way there and back again. */
import { execFileSync } from 'node:child_process'
import { chmodSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { warningText } from '../../../../src/contract/words/plan.ts'
import { ORDINARY_EDITS } from '../../../../src/main/engine/drift/drifts.ts'
import { recordChanges } from '../../../../src/main/engine/drift/record.ts'
import { cutOffRestore, openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')
const problems = async (folder: RecordedFolder) => (await folder.engine.call('doctor.run', { deep: true })).problems

test('[RS-1] the same folder and the same request give the same plan, also in another process', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', 'd/c': 'one' } })
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two', n: 'n' })
    remove(folder.root, 'd')
  })
  const act = { kind: 'restore', target: run } as const
  const plans = [await folder.plan(act), await folder.plan(act)]
  await folder.reopen()
  plans.push(await folder.plan(act))
  expect(plans[1]).toEqual(plans[0])
  expect(plans[2]).toEqual(plans[0])
})

test('[RS-2] a plan for other choices is another plan', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const request = { kind: 'undo-run', run } as const
  const all = await folder.plan(request)
  const some = await folder.plan(request, { a: 'keep' })
  expect(some.plan).not.toBe(all.plan)
  const { workspace } = folder
  await expect(folder.engine.call('restore.apply', { workspace, request, plan: some.plan })).rejects.toMatchObject({
    code: 'PlanStale'
  })
  const done = await folder.engine.call('restore.apply', {
    workspace,
    request,
    plan: some.plan,
    resolutions: { a: 'keep' }
  })
  expect([done.state, text(folder, 'a'), text(folder, 'b')]).toEqual(['done', 'two', 'one'])
})

test('[RS-2] a file that a plan keeps may change until the plan is applied, one that it writes may not', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', 'server.log': '1' } })
  const { engine, workspace, root } = folder
  const run = await folder.run('edit', () => writeFiles(root, { a: 'two' }))
  writeFiles(root, { 'server.log': '12' })
  const request = { kind: 'restore', target: `${run}:start` } as const
  const { plan, items } = await folder.plan(request)
  expect(items.map(({ path, action }) => [path, action])).toEqual([
    ['a', 'write'],
    ['server.log', 'keep']
  ])
  writeFiles(root, { 'server.log': '123' })
  expect((await engine.call('restore.apply', { workspace, request, plan })).state).toBe('done')
  expect([text(folder, 'a'), text(folder, 'server.log')]).toEqual(['one', '123'])
  await folder.apply({ kind: 'undo' })
  const again = await folder.plan(request)
  writeFiles(root, { a: 'three' })
  await expect(engine.call('restore.apply', { workspace, request, plan: again.plan })).rejects.toMatchObject({
    code: 'PlanStale'
  })
})

test('[A2] [RS-4] a session of many runs can be restored to any of them: later files are removed, and later changes reverted', async () => {
  await using folder = await recordedFolder({ files: { early: '0', late: '0' } })
  const first = await folder.run('first', () => writeFiles(folder.root, { early: '1' }))
  const middle = folder.tree()
  await folder.run('second', () => writeFiles(folder.root, { early: '2', made: 'm' }))
  await folder.run('third', () => remove(folder.root, 'late'))
  expect((await folder.apply({ kind: 'restore', target: `${first}:end` })).state).toBe('done')
  expect(folder.tree()).toEqual(middle)
  expect(await problems(folder)).toEqual([])
})

test('[RS-6] repeated undo walks back through all restores and redo forward, also after restarts', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const marks: string[] = []
  for (let i = 1; i <= 4; i++) {
    marks.push(await folder.checkpoint())
    await folder.run(`${i}`, () => writeFiles(folder.root, { a: `${i}`, [`f${i}`]: 'x' }))
  }
  const trees = [folder.tree()]
  for (const mark of [3, 0, 2].map((i) => marks[i] as string)) {
    expect((await folder.apply({ kind: 'restore', target: mark })).state).toBe('done')
    trees.push(folder.tree())
  }
  for (let i = 2; i >= 0; i--) {
    await folder.reopen()
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree(), `undo to ${i}`).toEqual(trees[i])
  }
  expect((await folder.apply({ kind: 'undo' }).catch((error: { code: string }) => error)) as unknown).toMatchObject({
    code: 'Refused'
  })
  for (let i = 1; i <= 3; i++) {
    await folder.reopen()
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(folder.tree(), `redo to ${i}`).toEqual(trees[i])
  }
  await expect(folder.apply({ kind: 'redo' })).rejects.toMatchObject({ code: 'Refused' })
  expect(await problems(folder)).toEqual([])
})

test('[RS-6] a new restore clears redo', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const run = await folder.run('1', () => writeFiles(folder.root, { a: '1' }))
  await folder.apply({ kind: 'undo-run', run })
  await folder.apply({ kind: 'undo' })
  await folder.apply({ kind: 'restore', target: run })
  await expect(folder.apply({ kind: 'redo' })).rejects.toMatchObject({ code: 'Refused' })
})

test('[RS-10] undo reverts exactly the run: edits of later runs and people stay, byte for byte', async () => {
  await using folder = await recordedFolder({ files: { mine: '0', theirs: '0', person: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { mine: '1', new: 'n' }))
  await folder.run('two', () => writeFiles(folder.root, { theirs: '2' }))
  writeFiles(folder.root, { person: 'p' })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect([text(folder, 'mine'), text(folder, 'theirs'), text(folder, 'person'), 'new' in folder.tree()]).toEqual([
    '0',
    '2',
    'p',
    false
  ])
})

test("[RS-10] bytes that are equal by chance are not the run's: another run's equal content is not undone", async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const first = await folder.run('first', () => writeFiles(folder.root, { a: '1' }))
  await folder.run('between', () => writeFiles(folder.root, { a: '0' }))
  await folder.run('again', () => writeFiles(folder.root, { a: '1' }))
  const result = await folder.apply({ kind: 'undo-run', run: first })
  expect([result.state, result.conflicts.map((conflict) => conflict.path), text(folder, 'a')]).toEqual([
    'refused',
    ['a'],
    '1'
  ])
})

test("[RS-10] a person's edit between two edits of one run is a conflict, not lost", async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const one = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  writeFiles(folder.root, { a: 'person' })
  await folder.check()
  await folder.run('two', () => writeFiles(folder.root, { a: '2' }))
  const before = folder.tree()
  const refused = await folder.apply({ kind: 'undo-run', run: one })
  expect([refused.state, refused.refusal]).toEqual(['refused', expect.stringContaining('Nothing was written')])
  expect(folder.tree()).toEqual(before)
  const kept = await folder.apply({ kind: 'undo-run', run: one, onConflict: 'keep' })
  expect([kept.state, kept.items.map((item) => item.result)]).toEqual(['nothing-to-do', ['kept']])
  const replaced = await folder.apply({ kind: 'undo-run', run: one, onConflict: 'replace' })
  expect([replaced.state, text(folder, 'a')]).toEqual(['done', '0'])
  await folder.apply({ kind: 'undo' })
  expect(text(folder, 'a')).toBe('2')
})

test('[RS-10] edits that are no longer in force need no undo: nothing to do, twice', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('nothing-to-do')
  await folder.apply({ kind: 'undo' })
  expect((await folder.apply({ kind: 'undo-run', run })).state, 'in force again').toBe('done')
})

test('[RS-10] only selected paths of a run are undone; a folder selects all below it', async () => {
  await using folder = await recordedFolder({ files: { a: '0', 'd/b': '0', 'd/e/c': '0', 'd-not': '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', 'd/b': '1', 'd/e/c': '1', 'd-not': '1' }))
  await folder.apply({ kind: 'undo-run', run, paths: ['d'] })
  expect(['a', 'd/b', 'd/e/c', 'd-not'].map((path) => text(folder, path))).toEqual(['1', '0', '0', '1'])
})

test("[RS-13] undo acts on that restore's files only; a file edited since is a conflict and stays", async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', other: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1' }))
  await folder.apply({ kind: 'undo-run', run })
  writeFiles(folder.root, { b: 'person', other: 'person' })
  const plan = await folder.plan({ kind: 'undo' })
  expect(plan.conflicts.map((conflict) => [conflict.path, conflict.choice])).toEqual([['b', 'keep']])
  await folder.apply({ kind: 'undo' })
  expect([text(folder, 'a'), text(folder, 'b'), text(folder, 'other')]).toEqual(['1', 'person', 'person'])
})

test('[RS-14] a restore keeps later outside edits and lists them; replace reverts them, and undo returns them', async () => {
  await using folder = await recordedFolder({ files: { run: '0', person: '0' } })
  const mark = await folder.checkpoint()
  await folder.run('a run', () => writeFiles(folder.root, { run: '1' }))
  await folder.run('another', () => writeFiles(folder.root, { run: '2' }))
  writeFiles(folder.root, { person: 'p', made: 'by a person' })
  const act = { kind: 'restore', target: mark } as const
  const plan = await folder.plan(act)
  expect(plan.warnings.map(warningText).join()).toMatch(/2 runs.*a run.*another/)
  expect(plan.conflicts.map((conflict) => [conflict.path, conflict.choice, conflict.by.map((by) => by.who)])).toEqual([
    ['made', 'keep', ['outside']],
    ['person', 'keep', ['outside']]
  ])
  const kept = await folder.apply(act)
  expect([kept.state, text(folder, 'run'), text(folder, 'person'), text(folder, 'made')]).toEqual([
    'done',
    '0',
    'p',
    'by a person'
  ])
  const chosen = await folder.apply(act, { person: 'replace' })
  expect([chosen.state, text(folder, 'person'), text(folder, 'made')]).toEqual(['done', '0', 'by a person'])
  await folder.apply({ ...act, outside: 'replace' })
  expect(Object.keys(folder.tree())).toEqual(['person', 'run'])
  await folder.apply({ kind: 'undo' })
  expect(text(folder, 'made')).toBe('by a person')
})

test('[RS-4] restoring one file makes its folders again with the modes they had', { tags: ['posix'] }, async () => {
  await using folder = await recordedFolder({ files: { 'private/deep/key': 'secret' } })
  chmodSync(join(folder.root, 'private'), 0o700)
  chmodSync(join(folder.root, 'private/deep'), 0o750)
  await folder.check()
  const run = await folder.run('delete', () => remove(folder.root, 'private'))
  expect((await folder.apply({ kind: 'restore', target: run, paths: ['private/deep/key'] })).state).toBe('done')
  const mode = (path: string): string => (statSync(join(folder.root, path)).mode & 0o7777).toString(8)
  expect([mode('private'), mode('private/deep'), text(folder, 'private/deep/key')]).toEqual(['700', '750', 'secret'])
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual({})
})

test('[LG-5] a file that appears in a folder which a restore has just made was absent before, so its undo deletes it', async () => {
  await using folder = await recordedFolder({ files: { 'd/x': 'one', other: 'o' } })
  const gone = await folder.run('delete', () => remove(folder.root, 'd'))
  await folder.apply({ kind: 'undo-run', run: gone })
  const before = folder.tree()
  writeFiles(folder.root, { 'd/new': 'n' })
  {
    await using open = openRecorder(folder.dataDir, folder.workspace)
    await recordChanges(open.recorder, { paths: ['d/new'], trees: [] }, ORDINARY_EDITS)
  }
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  await folder.apply({ kind: 'drift', drift: drift[0]?.id as string })
  expect(folder.tree()).toEqual(before)
})

test('[RS-4] undoing the creation of a folder keeps it while it contains files of a later run', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('make', () => writeFiles(folder.root, { 'd/a': 'a' }))
  await folder.run('more', () => writeFiles(folder.root, { 'd/b': 'b' }))
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.action])).toEqual([
    ['d', 'keep'],
    ['d/a', 'delete']
  ])
  expect(Object.keys(folder.tree())).toEqual(['d', 'd/b', 'keep'])
})

test('[C3] [CK-1] checkpoints after a restore’s target can still be restored, and are available again after undo', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const first = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const second = await folder.run('two', () => writeFiles(folder.root, { a: '2' }))
  const { workspace } = folder
  const statuses = async () =>
    (await folder.engine.call('checkpoint.list', { workspace, run: second, all: true })).checkpoints.map(
      (checkpoint) => [checkpoint.reason, checkpoint.status]
    )
  await folder.apply({ kind: 'restore', target: first })
  expect(await statuses()).toEqual([
    ['end_of_turn', 'restored'],
    ['run_start', 'restored']
  ])
  expect((await folder.apply({ kind: 'restore', target: `${second}:end` })).state).toBe('done')
  expect(text(folder, 'a')).toBe('2')
  await folder.apply({ kind: 'undo' })
  await folder.apply({ kind: 'undo' })
  expect(await statuses()).toEqual([
    ['end_of_turn', 'available'],
    ['run_start', 'available']
  ])
  expect(text(folder, 'a')).toBe('2')
})

for (const how of ['finish', 'undo'] as const) {
  test(`[RS-7] an edit made after a restore was cut off is stored, becomes a conflict and survives recover ${how}`, async () => {
    await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
    const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two', c: 'two' }))
    await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:2')
    expect([text(folder, 'a'), text(folder, 'b'), text(folder, 'c')]).toEqual(['one', 'one', 'two'])
    writeFileSync(join(folder.root, 'b'), 'mine, on what was written')
    writeFileSync(join(folder.root, 'c'), 'mine, on what was not')
    const plan = await folder.plan({ kind: 'recover', how })
    expect(plan.conflicts.map((conflict) => [conflict.path, conflict.choice])).toEqual([
      ['b', 'keep'],
      ['c', 'keep']
    ])
    await folder.apply({ kind: 'recover', how })
    expect([text(folder, 'a'), text(folder, 'b'), text(folder, 'c')]).toEqual([
      how === 'finish' ? 'one' : 'two',
      'mine, on what was written',
      'mine, on what was not'
    ])
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'c' })
    expect(versions[0]).toMatchObject({ origin: 'outside', stored: true })
    expect(await problems(folder)).toEqual([])
    const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
    expect(status.interruptedRestore).toBeNull()
  })
}

test('[RS-7] a restore that was finished is one step of undo and redo, as though it had never stopped', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const after = folder.tree()
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:1')
  await folder.apply({ kind: 'recover', how: 'finish' })
  expect(text(folder, 'b')).toBe('one')
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(after)
  await folder.apply({ kind: 'redo' })
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['one', 'one'])
})

test('[CP-4] [RS-6] a folder that became a link to itself, or to a pipe, goes back and forth', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { 'd/e/f': 'one', 'd/p/f': 'one' } })
  const before = folder.tree()
  const run = await folder.run('links', () => {
    for (const name of ['e', 'p']) rmSync(join(folder.root, 'd', name), { recursive: true })
    symlinkSync('e', join(folder.root, 'd/e'))
    symlinkSync(join(folder.dataDir, 'pipe'), join(folder.root, 'd/p'))
  })
  execFileSync('mkfifo', [join(folder.dataDir, 'pipe')])
  const after = folder.tree()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
})
