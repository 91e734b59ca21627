/** A watching host during the initial snapshot of the folder. */
import { expect, test } from 'vitest'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[DR-5] a change reported during the snapshot is found when it is complete, whatever else changed', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true })
  const { workspace } = folder
  const look = async () =>
    (await folder.engine.call('drift.list', { workspace, check: true })).drift.flatMap((drift) => drift.paths)
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  expect([await look(), await look()]).toEqual([[], []])
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'copying')))
  // Changed rules need a scan, which waits for the end of the snapshot.
  writeFiles(folder.root, { a: 'two', '.gitignore': 'x\n' })
  await look()
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'complete')))
  expect(await look()).toEqual(['.gitignore', 'a'])
})

test('[DR-1] a change during the snapshot of a new folder is an outside edit, not one made while recording was off', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'coverage', 'none')))
  await folder.reopen()
  writeFiles(folder.root, { a: 'two' })
  await folder.engine.call('workspaces.add', { folder: folder.root, wait: true })
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  expect(drift).toMatchObject([{ cause: 'edits', paths: ['a'] }])
})
