/** Reads small files that control us (ignore rules, git's files), never through a link and never a device (CP-4). */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'

/**
 * O_NOFOLLOW against a link swapped in after the lstat, O_NONBLOCK against a FIFO that would block. Windows has
 * neither; there the stats before and after a read catch a swap.
 */
export const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/**
 * The bytes of a regular file of at most `limit` bytes; null if it is missing, larger, a link, another kind or
 * unreadable.
 */
export function readSmallFile(path: string | Buffer, limit: number): Buffer | null {
  // Most of these files do not exist, and existsSync is the cheapest test.
  if (!existsSync(path)) return null
  let fd: number | null = null
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false })
    if (!stats?.isFile() || stats.size > limit) return null
    fd = openSync(path, READ_FLAGS)
    const opened = fstatSync(fd)
    if (!opened.isFile() || opened.size > limit) return null
    const bytes = Buffer.allocUnsafe(opened.size)
    return bytes.subarray(0, fill(fd, bytes))
  } catch {
    // Below a file, unreachable, deleted or replaced by a link since the lstat, or EIO: all count as missing.
    return null
  } finally {
    if (fd !== null) closeSync(fd)
  }
}

/** Reads until the buffer is full or the file ends; returns the number of bytes. `position`: in the file; else where it is. */
export function fill(fd: number, buffer: Buffer, position: number | null = null): number {
  let at = 0
  while (at < buffer.length) {
    const n = readSync(fd, buffer, at, buffer.length - at, position === null ? null : position + at)
    if (n === 0) break
    at += n
  }
  return at
}
