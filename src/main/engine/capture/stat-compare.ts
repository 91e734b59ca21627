/** Compares the row of a path with a stat of it: may what is recorded be out of date (DR-1)? Only what is sure counts as the same. */
import { lstatSync, type Stats } from 'node:fs'
import { isRacy, RACY_MS, type Signature } from '../files/signature.ts'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import { COVERED, CTIME, type StatRow, INO, KIND, MODE, MTIME, STAT_AT, SIZE } from '../store/stat-cache.ts'
import type { Head } from '../store/heads.ts'

/**
 * Nothing suggests that the recorded state is wrong. A folder's own times belong to its listing, not to its state. `deep`
 * trusts no file's stat.
 */
export function isUnchanged(head: Head, there: Signature, deep: boolean): boolean {
  const known = head.signature
  if (head.version === null || !known || known.kind !== there.kind || known.mode !== there.mode) return false
  if (there.kind === 'dir') return true
  return (
    known.mtime === there.mtime &&
    known.ctime === there.ctime &&
    known.size === there.size &&
    known.ino === there.ino &&
    !isRacy(there, head.statAt) &&
    !deep
  )
}

/** The folder holds the names it held when all of them were recorded. */
export function isListingUnchanged(head: Head, there: Signature): boolean {
  return (
    head.covered &&
    head.signature !== null &&
    head.signature.mtime === there.mtime &&
    head.signature.ctime === there.ctime &&
    head.signature.ino === there.ino &&
    !isRacy(there, head.statAt)
  )
}

/** Numbers of kinds in rows (store-schema.ts). */
export const GONE = 0
export const FOLDER = 3
/** The kind's number by the type bits of a mode. */
const KIND_OF_TYPE: Readonly<Record<number, number>> = { 8: 1, 10: 2, 4: FOLDER }

/** `isUnchanged` for a bare row and a bare stat, where nothing else about the path is in question. A folder counts only while it is covered. */
export function sameStat(row: StatRow, there: Stats): boolean {
  const kind = row[KIND]
  if (row[INO] !== there.ino || KIND_OF_TYPE[there.mode >> 12] !== kind || (there.mode & 0o7777) !== row[MODE])
    return false
  return kind === FOLDER ? row[COVERED] === 1 : row[SIZE] === there.size && areTimesTrusted(row, there)
}

/** [DR-2] The times are those recorded, and old enough then. For a folder that is plainly the same: so are the names in it. */
export function areTimesTrusted(row: StatRow, there: Stats): boolean {
  return (
    there.mtimeMs === row[MTIME] &&
    there.ctimeMs === row[CTIME] &&
    Math.max(there.mtimeMs, there.ctimeMs) <= row[STAT_AT] - RACY_MS
  )
}

/** The stat as it comes; null when there is any doubt, which a proper look then settles. */
export function statCheck(absolute: string): Stats | null {
  try {
    return lstatSync(absolute, QUIETLY) ?? null
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}
const QUIETLY = { throwIfNoEntry: false } as const
