/** [RC-4] Space for a start on a full disk: even to read a history, SQLite has to write a little beside it. */
import { randomBytes } from 'node:crypto'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freeBytes } from '../files/disk-space.ts'
import { ignoreFsErrors } from '../files/fs-errors.ts'
import { removeFile } from '../files/remove.ts'

/** Enough for the shared memory and the first pages of a few dozen stores. */
const RESERVE_BYTES = 2 * 1024 * 1024
/** The reserve is never a notable part of what is free. */
const PLENTY = 16

/** Frees the reserved space while the disk is full, and reserves it again once there is plenty. */
export function settleReserve(dataDir: string): void {
  const file = join(dataDir, 'reserve')
  const free = freeBytes(dataDir)
  if (free === null) return
  if (free < RESERVE_BYTES) ignoreFsErrors(() => removeFile(file))
  // Random, because a disk may compress.
  else if (free > PLENTY * RESERVE_BYTES && !existsSync(file)) {
    const options = { flag: 'wx', mode: 0o600 } as const
    const written = ignoreFsErrors(() => writeFileSync(file, randomBytes(RESERVE_BYTES), options))
    // Over a quota only a part may be there.
    if (!written) ignoreFsErrors(() => removeFile(file))
  }
}
