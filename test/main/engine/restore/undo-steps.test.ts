/** Undo goes on, step by step, also past a restore of which nothing is left. */
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

/** Two runs, `a` and `b`, both taken back, in that order. */
async function twoTakenBack(): Promise<RecordedFolder> {
  const folder = await recordedFolder({ files: { a: '0', b: '0' } })
  for (const name of ['a', 'b']) {
    const run = await folder.run(name, () => writeFiles(folder.root, { [name]: '1' }))
    await folder.apply({ kind: 'undo-run', run })
  }
  return folder
}

test('[RS-13] a restore that a person reverted by hand is superseded: the next undo reverts the one before it', async () => {
  await using folder = await twoTakenBack()
  writeFiles(folder.root, { b: '1' })
  expect((await folder.apply({ kind: 'undo' })).state).toBe('nothing-to-do')
  const { undo } = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(undo?.title).toBe('"a"')
  const before = folder.tree()
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  const undone = folder.tree()
  expect(undone).toEqual({ ...before, a: before.b })
  // What was stepped over was no undo, so redo does not know it.
  expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  expect(await folder.apply({ kind: 'redo' }).catch((error: { code: string }) => error.code)).toBe('Refused')
})

test('[RS-13] a restore with conflicts is not superseded: it can still be replaced', async () => {
  await using folder = await twoTakenBack()
  const before = folder.tree()
  writeFiles(folder.root, { b: 'mine' })
  const mine = folder.tree()
  for (let i = 0; i < 2; i++) {
    expect((await folder.apply({ kind: 'undo' })).state).toBe('nothing-to-do')
    expect(folder.tree()).toEqual(mine)
  }
  expect((await folder.apply({ kind: 'undo' }, { b: 'replace' })).state).toBe('done')
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(Object.values(folder.tree())).toEqual(Object.values(before).map(() => expect.stringContaining(btoa('1'))))
})

test('[RS-13] a redo with nothing left to do is superseded, too', async () => {
  await using folder = await twoTakenBack()
  await folder.apply({ kind: 'undo' })
  await folder.apply({ kind: 'undo' })
  writeFiles(folder.root, { a: '0' })
  expect((await folder.apply({ kind: 'redo' })).state).toBe('nothing-to-do')
  expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
  expect(folder.tree().b).toContain(btoa('0'))
})
