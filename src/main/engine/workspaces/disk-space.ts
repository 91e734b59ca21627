/** Room on the disk that holds the history: when it is nearly gone recording stops, visibly, before anything fails half way. */
import { statfsSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { StorageDisk } from '../../../contract/storage.ts'
import type { Clock } from '../ports/clock.ts'
import { errorCode } from '../ports/fs-errors.ts'

/** Bytes free on the disk of `folder`; null when the system does not tell. */
export type FreeBytes = (folder: string) => number | null

export interface DiskSpace {
  measure(): StorageDisk
  /** A write failed for want of room, whatever the system says is free (a quota): recording waits a while. */
  reportFull(): void
  /** True once after it was low for anybody who looked and is not any more: what waited can go on. */
  consumeResumed(): boolean
}

/** Recording stops below the first and goes on above the second, so that it does not do both every second. */
export const FLOOR = 200_000_000
export const ENOUGH = 300_000_000
const TRY_AGAIN_MS = 30_000

const WHY =
  'The disk that holds the history is nearly full, so nothing more is recorded. What was recorded is safe. Free some space; recording goes on by itself and finds what changed meanwhile.'

export function createDiskSpace(folder: string, clock: Clock, free: FreeBytes = freeBytes): DiskSpace {
  let low = false
  let waitUntil = 0
  let waited = false
  const measure = (): StorageDisk => {
    const bytes = free(folder)
    if (bytes !== null) low = bytes < (low ? ENOUGH : FLOOR)
    const full = low || clock.now() < waitUntil
    waited ||= full
    return { free: bytes ?? 0, low: full, why: full ? WHY : '' }
  }
  return {
    measure,
    reportFull: () => {
      waitUntil = clock.now() + TRY_AGAIN_MS
      waited = true
    },
    consumeResumed: () => {
      if (!waited || measure().low) return false
      waited = false
      return true
    }
  }
}

/** For what must not be taken or written on a state that nobody compared with the disk. */
export function requireDiskSpace(space: DiskSpace): void {
  const { low, why, free } = space.measure()
  if (low) throw new DriftlineError('DiskFull', why, { free })
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof DriftlineError && error.code === 'DiskFull'
}

/** Bytes free on the disk of that folder; null when it does not tell. */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    // A file system that does not tell: then only a failed write shows that it is full.
    if (errorCode(error) === '') throw error
    return null
  }
}
