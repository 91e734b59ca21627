/** Wrong answers of other tools: unsorted diffs, the wrong previous checkpoint, old checkpoints not found, no preview. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { remove, writeFiles } from '../support/tree.ts'

test('[B17] content is identified by its full hash and a path by its full name, so neither is confused with another', async () => {
  await using folder = await recordedFolder({ files: { Foo: 'one', foo: 'two', 'd/foo': 'one' } })
  const rows = folder.store(
    (store) =>
      store.db
        .prepare(
          'SELECT p.name, c.hash FROM path p JOIN version v ON v.id = p.version JOIN content c ON c.id = v.content ORDER BY p.name'
        )
        .all() as { name: string; hash: Buffer }[]
  )
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
  expect(rows.map(({ name, hash: found }) => [name, found.toString('hex')])).toEqual([
    ['Foo', hash('one')],
    ['d/foo', hash('one')],
    ['foo', hash('two')]
  ])
})

test('[C1] a diff is sorted by path, and a checkpoint is compared with an earlier position, never with a guard at the same one', async () => {
  await using folder = await recordedFolder({ files: { z: '0', a: '0', 'm/x': '0' } })
  const { workspace } = folder
  const run = await folder.run('edit', () => writeFiles(folder.root, { z: '1', a: '1', 'm/x': '1', 'B/new': 'n' }))
  const { files, prevCheckpointId } = await folder.engine.call('diff.files', { workspace, target: run })
  expect(files.map((file) => file.path)).toEqual(['B/new', 'a', 'm/x', 'z'])
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace, all: true })
  expect(checkpoints.find((checkpoint) => checkpoint.id === prevCheckpointId)).toMatchObject({
    reason: 'run_start',
    run
  })
  await folder.apply({ kind: 'undo-run', run })
  await folder.apply({ kind: 'undo' })
  const again = await folder.engine.call('diff.files', { workspace, target: run })
  expect(
    again.files.map((file) => file.path),
    'restores in between change nothing about it'
  ).toEqual(['B/new', 'a', 'm/x', 'z'])
  expect(again.prevCheckpointId).toBe(prevCheckpointId)
})

test('[C2] an old checkpoint is found, compared and restored like any other', async () => {
  await using folder = await recordedFolder({ files: { a: 'first' } })
  const { workspace } = folder
  const old = await folder.checkpoint('old')
  const before = folder.tree()
  for (let i = 0; i < 60; i++) {
    writeFiles(folder.root, { a: `${i}`, [`f${i}`]: 'x' })
    await folder.checkpoint(`${i}`)
  }
  expect((await folder.engine.call('diff.files', { workspace, target: old, to: 'now' })).files).toHaveLength(61)
  expect((await folder.apply({ kind: 'restore', target: old, outside: 'replace' })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[C5] a position can be pinned, a restore previewed, and its result read file by file', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const mark = await folder.checkpoint('before the cleanup')
  await folder.run('cleanup', () => {
    writeFiles(folder.root, { a: '1', new: 'n' })
    remove(folder.root, 'b')
  })
  const after = folder.tree()
  const act = { kind: 'restore', target: mark } as const
  const plan = await folder.plan(act)
  const planned = plan.items.map((item) => [item.path, item.action])
  expect(planned).toEqual([
    ['a', 'write'],
    ['b', 'create'],
    ['new', 'delete']
  ])
  expect(folder.tree(), 'a preview writes nothing').toEqual(after)
  const result = await folder.apply(act)
  expect(result.items.map((item) => [item.path, item.action, item.result])).toEqual(
    planned.map((item) => [...item, 'done'])
  )
})
