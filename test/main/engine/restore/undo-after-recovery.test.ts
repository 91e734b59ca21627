/** Undo and redo after a restore was cut off: nothing that wrote nothing stands in their way. */
import { chmodSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCrashChild } from '../../../support/crash-process.ts'
import { cutOffRestore } from '../../../support/crash-recorder.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

test('[RS-13] undo skips a restore that was interrupted before it wrote anything', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const first = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const second = await folder.run('two', () => writeFiles(folder.root, { b: '2' }))
  await folder.apply({ kind: 'undo-run', run: first })
  await runCrashChild(folder, { do: 'restore', request: { kind: 'undo-run', run: second }, at: 'staged' })
  expect((await folder.apply({ kind: 'recover', how: 'undo' })).state).toBe('nothing-to-do')
  const { workspace } = folder
  const { undo } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([undo?.title, undo?.files]).toEqual([expect.stringContaining('one'), 1])
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('1')
  expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('0')
})

test('[RS-7] a folder that others made where an interrupted restore was to make one is theirs: its undo keeps it', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { 'd/f': 'f', other: '0' } })
  const run = await folder.run('one', () => {
    remove(folder.root, 'd')
    writeFiles(folder.root, { other: '1' })
  })
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'aside')
  mkdirSync(join(folder.root, 'd'))
  chmodSync(join(folder.root, 'd'), 0o711)
  await folder.apply({ kind: 'recover', how: 'undo' })
  expect(Object.keys(folder.tree())).toEqual(['d', 'other'])
  const { workspace } = folder
  const { drift } = await folder.engine.call('drift.list', { workspace, check: false })
  expect(drift.map(({ state, paths }) => [state, paths])).toEqual([['open', ['d']]])
})

test('[RS-7] files written by an interrupted restore count as its files', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', c: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1', c: '1' }))
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:2')
  await folder.apply({ kind: 'recover', how: 'finish' })
  const { workspace } = folder
  const { undo } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(undo?.files).toBe(3)
  await folder.apply({ kind: 'undo' })
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['restore'] })
  expect(entries.map((entry) => entry.kind === 'restore' && [entry.act, entry.state, entry.files])).toEqual([
    ['undo', 'done', 3],
    ['recover', 'done', 1],
    ['undo-run', 'done', 3]
  ])
})

for (const [at, left] of [
  ['placed:1', 1],
  ['placed:2', 0]
] as const) {
  test(`[RS-13] an undo that was cut off with ${left} to go and then finished is a whole undo`, async () => {
    await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
    const first = await folder.run('one', () => writeFiles(folder.root, { c: '1' }))
    const run = await folder.run('two', () => writeFiles(folder.root, { a: '2', b: '2' }))
    const changed = folder.tree()
    await folder.apply({ kind: 'undo-run', run: first })
    const before = folder.tree()
    await folder.apply({ kind: 'undo-run', run })
    const back = folder.tree()
    await cutOffRestore(folder, { kind: 'undo' }, at)
    await folder.apply({ kind: 'recover', how: 'finish' })
    expect(folder.tree()).toEqual(before)
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual(changed)
    await folder.apply({ kind: 'redo' })
    expect(folder.tree()).toEqual(before)
    await folder.apply({ kind: 'redo' })
    expect(folder.tree()).toEqual(back)
  })
}

for (const act of ['undo', 'redo'] as const) {
  test(`[RS-13] ${act} that was interrupted and undone does not change undo and redo`, async () => {
    await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
    const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1' }))
    const changed = folder.tree()
    await folder.apply({ kind: 'undo-run', run })
    const back = folder.tree()
    if (act === 'redo') await folder.apply({ kind: 'undo' })
    await cutOffRestore(folder, { kind: act }, 'placed:1')
    await folder.apply({ kind: 'recover', how: 'undo' })
    expect(folder.tree()).toEqual(act === 'undo' ? back : changed)
    await folder.apply({ kind: act })
    expect(folder.tree()).toEqual(act === 'undo' ? changed : back)
  })
}

test('[RS-13] a restore that was interrupted and undone does not clear redo', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', c: '0' } })
  const first = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const second = await folder.run('two', () => writeFiles(folder.root, { b: '2', c: '2' }))
  await folder.apply({ kind: 'undo-run', run: first })
  const back = folder.tree()
  await folder.apply({ kind: 'undo' })
  await cutOffRestore(folder, { kind: 'undo-run', run: second }, 'placed:1')
  await folder.apply({ kind: 'recover', how: 'undo' })
  await folder.apply({ kind: 'redo' })
  expect(folder.tree()).toEqual(back)
})

test('[RS-7] a finished restore to an earlier position marks the checkpoints after it, and undo unmarks them', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const { workspace } = folder
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1' }))
  const end = async (): Promise<unknown> =>
    (await folder.engine.call('checkpoint.list', { workspace, all: true })).checkpoints
      .filter((checkpoint) => checkpoint.reason === 'end_of_turn')
      .map((checkpoint) => checkpoint.status)
  await cutOffRestore(folder, { kind: 'restore', target: `${run}:start` }, 'placed:1')
  await folder.apply({ kind: 'recover', how: 'finish' })
  expect(await end()).toEqual(['restored'])
  await folder.apply({ kind: 'undo' })
  expect(await end()).toEqual(['available'])
  await folder.apply({ kind: 'redo' })
  expect(await end()).toEqual(['restored'])
})

test('[RS-7] [RS-17] an interrupted restore that is undone leaves no mark', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1' }))
  const before = folder.tree()
  await cutOffRestore(folder, { kind: 'restore', target: `${run}:start` }, 'placed:1')
  await folder.apply({ kind: 'recover', how: 'undo' })
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, all: true })
  expect(checkpoints.filter(({ status }) => status !== 'available')).toEqual([])
  expect(folder.tree()).toEqual(before)
})

test('[RS-7] no run begins while a restore waits for Finish or Undo: it could not be recorded truly', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1' }))
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:1')
  await expect(folder.run('two', () => {})).rejects.toMatchObject({ code: 'Refused' })
  await folder.apply({ kind: 'recover', how: 'undo' })
  await folder.run('two', () => writeFiles(folder.root, { a: '2' }))
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('2')
})

test('[RS-6] [RS-13] undoing a restore that was cut off between its folders and their modes, and finished, leaves no folder of it', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { 'd/e/f': 'deep', keep: 'k' } })
  const run = await folder.run('delete', () => remove(folder.root, 'd'))
  const after = folder.tree()
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed')
  expect((await folder.apply({ kind: 'recover', how: 'finish' })).state).toBe('done')
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree()).toEqual(after)
})
