/** What lstat tells about a path, reduced to what decides whether its content may have changed. */
import { lstatSync, type Stats } from 'node:fs'
import { isNotFound } from '../ports/fs-errors.ts'

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

/** lstat of an absolute path; null when nothing is there (a parent that is a file counts as that). Throws on EACCES and the like. */
export function lstatSignature(absolute: string): Signature | null {
  try {
    const stats = lstatSync(absolute, { throwIfNoEntry: false })
    return stats ? signatureOf(stats) : null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

export function signatureOf(stats: Stats): Signature {
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

/** Nothing about the path moved. A directory's size and times say only that its names changed, so they count too. */
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

/** [DR-2] How much older than the capture a signature's times must be before it is trusted without hashing again, ms. */
export const RACY_MS = 2000

/** [DR-2] Whether a signature seen at `seenAt` (ms) can hide a later change made within the same clock tick. */
export function isRacy(signature: Signature, seenAt: number): boolean {
  return Math.max(signature.mtime, signature.ctime) > seenAt - RACY_MS
}

/**
 * A folder's signature whose times match no listing. Its names count as read only once all of them are recorded; until
 * then a process that dies in between must not leave a folder that the next scan skips.
 */
export function withoutListing(folder: Signature): Signature {
  return { ...folder, mtime: -1, ctime: -1 }
}
