import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canSyncDisk, syncDisks } from '../../../../src/main/engine/files/sync-disks.ts'
import { failingDisk } from '../../../support/faulty-disk.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const LINUX = { tags: ['linux'] }
const GNU = 'GNU coreutils, and a disk of Linux'

test('[RS-4] the disks of several folders are synced, without one that is missing', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  if (!(await canSyncDisk(temp.path))) return skip(GNU)
  mkdirSync(join(temp.path, 'here'))
  expect(await syncDisks([join(temp.path, 'here'), temp.path, join(temp.path, 'missing')])).toBe(true)
})

test('[RS-4] a file system that leaves data elsewhere is refused', LINUX, async () => {
  using temp = tempFolder()
  expect(await canSyncDisk('/proc')).toBe(false)
  expect(await syncDisks([temp.path, '/proc'])).toBe(false)
})

test('[RS-4] a disk that could not write what was cached fails', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  const place = join(temp.path, 'disk')
  using disk = failingDisk(place)
  if (!disk) return skip('the right to mount a disk')
  if (!(await canSyncDisk(place))) return skip(GNU)
  expect(await syncDisks([place])).toBe(true)
  writeFiles(place, { large: 'x'.repeat(600_000) })
  disk.fail()
  expect(await syncDisks([place])).toBe(false)
})
