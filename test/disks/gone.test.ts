/** Disks that are removed, fail, or are mounted inside a project while it is recorded. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unwatchedText } from '../../src/contract/words/watching.ts'
import { ensureDataDir } from '../../src/main/host/data-dir.ts'
import { failingDisk, smallDisk } from '../support/faulty-disk.ts'
import { mountForeignDisk } from '../support/foreign-disk.ts'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, undoInEveryWay } from '../support/round-trip.ts'
import { tempFolder } from '../support/tmp.ts'
import { readTree, remove, writeFiles } from '../support/tree.ts'

const FILES = { keep: 'k', a: 'one', 'd/b': 'two', 'd/e/f': 'three' }

/** Nothing is recorded as deleted, nothing is written, and every answer gives the reason. */
async function expectGone(folder: RecordedFolder, run: string, why: RegExp): Promise<void> {
  const { workspace } = folder
  const head = folder.store((store) => store.records.lastSeq())
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([status.folder, status.recording, status.drift, status.head]).toEqual(['missing', false, [], head])
  expect(unwatchedText(status.watcher.why)).toMatch(why)
  await folder.checkpoint()
  for (const refused of [
    folder.plan({ kind: 'undo-run', run }),
    folder.apply({ kind: 'undo-run', run }),
    folder.engine.call('run.begin', { workspace, title: 't', agent: 'a', pid: 1, pidStart: '' })
  ])
    await expect(refused).rejects.toMatchObject({ code: 'FolderMissing', message: expect.stringMatching(why) })
  const { workspaces } = await folder.engine.call('workspaces.list', {})
  expect(workspaces).toMatchObject([{ folder: 'missing', recording: false, watcher: { why: status.watcher.why } }])
  expect(folder.store((store) => store.records.lastSeq())).toBe(head)
}

test('[B21] [DR-1] an unmounted disk leaves an empty mount point, which does not count as deleted files', async ({
  skip
}) => {
  using temp = tempFolder()
  const place = join(temp.path, 'project')
  using disk = mountForeignDisk('ntfs', place)
  if (!disk) return skip('the right to mount a disk')
  await using folder = await recordedFolder({ files: FILES, place: temp.path })
  const before = folder.tree()
  const run = await folder.run('edit', () => remove(place, 'a', 'd'))
  execFileSync('umount', ['-l', place])
  await expectGone(folder, run, /empty, and the disk it was on is not mounted/)
  expect(readdirSync(place), 'nothing is written where the disk was').toEqual([])
  disk.again()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  await expectIntact(folder)
})

test('[DR-1] a folder on an unreachable disk is reported as missing, and other folders are not', async ({ skip }) => {
  using temp = tempFolder()
  using disk = mountForeignDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip('the right to mount a disk')
  await using folder = await recordedFolder({ files: FILES, place: join(temp.path, 'disk') })
  const before = folder.tree()
  const run = await folder.run('edit', () => remove(folder.root, 'a', 'd'))
  disk.kill()
  await expectGone(folder, run, /cannot be reached \(ENOTCONN\)/)
  disk.again()
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
  await expectIntact(folder)
})

test('[CP-3] files that a failing disk cannot read do not count as deleted, and are unchanged once the disk works again', async ({
  skip
}) => {
  using temp = tempFolder()
  using disk = failingDisk(join(temp.path, 'project'))
  if (!disk) return skip('the right to mount a disk')
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

test('[RS-4] a disk mounted inside the project is part of it: its files are staged on that disk and restored', async ({
  skip
}) => {
  using temp = tempFolder()
  mkdirSync(join(temp.path, 'project'))
  using inner = smallDisk(join(temp.path, 'project/d'), '4m')
  if (!inner) return skip('the right to mount a disk')
  using deeper = mountForeignDisk('exfat', join(temp.path, 'project/d/odd'))
  if (!deeper) return skip('the right to mount a disk')
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
  await undoInEveryWay(folder, run, before, folder.tree())
  await expectIntact(folder)
})

test('a data folder on a disk without permissions is refused, because other users could read it', ({ skip }) => {
  using temp = tempFolder()
  using disk = mountForeignDisk('exfat', join(temp.path, 'disk'))
  if (!disk) return skip('the right to mount a disk')
  const data = join(temp.path, 'disk/data')
  expect(() => ensureDataDir(data)).toThrow(
    /has no permissions, so other users could read the history. Nothing was changed/
  )
  expect(readTree(join(temp.path, 'disk'))).toEqual({})
})
