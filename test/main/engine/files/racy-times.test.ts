/** [DR-2] When the stat of a path proves that nothing was written since it was read. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isLocalDisk } from '../../../../src/main/engine/files/local-disk.ts'
import { isRacy, statAtOf } from '../../../../src/main/engine/files/racy-times.ts'
import { lstatSignature, type Signature } from '../../../../src/main/engine/files/signature.ts'
import { tempFolder } from '../../../support/tmp.ts'

const SECOND = 1_700_000_000_000
const FINE: Signature = { kind: 'file', ino: 7, size: 3, mtime: SECOND, ctime: SECOND + 0.25, mode: 0o644 }
const isTrusted = (path: string, signature: Signature, age: number): boolean =>
  !isRacy(
    signature,
    statAtOf(signature, signature.ctime + age, () => isLocalDisk(path))
  )
const localStatAt = (signature: Signature, readAt: number): number => statAtOf(signature, readAt, () => true)

test('[DR-2] a stat is trusted if its times were 2 s old when the path was read, whatever its disk', () => {
  expect([2000, 1999].map((age) => isTrusted('/missing', FINE, age))).toEqual([true, false])
})

test('[DR-2] on a disk whose times are those of Linux, 20 ms are enough', { tags: ['linux'] }, ({ skip }) => {
  using temp = tempFolder()
  if (!isLocalDisk(temp.path)) return skip('a disk of Linux')
  expect([1999, 20, 19, 0].map((age) => isTrusted(temp.path, FINE, age))).toEqual([true, true, false, false])
  const written = { ...FINE, mtime: FINE.ctime + 10_000 }
  expect(isTrusted(temp.path, written, 5000)).toBe(false)
})

test('[DR-2] not before the clock of Linux has advanced, however old the file is by ours', { tags: ['linux'] }, () => {
  const now = Date.now()
  const ahead = { ...FINE, mtime: now, ctime: now + 3_600_000.25 }
  expect(isRacy(ahead, localStatAt(ahead, ahead.ctime + 1000))).toBe(true)
})

test('[DR-2] a write right after a young stat is trusted changes it', { tags: ['linux'] }, ({ skip }) => {
  using temp = tempFolder()
  if (!isLocalDisk(temp.path)) return skip('a disk of Linux')
  const path = join(temp.path, 'a')
  for (let n = 0; n < 40; n++) {
    writeFileSync(path, `${n}`.padStart(3))
    const signature = lstatSignature(path) as Signature
    while (isRacy(signature, localStatAt(signature, Date.now()))) {}
    writeFileSync(path, `${n + 500}`, { flag: 'r+' })
    expect(lstatSignature(path)).not.toEqual(signature)
  }
})

test('[DR-2] not where times have no digits finer than milliseconds, or the disk is a server', {
  tags: ['linux']
}, () => {
  using temp = tempFolder()
  expect(isTrusted(temp.path, { ...FINE, ctime: SECOND }, 1999)).toBe(false)
  expect(isTrusted('/proc', FINE, 1999)).toBe(false)
})

test('[DR-2] what is trusted of a young stat is that of no later write', { tags: ['linux'] }, () => {
  using temp = tempFolder()
  const path = join(temp.path, 'a')
  writeFileSync(path, 'one')
  const signature = lstatSignature(path) as Signature
  const statAt = localStatAt(signature, signature.ctime + 60)
  expect(isRacy({ ...signature, ctime: signature.ctime + 60 }, statAt)).toBe(true)
})
