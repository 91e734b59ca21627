import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { type DiskSync, openDiskSync } from '../../../../src/main/engine/files/sync-disks.ts'
import { failingDisk } from '../../../support/faulty-disk.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const LINUX = { tags: ['linux'] }
const unexpected = (reason: string): never => expect.unreachable(reason)

/** Skips the test where the disk of a folder cannot be synced as a whole. */
async function openOrSkip(
  { skip }: TestContext,
  folder: string,
  onFailure: (reason: string) => void = unexpected
): Promise<DiskSync> {
  return (await openDiskSync(folder, onFailure)) ?? skip('GNU coreutils, and a disk of Linux')
}

test('[RS-4] the disks of several folders are synced, without one that is missing', LINUX, async (test) => {
  using temp = tempFolder()
  using disk = await openOrSkip(test, temp.path)
  mkdirSync(join(temp.path, "it's here"))
  expect(await disk.sync([join(temp.path, "it's here"), temp.path, join(temp.path, 'missing')])).toBe(true)
  expect(await disk.sync([join(temp.path, "it's here")])).toBe(true)
})

test('[RS-4] a file system that leaves data elsewhere is refused', LINUX, async (test) => {
  using temp = tempFolder()
  expect(await openDiskSync('/proc', unexpected)).toBe(null)
  using disk = await openOrSkip(test, temp.path)
  expect(await disk.sync([temp.path, '/proc'])).toBe(false)
})

test('[RS-4] a disk that could not write what was cached fails, in each call from then on', LINUX, async (test) => {
  using temp = tempFolder()
  const place = join(temp.path, 'disk')
  using failing = failingDisk(place)
  if (!failing) return test.skip('the right to mount a disk')
  const failures: string[] = []
  using disk = await openOrSkip(test, place, (reason) => failures.push(reason))
  expect(await disk.sync([place])).toBe(true)
  writeFiles(place, { large: 'x'.repeat(600_000) })
  failing.fail()
  // One that is not waited for counts, too.
  void disk.sync([place])
  expect([await disk.sync([temp.path]), await disk.sync([temp.path])]).toEqual([false, false])
  expect(failures).toMatchObject([expect.stringContaining('Input/output error')])
})

test('[RS-4] a sync that does not end is not waited for', LINUX, async (test) => {
  using temp = tempFolder()
  ;(await openOrSkip(test, temp.path))[Symbol.dispose]()
  const program = join(temp.path, 'sync')
  writeFileSync(program, '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o700 })
  const failures: string[] = []
  const disk = await openDiskSync(temp.path, (reason) => failures.push(reason), { program, limit: 10 })
  expect(await Promise.all([disk?.sync([temp.path]), disk?.sync([temp.path])])).toEqual([false, false])
  expect(failures).toEqual([`${program} did not end within 0.01 s`])
})

test('[RS-4] a program of that name in PATH is not started', LINUX, async (test) => {
  using temp = tempFolder()
  const path = process.env.PATH
  writeFileSync(join(temp.path, 'sync'), `#!/bin/sh\ntouch '${temp.path}/started'\n`, { mode: 0o700 })
  try {
    process.env.PATH = `${temp.path}:${path}`
    using disk = await openOrSkip(test, temp.path)
    expect(await disk.sync([temp.path])).toBe(true)
  } finally {
    process.env.PATH = path
  }
  expect(existsSync(join(temp.path, 'started'))).toBe(false)
})
