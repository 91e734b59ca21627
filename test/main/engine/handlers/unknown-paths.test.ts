/** [UI-2] A path that was never recorded is refused by name, instead of "nothing to do". */
import { expect, test } from 'vitest'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

test('[UI-2] in a diff, a restore and an undo, beside paths that are recorded', async () => {
  await using folder = await recordedFolder({ files: { 'src/a.txt': 'a\n' } })
  const { workspace, engine, root } = folder
  const run = await folder.run('edit', () => writeFiles(root, { 'src/a.txt': 'b\n' }))
  const paths = ['src/a.txt', 'scr/a.txt']
  const unknown = { code: 'UnknownTarget', message: 'scr/a.txt was never recorded in this folder.' }
  await expect(engine.call('diff.patch', { workspace, target: run, paths })).rejects.toMatchObject(unknown)
  await expect(folder.plan({ kind: 'restore', target: run, paths })).rejects.toMatchObject(unknown)
  await expect(folder.plan({ kind: 'undo-run', run, paths })).rejects.toMatchObject(unknown)
  await expect(folder.plan({ kind: 'undo-run', run, hunks: { 'scr/a.txt': [1] } })).rejects.toMatchObject(unknown)
  expect(folder.tree()['src/a.txt']).toBeDefined()
})

test('[UI-2] a folder, and a file that is gone from the disk, are recorded paths', async () => {
  await using folder = await recordedFolder({ files: { 'src/a.txt': 'a\n', 'b.txt': 'b\n' } })
  const run = await folder.run('delete', () => remove(folder.root, 'src', 'b.txt'))
  const { items } = await folder.plan({ kind: 'restore', target: run, paths: ['src', 'b.txt'] })
  expect(items.filter(({ action }) => action === 'create').map(({ path }) => path)).toEqual(['b.txt', 'src/a.txt'])
})
