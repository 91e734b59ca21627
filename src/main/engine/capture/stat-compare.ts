/**
 * Compares the recorded stat of a path with its stat now: may the recorded version be out of date (DR-1)? As in git's
 * index, an equal stat stands for equal content, unless the file is racy (DR-2). Any doubt counts as changed.
 */
import type { Stats } from 'node:fs'
import { exactLstat } from '../files/exact-stat.ts'
import { isNotFound, isUnreadable } from '../files/fs-errors.ts'
import { areRacy, isRacy } from '../files/racy-times.ts'
import type { BareStat, Signature } from '../files/signature.ts'
import type { Head } from '../store/paths.ts'
import { COVERED, CTIME, INO, KIND, MODE, MTIME, SIZE, STAT_AT, type StatRow } from '../store/stat-cache.ts'

/**
 * The recorded version needs no reading. A folder's times belong to its listing, not to its version, so they do not
 * count here. `deep` trusts no file's stat.
 */
export function isUnchanged(head: Head, stat: Signature, deep: boolean): boolean {
  const recorded = head.signature
  if (head.version === null || !recorded || recorded.kind !== stat.kind || recorded.mode !== stat.mode) return false
  if (stat.kind === 'dir') return true
  return (
    recorded.mtime === stat.mtime &&
    recorded.ctime === stat.ctime &&
    recorded.size === stat.size &&
    recorded.ino === stat.ino &&
    !isRacy(stat, head.statAt) &&
    !deep
  )
}

/** The folder holds exactly the names it held when all of them were recorded. */
export function isListingUnchanged(head: Head, stat: Signature): boolean {
  return (
    head.covered &&
    head.signature !== null &&
    head.signature.mtime === stat.mtime &&
    head.signature.ctime === stat.ctime &&
    head.signature.ino === stat.ino &&
    !isRacy(stat, head.statAt)
  )
}

/** Numbers of kinds in rows (`KINDS` in store/versions.ts). */
export const ABSENT_KIND = 0
export const DIR_KIND = 3
/** Kind number by the type bits of `st_mode` (`S_IFMT >> 12`): regular file, symbolic link, directory. */
const KIND_OF_TYPE: Readonly<Record<number, number>> = { 8: 1, 10: 2, 4: DIR_KIND }

/** `isUnchanged` for a bare row and a bare stat. A folder counts as the same only while it is covered. */
export function sameStat(row: StatRow, stats: BareStat): boolean {
  const kind = row[KIND]
  if (row[INO] !== stats.ino || KIND_OF_TYPE[stats.mode >> 12] !== kind || (stats.mode & 0o7777) !== row[MODE])
    return false
  return kind === DIR_KIND ? row[COVERED] === 1 : row[SIZE] === stats.size && areTimesTrusted(row, stats)
}

/**
 * [DR-2] The times are those recorded and were old enough then. For a folder with the same stat: its names are the
 * same.
 */
export function areTimesTrusted(row: StatRow, stats: BareStat): boolean {
  return stats.mtimeMs === row[MTIME] && stats.ctimeMs === row[CTIME] && !areRacy(row[MTIME], row[CTIME], row[STAT_AT])
}

/** A bare lstat; null when there is any doubt, which the full comparison then settles. */
export function statCheck(absolute: string): Stats | null {
  try {
    return exactLstat(absolute) ?? null
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}
