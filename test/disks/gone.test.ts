/** Disks that go away, fail or are put into a project, while it is recorded. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ensureDataDir } from '../../src/main/host/data-dir.ts'
import { everyWay, expectWhole } from '../support/back-and-forth.ts'
import { oddDisk } from '../support/odd-disk.ts'
import { type Recorded, recordedFolder } from '../support/recorded.ts'
import { failingDisk, smallDisk } from '../support/small-disk.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'

const FILES = { keep: 'k', a: 'one', 'd/b': 'two', 'd/e/f': 'three' }

/** Nothing is recorded as deleted, nothing is written, and every answer says what is the matter. */
async function expectGone(folder: Recorded, run: string, why: RegExp): Promise<void> {
  const { workspace } = folder
  const head = folder.store((store) => store.records.lastSeq())
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([status.folder, status.recording, status.drift, status.head]).toEqual(['missing', false, [], head])
  expect(status.watcher.why).toMatch(why)
  await folder.checkpoint()
  for (const refused of [
    folder.plan({ kind: 'undo-run', run }),
    folder.apply({ kind: 'undo-run', run }),
    folder.engine.call('run.begin', { workspace, title: 't', agent: 'a', pid: 1, pidStart: '' })
  ])
    await expect(refused).rejects.toMatchObject({ code: 'FolderMissing', message: expect.stringMatching(why) })
  const { workspaces } = await folder.engine.call('workspaces.list', {})
  expect(workspaces).toMatchObject([
    { folder: 'missing', recording: false, watcher: { why: expect.stringMatching(why) } }
  ])
  expect(folder.store((store) => store.records.lastSeq())).toBe(head)
}

test('[B21] [DR-1] a disk taken out from under the project leaves an empty place, not a folder whose files were deleted', async ({
  skip
}) => {
  using temp = tempFolder()
  const place = join(temp.path, 'project')
  using disk = oddDisk('ntfs', place)
  if (!disk) return skip()
  await using folder = await recordedFolder({ files: FILES, place: temp.path })
  const before = folder.tree()
  const run = await folder.run('edit', () => remove(place, 'a', 'd'))
  execFileSync('umount', ['-l', place])
  await expectGone(folder, run, /empty, and the disk it was on is not mounted/)
  expect(readdirSync(place), 'nothing is written where the disk was').toEqual([])
  disk.again()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  await expectWhole(folder)
})

test('[DR-1] a folder whose disk is out of reach is told as missing, other folders are not', async ({ skip }) => {
  using temp = tempFolder()
  using disk = oddDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip()
  await using folder = await recordedFolder({ files: FILES, place: join(temp.path, 'disk') })
  const before = folder.tree()
  const run = await folder.run('edit', () => remove(folder.root, 'a', 'd'))
  disk.kill()
  await expectGone(folder, run, /out of reach \(ENOTCONN\)/)
  disk.again()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  await expectWhole(folder)
})

test('[CP-3] what a failing disk does not give is not gone; once the disk is whole everything is as it was', async ({
  skip
}) => {
  using temp = tempFolder()
  using disk = failingDisk(join(temp.path, 'project'))
  if (!disk) return skip()
  await using folder = await recordedFolder({ files: FILES, place: temp.path })
  const before = folder.tree()
  disk.fail()
  await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  disk.heal()
  await folder.check()
  expect(folder.tree()).toEqual(before)
  const rows = folder.store((store) => store.records.below('').filter((row) => row.version === store.records.absent))
  expect(rows, 'nothing was taken for deleted').toEqual([])
})

test('[RS-4] a disk inside the project is part of it: what lies there is staged there and goes back', async ({
  skip
}) => {
  using temp = tempFolder()
  mkdirSync(join(temp.path, 'project'))
  using inner = smallDisk(join(temp.path, 'project/d'), '4m')
  if (!inner) return skip()
  using deeper = oddDisk('exfat', join(temp.path, 'project/d/odd'))
  if (!deeper) return skip()
  await using folder = await recordedFolder({ files: { ...FILES, 'd/odd/g': 'g', 'd/odd/h/i': 'i' }, place: temp.path })
  const before = folder.tree()
  const run = await folder.run('edit', () => {
    remove(folder.root, 'a', 'd/b', 'd/e', 'd/odd/h')
    writeFiles(folder.root, {
      'a/x': 'x',
      'd/e': 'a file now',
      'd/odd/G2': 'new',
      'd/odd/g': 'changed',
      'd/new/y': 'y'
    })
  })
  await everyWay(folder, run, before, folder.tree())
  await expectWhole(folder)
})

test('a data folder on a disk that keeps no permissions is refused: others could read what is recorded', ({ skip }) => {
  using temp = tempFolder()
  using disk = oddDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip()
  const data = join(temp.path, 'disk/data')
  expect(() => ensureDataDir(data)).toThrow(/keeps no permissions, so others could read.*Nothing was changed/)
  expect(readTree(join(temp.path, 'disk'))).toEqual({})
})
