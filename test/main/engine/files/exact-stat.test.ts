/** Inode numbers of 64 bits. Disks that have them: test/disks. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inodeOf } from '../../../../src/main/engine/files/exact-stat.ts'
import { SEED } from '../../../support/scale.ts'

/** A number of NTFS: that of the file, and how often it was given. */
const numbers = fc.tuple(fc.nat(0xffff_ffff), fc.nat(0xffff))
const toInode = ([file, times]: readonly [number, number]): bigint => (BigInt(times) << 48n) | BigInt(file)

test('[DR-3] files of NTFS have different numbers, of which git knows the lower half', () => {
  fc.assert(
    fc.property(numbers, numbers, (a, b) => {
      const [first, second] = [inodeOf(toInode(a)), inodeOf(toInode(b))]
      expect(first === second).toBe(toInode(a) === toInode(b))
      expect(Number.isSafeInteger(first)).toBe(true)
      expect(first % 2 ** 32).toBe(a[0])
    }),
    { seed: SEED }
  )
  // Node's numbers of stats are signed.
  const highest = toInode([7, 0xffff])
  expect(inodeOf(BigInt.asIntN(64, highest))).toBe(inodeOf(highest))
})
