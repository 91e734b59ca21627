/**
 * Free space on the disk that holds the history. When it is nearly full, recording stops visibly, before a write fails.
 */
import { statfsSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { StorageDisk } from '../../../contract/storage.ts'
import { DISK_FULL_TEXT } from '../../../contract/words/watching.ts'
import { errorCode } from './fs-errors.ts'

/** Free bytes on the disk of `folder`; null if unknown. */
export type FreeBytes = (folder: string) => number | null

export type DiskSpace = ReturnType<typeof createDiskSpace>

/** Bytes. Recording stops below FLOOR and resumes above ENOUGH; the gap prevents switching every second. */
export const FLOOR = 200_000_000
export const ENOUGH = 300_000_000
const PAUSE_AFTER_FAILURE_MS = 30_000

export function createDiskSpace(folder: string, clock: { now(): number }, free: FreeBytes = freeBytes) {
  let low = false
  let waitUntil = 0
  let wasFull = false
  const measure = (): StorageDisk => {
    const bytes = free(folder)
    if (bytes !== null) low = bytes < (low ? ENOUGH : FLOOR)
    const full = low || clock.now() < waitUntil
    wasFull ||= full
    return { free: bytes ?? 0, low: full }
  }
  return {
    measure,
    /** A write failed because the disk is full, whatever the system reports (a quota): recording pauses for a while. */
    reportFull: (): void => {
      waitUntil = clock.now() + PAUSE_AFTER_FAILURE_MS
      wasFull = true
    },
    /** True once when there is space again after any call reported a full disk: paused work can continue. */
    consumeResumed: (): boolean => {
      if (!wasFull || measure().low) return false
      wasFull = false
      return true
    }
  }
}

/**
 * Throws DiskFull. For work that needs the log to match the disk, which is not checked while the disk is full.
 * `safe`: a sentence that says what was not done.
 */
export function requireDiskSpace(space: DiskSpace, safe: string): void {
  const { low, free } = space.measure()
  if (low) throw new DriftlineError('DiskFull', `${safe} ${DISK_FULL_TEXT}`, { free })
}

export function isDiskFull(error: unknown): boolean {
  return error instanceof DriftlineError && error.code === 'DiskFull'
}

/** Free bytes for unprivileged users (statfs(2) `f_bavail`). */
export function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    // Unknown: then only a failed write shows that the disk is full.
    if (errorCode(error) === '') throw error
    return null
  }
}
