/** A project on NTFS as Linux mounts it: each spelling is a name of its own, but permissions are not kept. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'vitest'
import { everyWay, expectWhole } from '../support/back-and-forth.ts'
import { oddDisk } from '../support/odd-disk.ts'
import { recordedFolder } from '../support/recorded.ts'
import { tempFolder } from '../support/tmp.ts'
import { remove, writeFiles } from '../support/tree.ts'

test('[B22] [CP-6] spellings, links, odd names and folders go back and forth', async ({ skip }) => {
  using temp = tempFolder()
  using disk = oddDisk('ntfs', join(temp.path, 'disk'))
  if (!disk) return skip()
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
  await everyWay(folder, run, before, folder.tree())
  await expectWhole(folder)
  await folder.engine.close()
  disk.again()
  await folder.reopen()
  await expectWhole(folder)
})
