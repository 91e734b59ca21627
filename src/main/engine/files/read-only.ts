/**
 * [RS-16] Files that are read-only. On Windows, and on folders shared by it, such a file can be neither replaced nor
 * deleted; its attribute shows as a missing write permission. POSIX asks for the permission of the folder only.
 */
import { chmodSync, closeSync, fchmodSync, fstatSync, lstatSync, openSync, renameSync, unlinkSync } from 'node:fs'
import { errorCode } from './fs-errors.ts'
import { READ_FLAGS } from './read-small-file.ts'

/** rename(2), also over a read-only file. If it fails, the file at `to` is read-only again. */
export function renameOver(from: string, to: string): void {
  evenReadOnly(to, () => renameSync(from, to))
}

/** unlink(2), also of a read-only file. If it fails, the file is read-only again. */
export function unlinkAny(path: string | Buffer): void {
  evenReadOnly(path, () => unlinkSync(path))
}

/**
 * Calls `change`, which changes names in this folder. If the folder is read-only and ours, it is writable meanwhile, and
 * read-only again afterwards.
 */
export function changeNames<T>(folder: string, change: () => T): T {
  try {
    return change()
  } catch (error) {
    const mode = errorCode(error) === 'EACCES' ? makeWritable(folder) : null
    if (mode === null) throw error
    try {
      return change()
    } finally {
      chmodSync(folder, mode)
    }
  }
}

/** Returns the permission bits of the folder before; null, and nothing changed, if it is writable or not ours. */
function makeWritable(folder: string): number | null {
  try {
    const stats = lstatSync(folder)
    const mode = stats.mode & 0o7777
    if (!stats.isDirectory() || (mode & 0o200) !== 0) return null
    chmodSync(folder, mode | 0o200)
    return mode
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  }
}

function evenReadOnly(path: string | Buffer, change: () => void): void {
  try {
    change()
  } catch (error) {
    const mode = ['EPERM', 'EACCES'].includes(errorCode(error)) ? changeMode(path, (now) => now | 0o200) : null
    if (mode === null) throw error
    try {
      change()
    } catch (again) {
      changeMode(path, () => mode)
      throw again
    }
  }
}

/**
 * Returns the permission bits before; null, and nothing changed, if they are the same or cannot be set. Follows no link
 * (CP-4).
 */
function changeMode(path: string | Buffer, next: (mode: number) => number): number | null {
  let file: number | null = null
  try {
    file = openSync(path, READ_FLAGS)
    const stats = fstatSync(file)
    const mode = stats.mode & 0o7777
    if (!stats.isFile() || next(mode) === mode) return null
    fchmodSync(file, next(mode))
    return mode
  } catch (error) {
    if (errorCode(error) === '') throw error
    return null
  } finally {
    if (file !== null) closeSync(file)
  }
}
