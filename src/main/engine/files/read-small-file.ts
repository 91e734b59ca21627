/** Reads small files that control us (ignore rules, git's files), never through a link and never a device (CP-4). */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The bytes of a regular file of at most `limit` bytes; null if it is missing, larger, a link, another kind or unreadable. */
export function readSmallFile(path: string, limit: number): Buffer | null {
  // Most of these files do not exist, and existsSync is the cheapest test.
  if (!existsSync(path)) return null
  let stats: ReturnType<typeof lstatSync>
  try {
    stats = lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Below a file, or unreachable.
    return null
  }
  if (!stats?.isFile() || stats.size > limit) return null
  let fd: number
  try {
    fd = openSync(path, FLAGS)
  } catch {
    // Deleted or replaced by a link since the lstat, or unreadable.
    return null
  }
  try {
    const opened = fstatSync(fd)
    if (!opened.isFile() || opened.size > limit) return null
    const bytes = Buffer.allocUnsafe(opened.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } catch {
    // EIO and the like count as missing.
    return null
  } finally {
    closeSync(fd)
  }
}
