/** [RS-10] Outside edits that bring a file back to what it was are no conflict: `git checkout` of another branch and back. */
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Clock, systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { readTree, type Tree, writeFiles } from '../../../support/tree.ts'

const BEFORE = { edited: 'one\n', deleted: 'two\n', 'old-name': 'three\n'.repeat(9), other: 'four\n' }

function work(root: string): void {
  writeFiles(root, { edited: 'one of the run\n', created: 'five\n', 'folder/made': 'six\n' })
  rmSync(join(root, 'deleted'))
  renameSync(join(root, 'old-name'), join(root, 'new-name'))
}

/** What another branch has instead of what the run made. */
function checkOutOther(root: string): void {
  writeFiles(root, { edited: 'one of the other branch\n', deleted: 'two\n', other: 'four of it\n' })
  for (const name of ['created', 'folder']) rmSync(join(root, name), { recursive: true })
  renameSync(join(root, 'new-name'), join(root, 'old-name'))
}

function checkOutAgain(root: string): void {
  writeFiles(root, { other: 'four\n' })
  work(root)
}

async function awayAndBack(folder: RecordedFolder): Promise<Tree> {
  const before = folder.tree()
  checkOutOther(folder.root)
  await folder.check()
  checkOutAgain(folder.root)
  await folder.check()
  expect(folder.tree()).toEqual(before)
  return before
}

describe('[RS-10] after a checkout of another branch and back', () => {
  test('a run is undone without a conflict, and the undo is undone and redone', async () => {
    await using folder = await recordedFolder({ files: BEFORE })
    const start = readTree(folder.root)
    const run = await folder.run('edit', () => work(folder.root))
    for (const times of [1, 2]) {
      const done = await awayAndBack(folder)
      expect(await folder.apply({ kind: 'undo-run', run }), `${times} times`).toMatchObject({
        state: 'done',
        conflicts: []
      })
      expect(folder.tree()).toEqual(start)
      expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
      expect(folder.tree()).toEqual(done)
      expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
      expect(folder.tree()).toEqual(start)
      expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    }
  })

  test('a rename is undone, although only one of both ways was recorded as a rename', async () => {
    let later = 0
    const clock: Clock = { ...systemClock, now: () => systemClock.now() + later }
    await using folder = await recordedFolder({ files: BEFORE, clock })
    const at = (name: string): string => join(folder.root, name)
    const start = folder.tree()
    const run = await folder.run('rename', () => renameSync(at('old-name'), at('new-name')))
    const done = folder.tree()
    renameSync(at('new-name'), at('elsewhere'))
    await folder.check()
    rmSync(at('elsewhere'))
    await folder.check()
    later = 60_000
    writeFiles(folder.root, { 'new-name': BEFORE['old-name'] })
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'done', conflicts: [] })
    expect(folder.tree()).toEqual(start)
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual(done)
  })

  test('a restore is undone without a conflict', async () => {
    await using folder = await recordedFolder({ files: { edited: 'one\n', created: 'two\n' } })
    await folder.run('edit', () => writeFiles(folder.root, { edited: 'of the run\n', added: 'three\n' }))
    const done = folder.tree()
    await folder.apply({ kind: 'restore', target: 'seq:0' })
    for (const text of ['of the other branch\n', 'one\n']) {
      writeFiles(folder.root, { edited: text })
      await folder.check()
    }
    expect(await folder.apply({ kind: 'undo' })).toMatchObject({ state: 'done', conflicts: [] })
    expect(folder.tree()).toEqual(done)
  })

  test('what a person wrote before stays a conflict, and is not lost', async () => {
    await using folder = await recordedFolder({ files: { a: 'one\ntwo\n' } })
    const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'ONE\ntwo\n' }))
    for (const text of ['ONE\nTWO\n', 'other\n', 'ONE\nTWO\n']) {
      writeFiles(folder.root, { a: text })
      await folder.check()
    }
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'refused' })
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a' }])
  })

  test('a mode counts as a change', { tags: ['posix'] }, async () => {
    await using folder = await recordedFolder({ files: { a: 'one\n' } })
    const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two\n' }))
    writeFiles(folder.root, { a: 'other\n' })
    await folder.check()
    rmSync(join(folder.root, 'a'))
    writeFileSync(join(folder.root, 'a'), 'two\n', { mode: 0o700 })
    await folder.check()
    expect((await folder.plan({ kind: 'undo-run', run })).conflicts).toMatchObject([{ path: 'a' }])
  })
})
