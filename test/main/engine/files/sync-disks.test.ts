import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { canSyncDisk, syncDisks } from '../../../../src/main/engine/files/sync-disks.ts'
import { failingDisk } from '../../../support/faulty-disk.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const LINUX = { tags: ['linux'] }
const fail = (reason: string): never => expect.unreachable(reason)
const GNU = 'GNU coreutils, and a disk of Linux'

test('[RS-4] the disks of several folders are synced, without one that is missing', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  if (!(await canSyncDisk(temp.path))) return skip(GNU)
  mkdirSync(join(temp.path, 'here'))
  expect(await syncDisks([join(temp.path, 'here'), temp.path, join(temp.path, 'missing')], fail)).toBe(true)
})

test('[RS-4] a file system that leaves data elsewhere is refused', LINUX, async () => {
  using temp = tempFolder()
  expect(await canSyncDisk('/proc')).toBe(false)
  expect(await syncDisks([temp.path, '/proc'], fail)).toBe(false)
})

test('[RS-4] a disk that could not write what was cached fails', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  const place = join(temp.path, 'disk')
  using disk = failingDisk(place)
  if (!disk) return skip('the right to mount a disk')
  if (!(await canSyncDisk(place))) return skip(GNU)
  expect(await syncDisks([place], fail)).toBe(true)
  writeFiles(place, { large: 'x'.repeat(600_000) })
  disk.fail()
  const failures: string[] = []
  expect(await syncDisks([place], (reason) => failures.push(reason))).toBe(false)
  expect(failures).toMatchObject([expect.stringContaining('Input/output error')])
})

test('[RS-4] a sync that does not end is not waited for', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  if (!(await canSyncDisk(temp.path))) return skip(GNU)
  const program = join(temp.path, 'sync')
  writeFileSync(program, '#!/bin/sh\nexec tail -f /dev/null\n', { mode: 0o700 })
  const failures: string[] = []
  const sync = { program, limit: 10 }
  expect(await syncDisks([temp.path], (reason) => failures.push(reason), sync)).toBe(false)
  expect(failures).toEqual([`${program} did not end within 0.01 s`])
})

test('[RS-4] a program of that name in PATH is not started', LINUX, async ({ skip }) => {
  using temp = tempFolder()
  if (!(await canSyncDisk(temp.path))) return skip(GNU)
  const path = process.env.PATH
  writeFileSync(join(temp.path, 'sync'), `#!/bin/sh\ntouch '${temp.path}/started'\n`, { mode: 0o700 })
  try {
    process.env.PATH = `${temp.path}:${path}`
    expect(await syncDisks([temp.path], fail)).toBe(true)
  } finally {
    process.env.PATH = path
  }
  expect(existsSync(join(temp.path, 'started'))).toBe(false)
})
