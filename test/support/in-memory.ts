/**
 * Imported for its side effect: puts temporary folders into memory if the system has a file system for it with room. For files with a
 * process of their own that wait for the disk most of the time: many short histories, and processes that are killed. What a
 * killed process has written is in the system's hands, on a disk as in memory.
 */
import { existsSync, statfsSync } from 'node:fs'
import { afterAll } from 'vitest'

const MEMORY = '/dev/shm'
const GIGABYTE = 2 ** 30

if (existsSync(MEMORY)) {
  const { bavail, bsize } = statfsSync(MEMORY)
  if (bavail * bsize > 2 * GIGABYTE) {
    const before = process.env.TMPDIR
    process.env.TMPDIR = MEMORY
    // The next file may run in the same process, and need a disk.
    afterAll(() => {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    })
  }
}
