/** The part of an lstat that decides whether a path may have changed; the same fields as in git's index. */
import type { Stats } from 'node:fs'
import { exactLstat } from './exact-stat.ts'
import { isNotFound } from './fs-errors.ts'

export type DiskKind = 'file' | 'symlink' | 'dir' | 'special'

/**
 * Times are milliseconds as doubles, exactly as lstat gives them: equal nanoseconds give equal doubles, so they are
 * only ever compared with one another. `mode` holds the permission bits (`& 0o7777`).
 */
export interface Signature {
  readonly kind: DiskKind
  readonly ino: number
  readonly size: number
  readonly mtime: number
  readonly ctime: number
  readonly mode: number
}

/** What a signature is made of. */
export type BareStat = Pick<Stats, 'ino' | 'mode' | 'size' | 'mtimeMs' | 'ctimeMs'>

/** lstat of an absolute path; null if it is absent (also below a file). Throws for EACCES and the like. */
export function lstatSignature(absolute: string): Signature | null {
  try {
    const stats = exactLstat(absolute)
    return stats ? signatureOf(stats) : null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** Identifies what an absolute path leads to under any of its names: inode numbers are unique per device only. */
export function identityOf(absolute: string): string | null {
  const stats = exactLstat(absolute)
  return stats ? `${stats.dev}:${stats.ino}` : null
}

export function signatureOf(stats: BareStat): Signature {
  return {
    kind: kindOf(stats.mode),
    ino: stats.ino,
    size: stats.size,
    mtime: stats.mtimeMs,
    ctime: stats.ctimeMs,
    mode: stats.mode & 0o7777
  }
}

const S_IFMT = 0o170000

function kindOf(mode: number): DiskKind {
  switch (mode & S_IFMT) {
    case 0o100000:
      return 'file'
    case 0o040000:
      return 'dir'
    case 0o120000:
      return 'symlink'
    default:
      return 'special'
  }
}

/** All fields are equal. For a directory size and times change with its names. */
export function sameSignature(a: Signature, b: Signature): boolean {
  return (
    a.kind === b.kind &&
    a.ino === b.ino &&
    a.size === b.size &&
    a.mtime === b.mtime &&
    a.ctime === b.ctime &&
    a.mode === b.mode
  )
}

/**
 * A folder's signature with times that match no listing, so that the next scan lists it. Recorded until all its names
 * are: a process that dies in between must not leave a folder that the next scan skips.
 */
export function withoutListing(folder: Signature): Signature {
  return { ...folder, mtime: -1, ctime: -1 }
}
