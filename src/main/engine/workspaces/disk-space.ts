/** Room on the disk that holds the history: when it is nearly gone recording stops, visibly, before anything fails half way. */
import { statfsSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import type { StorageDisk } from '../../../contract/storage.ts'
import { errorCode } from '../ports/fs-errors.ts'

/** Bytes free on the disk of `folder`; null when the system does not tell. */
export type FreeBytes = (folder: string) => number | null

export interface DiskSpace {
  look(): StorageDisk
  /** A write failed for want of room, whatever the system says is free. */
  failed(): void
  /** A write went through. */
  worked(): void
}

/** Recording stops below the first and goes on above the second, so that it does not do both every second. */
export const FLOOR = 200_000_000
export const ENOUGH = 300_000_000

export function createDiskSpace(folder: string, free: FreeBytes = freeBytes): DiskSpace {
  let low = false
  let failed = false
  return {
    look: () => {
      const bytes = free(folder)
      if (bytes !== null) low = bytes < (low ? ENOUGH : FLOOR)
      return { free: bytes ?? 0, low: low || failed, why: low || failed ? sentence(bytes) : '' }
    },
    failed: () => {
      failed = true
    },
    worked: () => {
      failed = false
    }
  }
}

/** What stops recording, as an error for those who asked for it. */
export function diskFull(disk: StorageDisk): DriftlineError {
  return new DriftlineError('DiskFull', disk.why, { free: disk.free })
}

function sentence(bytes: number | null): string {
  const left = bytes === null ? '' : ` (${Math.round(bytes / 1e6)} MB free)`
  return `The disk that holds the history is nearly full${left}, so nothing more is recorded. What was recorded is safe. Free some space; recording goes on by itself and finds what changed meanwhile.`
}

function freeBytes(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch (error) {
    // A file system that does not tell: then only a failed write shows that it is full.
    if (errorCode(error) === '') throw error
    return null
  }
}
