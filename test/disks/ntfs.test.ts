/** A project on NTFS as Linux mounts it: case-sensitive names, but no permissions. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { mountForeignDisk } from '../support/foreign-disk.ts'
import { recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, undoInEveryWay } from '../support/round-trip.ts'
import { tempFolder } from '../support/tmp.ts'
import { remove, writeFiles } from '../support/tree.ts'

test('[B22] [CP-6] letter case, links, odd names and folders are restored and undone', async ({ skip }) => {
  using temp = tempFolder()
  using disk = mountForeignDisk('ntfs', join(temp.path, 'disk'))
  if (!disk) return skip('a disk of that kind (root, loop devices and FUSE)')
  const files = {
    A: 'A',
    a: 'a',
    é: 'NFC',
    'e\u0301': 'NFD',
    'Dir/x': 'x',
    'a:b': ':',
    link: { link: 'A' },
    'CON.': ''
  }
  await using folder = await recordedFolder({ files, place: join(temp.path, 'disk') })
  const before = folder.tree()
  const run = await folder.run('work', () => {
    remove(folder.root, 'A', 'link', 'a:b')
    writeFiles(folder.root, { a: 'A', 'E\u0301': 'upper', link: 'a file', 'a:b/c': 'a folder' })
    renameSync(join(folder.root, 'Dir'), join(folder.root, 'dir'))
  })
  await undoInEveryWay(folder, run, before, folder.tree())
  await expectIntact(folder)
  await folder.engine.close()
  disk.again()
  await folder.reopen()
  await expectIntact(folder)
})
