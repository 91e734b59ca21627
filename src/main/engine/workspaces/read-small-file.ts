/** Reads small files that steer us (ignore rules, git's own), never through a link and never a device (CP-4). */
import { closeSync, constants, existsSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'

const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

/** The bytes of a regular file of at most `limit` bytes; null if it is missing, larger, a link, no file or unreadable. */
export function readSmallFile(path: string, limit: number): Buffer | null {
  // Most asked-for files are not there, and this is the cheapest way to know.
  if (!existsSync(path)) return null
  let there: ReturnType<typeof lstatSync>
  try {
    there = lstatSync(path, { throwIfNoEntry: false })
  } catch {
    // Below something that is no folder, or out of reach.
    return null
  }
  if (!there?.isFile() || there.size > limit) return null
  let fd: number
  try {
    fd = openSync(path, FLAGS)
  } catch {
    // Gone since, made a link since, or unreadable.
    return null
  }
  try {
    const stats = fstatSync(fd)
    if (!stats.isFile() || stats.size > limit) return null
    const bytes = Buffer.allocUnsafe(stats.size)
    let length = 0
    while (length < bytes.length) {
      const read = readSync(fd, bytes, length, bytes.length - length, null)
      if (read === 0) break
      length += read
    }
    return bytes.subarray(0, length)
  } catch {
    // EIO and the like: as good as not there.
    return null
  } finally {
    closeSync(fd)
  }
}
