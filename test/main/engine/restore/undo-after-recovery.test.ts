/** Undo and redo after a restore was cut off: nothing that wrote nothing stands in their way. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCrashChild } from '../../../support/crash-process.ts'
import { recordedFolder } from '../../../support/recorded.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[RS-13] a restore that was cut off before it wrote anything is not what undo takes back', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const first = await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const second = await folder.run('two', () => writeFiles(folder.root, { b: '2' }))
  await folder.apply({ kind: 'undo-run', run: first })
  await runCrashChild(folder, { do: 'restore', act: { kind: 'undo-run', run: second }, at: 'staged' })
  expect((await folder.apply({ kind: 'recover', how: 'undo' })).state).toBe('nothing-to-do')
  const { workspace } = folder
  const { undo } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([undo?.title, undo?.files]).toEqual([expect.stringContaining('one'), 1])
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('1')
  expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('0')
})

test('[RS-7] what a cut off restore had written counts as its files', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', c: '0' } })
  const run = await folder.run('one', () => writeFiles(folder.root, { a: '1', b: '1', c: '1' }))
  await runCrashChild(folder, { do: 'restore', act: { kind: 'undo-run', run }, at: 'placed:2' })
  await folder.apply({ kind: 'recover', how: 'finish' })
  await folder.apply({ kind: 'undo' })
  const { workspace } = folder
  const { undo } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(undo?.files).toBe(2)
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['restore'] })
  expect(entries.map((entry) => entry.kind === 'restore' && [entry.act, entry.state, entry.files])).toEqual([
    ['undo', 'done', 1],
    ['recover', 'done', 1],
    ['undo-run', 'partial', 2]
  ])
})
