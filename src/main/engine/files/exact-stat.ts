/**
 * lstat and fstat with an inode number that no other file on the disk has. Numbers of NTFS have 64 bits, of which Node's stats
 * hold 53: files that were made one after another would have the same.
 */
import { type BigIntStats, fstatSync, lstatSync, type Stats } from 'node:fs'

/** Undefined if nothing is there. */
export function exactLstat(path: string): Stats | undefined {
  const stats = lstatSync(path, NO_THROW)
  return stats && withExactInode(stats, () => lstatSync(path, BIG))
}
const NO_THROW = { throwIfNoEntry: false } as const
const BIG = { bigint: true, throwIfNoEntry: false } as const

export function exactFstat(file: number): Stats {
  return withExactInode(fstatSync(file), () => fstatSync(file, BIG)) as Stats
}

/** `again`: takes the stat once more. If another file is there by then, its number and the times before match neither. */
function withExactInode(stats: Stats, again: () => BigIntStats | undefined): Stats | undefined {
  if (Number.isSafeInteger(stats.ino)) return stats
  const exact = again()
  if (!exact) return undefined
  stats.ino = inodeOf(exact.ino)
  return stats
}

/**
 * In 53 bits. Those of NTFS stay different: their lower 48 bits count files, of which there are fewer than 2^32, and the others
 * how often the number was given.
 */
export function inodeOf(inode: bigint): number {
  const upper = Number(inode >> 32n)
  return (((upper >>> 11) ^ upper) & 0x1f_ffff) * 2 ** 32 + Number(inode & 0xffff_ffffn)
}
