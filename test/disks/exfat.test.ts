/** A project on exFAT: case-insensitive names, no permissions, no links, folder times that miss renames, new inode numbers per mount. */
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { type Mount, mountForeignDisk } from '../support/foreign-disk.ts'
import { type RecordedFolder, type RecordedOptions, recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, undoInEveryWay } from '../support/round-trip.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'

/** Runs `body` in a folder recorded on such a disk. */
async function onExfat(
  { skip }: TestContext,
  files: RecordedOptions['files'] & {},
  body: (folder: RecordedFolder, disk: Mount) => Promise<void>
): Promise<void> {
  using temp = tempFolder()
  using disk = mountForeignDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip('a disk of that kind (root, loop devices and FUSE)')
  await using folder = await recordedFolder({ files, place: join(temp.path, 'disk') })
  await body(folder, disk)
}

/** One run changes the folder and is undone in every way. Names are compared as the disk lists them. */
async function thereAndBack(folder: RecordedFolder, work: () => void): Promise<void> {
  const before = folder.tree()
  const run = await folder.run('work', work)
  const after = folder.tree()
  expect(Object.keys(after)).not.toEqual(Object.keys(before))
  await undoInEveryWay(folder, run, before, after)
  await expectIntact(folder)
}

const move = (folder: RecordedFolder, from: string, to: string): void =>
  renameSync(join(folder.root, from), join(folder.root, to))

test('[B22] [CP-6] case-only renames of a file and a folder are undone and redone with everything in them', (test) =>
  onExfat(test, { 'A.txt': 'a', 'Dir/one': '1', 'Dir/Sub/two': '2', 'é.txt': 'accent' }, async (folder) => {
    await thereAndBack(folder, () => {
      move(folder, 'A.txt', 'a.txt')
      move(folder, 'Dir', 'dir')
      move(folder, 'dir/Sub', 'dir/SUB')
      move(folder, 'é.txt', 'É.txt')
    })
  }))

test('[B22] [CP-6] a file deleted and created in another letter case, and one that became a folder, are restored', (test) =>
  onExfat(test, { 'A.txt': 'a', 'B/x': 'x', C: 'c' }, async (folder) => {
    await thereAndBack(folder, () => {
      remove(folder.root, 'A.txt', 'B', 'C')
      writeFiles(folder.root, { 'a.txt': 'other', b: 'a file now', 'c/y': 'y' })
    })
  }))

test('[DR-1] renamed and moved files are found although the times of their folders do not change', (test) =>
  onExfat(test, { 'a/one': '1', 'b/two': '2', three: '3' }, async (folder) => {
    await folder.check()
    await thereAndBack(folder, () => {
      move(folder, 'three', 'four')
      move(folder, 'a/one', 'b/one')
    })
  }))

test('[DR-1] a disk mounted again shows no drift, although its inode numbers differ', (test) =>
  onExfat(test, { 'a/one': '1', 'b/two': '2', three: '3' }, async (folder, disk) => {
    await folder.engine.close()
    disk.again()
    await folder.reopen()
    const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
    expect(drift).toEqual([])
  }))

test('[DR-2] a second edit of the same size within one tick of the clock is found', (test) =>
  onExfat(test, { a: 'one' }, async (folder) => {
    for (const text of ['two', 'six', 'ten']) {
      writeFileSync(join(folder.root, 'a'), text)
      await folder.check()
    }
    const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'a' })
    expect(versions).toHaveLength(4)
  }))

/** A history recorded on a case-sensitive disk continues in a copy of its folder on exFAT. */
async function movedToExfat(
  { skip }: TestContext,
  files: RecordedOptions['files'] & {},
  copy: (from: string, to: string) => void,
  body: (folder: RecordedFolder, root: string) => Promise<void>
): Promise<void> {
  using temp = tempFolder()
  await using folder = await recordedFolder({ files })
  using disk = mountForeignDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip('a disk of that kind (root, loop devices and FUSE)')
  const root = join(temp.path, 'disk', 'project')
  mkdirSync(root)
  copy(folder.root, root)
  await folder.engine.call('workspaces.locate', { workspace: folder.workspace, folder: root })
  await body(folder, root)
}

test('[B22] two recorded names that are equal on this disk: neither overwrites the other, and the plan says so', (test) =>
  movedToExfat(
    test,
    { README: 'large', readme: 'small', 'Src/a': 'A', 'src/a': 'a', other: 'o' },
    (_, to) => writeFiles(to, { README: 'large', 'Src/a': 'A', other: 'o' }),
    async (folder, root) => {
      await folder.check()
      const { items, state } = await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
      expect(state).toBe('done')
      expect(items.filter((item) => item.result === 'kept').map((item) => [item.path, item.note])).toEqual([
        ['readme', { code: 'same-name', path: 'README' }],
        ['src', { code: 'same-name', path: 'Src' }],
        ['src/a', { code: 'same-name', path: 'Src' }]
      ])
      expect(Object.keys(readTree(root))).toEqual(['README', 'Src', 'Src/a', 'other'])
      expect([readFileSync(join(root, 'README'), 'utf8'), readFileSync(join(root, 'Src/a'), 'utf8')]).toEqual([
        'large',
        'A'
      ])
      remove(root, 'README', 'Src')
      await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
      expect(Object.keys(readTree(root))).toEqual(['README', 'Src', 'Src/a', 'other'])
    }
  ))

test('[B22] a folder with unrecorded files is not replaced by its name in another letter case', (test) =>
  onExfat(test, { 'Dir/x': 'x', '.gitignore': 'built' }, async (folder) => {
    const run = await folder.run('rename', () => {
      move(folder, 'Dir', 'dir')
      writeFiles(folder.root, { 'dir/built/o': 'not recorded' })
    })
    const before = folder.tree()
    const result = await folder.apply({ kind: 'undo-run', run })
    expect(result.items.map((item) => [item.path, item.result])).toEqual([
      ['Dir', 'kept'],
      ['Dir/x', 'kept'],
      ['dir', 'kept'],
      ['dir/built', 'kept'],
      ['dir/x', 'kept']
    ])
    expect(folder.tree()).toEqual(before)
    await expectIntact(folder)
  }))

test('[CP-6] permissions, links and names that this disk cannot store are listed, and everything else is restored', (test) =>
  movedToExfat(
    test,
    { run: { bytes: '#!', mode: 0o755 }, plain: 'p', 'd/link': { link: '../plain' }, 'a:b': 'colon', 'd/x': 'x' },
    (_, to) => writeFiles(to, { run: '#!', plain: 'p', 'd/x': 'x' }),
    async (folder, root) => {
      await folder.check()
      const run = await folder.run('edit', () => writeFiles(root, { plain: 'changed', run: 'changed', new: 'n' }))
      expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
      const back = await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
      expect(back.warnings).toEqual([{ code: 'no-permissions' }])
      const failed = back.items.filter((item) => item.result !== 'done').map((item) => [item.path, item.reason?.code])
      expect(failed).toEqual([
        ['a:b', 'removed-or-bad-name'],
        ['d/link', 'no-links']
      ])
      const again = await folder.plan({ kind: 'restore', target: 'seq:0', outside: 'replace' })
      expect(again.items.map((item) => item.path)).toEqual(['a:b', 'd/link'])
      // A deep scan finds no drift because of permissions that the disk cannot store.
      utimesSync(join(root, 'run'), 1, 1)
      await expectIntact(folder)
    }
  ))
