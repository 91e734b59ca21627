/** What a watching host makes of the folder while its first copy goes on. */
import { expect, test } from 'vitest'
import { recordedFolder } from '../../../support/recorded.ts'
import { writeFiles } from '../../../support/tree.ts'

test('[DR-5] what the watcher told of while the copy went on is found when it is complete, whatever else changed', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true })
  const { workspace } = folder
  const look = async () =>
    (await folder.engine.call('drift.list', { workspace, check: true })).drift.flatMap((drift) => drift.paths)
  const state = async () => (await folder.engine.call('workspace.status', { workspace, check: true })).watcher.state
  await expect.poll(state, { timeout: 10_000 }).toBe('live')
  expect([await look(), await look()]).toEqual([[], []])
  folder.store((store) => store.setMeta('coverage', 'copying'))
  // New rules ask for a scan, which waits for the copy's end.
  writeFiles(folder.root, { a: 'two', '.gitignore': 'x\n' })
  await look()
  folder.store((store) => store.setMeta('coverage', 'complete'))
  expect(await look()).toEqual(['.gitignore', 'a'])
})

test('[DR-1] what changes while a new folder is copied was changed outside, not while recording was off', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  folder.store((store) => store.setMeta('coverage', 'none'))
  await folder.reopen()
  writeFiles(folder.root, { a: 'two' })
  await folder.engine.call('workspaces.add', { folder: folder.root, wait: true })
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  expect(drift).toMatchObject([{ cause: 'edits', paths: ['a'] }])
})
