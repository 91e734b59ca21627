/** [CP-3] Names and link targets that are not UTF-8 are listed as excluded, and never changed or deleted. */
import { readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { systemClock } from '../../src/main/engine/ports/clock.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { notCovered, versions } from '../support/recorded-state.ts'
import { expectRoundTrip } from '../support/round-trip.ts'
import { remove, writeFiles } from '../support/tree.ts'

const raw = (root: string, bytes: number[], dir = ''): Buffer =>
  Buffer.concat([Buffer.from(`${join(root, dir)}/`), Buffer.from(bytes)])

test('[UI-1] [CP-3] names that are not UTF-8 are listed as excluded until they are deleted', async () => {
  await using folder = await recordedFolder({ files: { 'one/a': 'a', 'two/b': 'b' } })
  // A clock ahead of the folder's times, so that unchanged folders are not listed again.
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 60_000 } })
  writeFileSync(raw(folder.root, [0x66, 0xff], 'one'), 'x')
  await folder.check()
  expect(await notCovered(folder)).toEqual(['one/f\ufffd name'])
  writeFileSync(raw(folder.root, [0x67, 0xfe], 'two'), 'y')
  await folder.check()
  expect(await notCovered(folder), 'a name elsewhere does not hide the first').toEqual([
    'one/f\ufffd name',
    'two/g\ufffd name'
  ])
  await folder.reopen()
  await folder.check()
  expect(await notCovered(folder)).toEqual(['one/f\ufffd name', 'two/g\ufffd name'])
  rmSync(raw(folder.root, [0x66, 0xff], 'one'))
  await folder.check()
  expect(await notCovered(folder), 'gone').toEqual(['two/g\ufffd name'])
  remove(folder.root, 'two')
  await folder.check()
  expect(await notCovered(folder), 'gone with its folder').toEqual([])
})

test('[CP-3] a name that contains U+FFFD itself is recorded like any other', async () => {
  await using folder = await recordedFolder({ files: { 'a\ufffdb': 'one', 'd\ufffd/x': 'x' } })
  // A clock ahead of the folder's times, so that the listing of the initial snapshot is trusted.
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 60_000 } })
  expect(await notCovered(folder)).toEqual([])
  const before = folder.tree()
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { 'a\ufffdb': 'two' })
    remove(folder.root, 'd\ufffd')
  })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[CP-3] [RS-4] a folder that contains a name we cannot write is kept when its other files are deleted', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('add', () => {
    writeFiles(folder.root, { 'new/a': 'a' })
    writeFileSync(raw(folder.root, [0xff], 'new'), 'odd')
  })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['new', 'kept'],
    ['new/a', 'done']
  ])
  expect(readdirSync(join(folder.root, 'new'), { encoding: 'buffer' })).toEqual([Buffer.from([0xff])])
})

test('[CP-3] a link whose target is not UTF-8 is listed, and other links are recorded', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('odd', () => {
    symlinkSync(Buffer.from([0x78, 0xff]), join(folder.root, 'odd'))
    writeFiles(folder.root, { a: 'two' })
  })
  expect(await notCovered(folder)).toEqual(['odd name'])
  expect((await versions(folder, 'a'))[0]?.run).toBe(run)
})

test('[CP-3] names that are not UTF-8 stay unchanged while everything around them is restored and undone', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', 'd/b': 'one' },
    make: (root) => {
      writeFileSync(raw(root, [0xff, 0xfe]), 'theirs')
      writeFileSync(raw(root, [0xc3, 0x28], 'd'), 'theirs')
      symlinkSync(Buffer.from([0xff]), raw(root, [0x6c, 0xff]))
    }
  })
  await expectRoundTrip(folder, () => {
    writeFiles(folder.root, { a: 'two', 'd/new': 'n' })
    remove(folder.root, 'd/b')
  })
})
