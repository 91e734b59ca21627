/**
 * Makes many files durable at once. Node has no syncfs(2), so the program `sync -f` of GNU coreutils calls it. fsync of
 * each of 1,500 files takes two to four times as long.
 */
import { existsSync, lstatSync } from 'node:fs'
import { release } from 'node:os'
import { ignoreFsErrors } from './fs-errors.ts'
import { isLocalDisk } from './local-disk.ts'
import { openShell, type Shell } from './shell.ts'

/** From this number of files on one call is faster; it may have to wait for what other programs write. */
export const MANY_FILES = 100

/** How it is called; a test gives another program and less time. */
interface SyncProgram {
  readonly program: string
  /** A sync also waits for what other programs write, and for a disk that does not answer; ms. */
  readonly limit: number
}

/** By their full paths: a program of the same name in PATH may be anything. The last one is that of NixOS. */
const PLACES = ['/usr/bin/sync', '/bin/sync', '/run/current-system/sw/bin/sync']

/** Null if there is none. */
function findSync(): SyncProgram | null {
  const program = PLACES.find((place) => existsSync(place))
  return program === undefined ? null : { program, limit: 10_000 }
}

/** Syncs disks, one call after another. */
export interface DiskSync extends Disposable {
  /**
   * Writes everything on the disks of these folders, and waits for that. False if it cannot be done there, or failed, or a call
   * before did: each file then needs an fsync of its own. Folders that are missing are left out.
   */
  sync(folders: Iterable<string>): Promise<boolean>
}

/**
 * Null where files in a folder cannot be made durable so. All calls share one shell: starting a process takes as long as
 * staging a hundred files, because it copies the map of our memory. `onFailure` is given the reason of the first failure.
 */
export async function openDiskSync(
  folder: string,
  onFailure: (reason: string) => void,
  sync = findSync()
): Promise<DiskSync | null> {
  if (!sync || !isLocalDisk(folder) || !isAtLeast(release(), 5, 8)) return null
  const shell = openShell()
  reportsErrors ??= isGnu(shell, sync)
  if (!(await reportsErrors)) {
    shell[Symbol.dispose]()
    return null
  }
  let isPossible = true
  const syncEach = async (folders: Iterable<string>): Promise<boolean> => {
    const disks = disksOf(folders)
    // A server would not have to write.
    if (!disks?.every(isLocalDisk)) return false
    if (disks.length > 0) await shell.run([sync.program, '-f', '--', ...disks], sync.limit)
    return true
  }
  return {
    sync: async (folders) => {
      try {
        isPossible = (await syncEach(folders)) && isPossible
      } catch (error) {
        // An error of the disk, a disk that is too slow, or the system starts no process.
        if (isPossible) onFailure(error instanceof Error ? error.message : String(error))
        isPossible = false
      }
      return isPossible
    },
    [Symbol.dispose]: shell[Symbol.dispose]
  }
}

/** One folder of each disk; null if a folder cannot be reached. */
function disksOf(folders: Iterable<string>): string[] | null {
  const disks = new Map<number, string>()
  const isKnown = ignoreFsErrors(() => {
    for (const folder of folders) {
      const disk = lstatSync(folder, { throwIfNoEntry: false })?.dev
      if (disk !== undefined && !disks.has(disk)) disks.set(disk, folder)
    }
  })
  return isKnown ? [...disks.values()] : null
}

let reportsErrors: Promise<boolean> | null = null

/**
 * Whether errors of the disk are reported. Linux does since 5.8, GNU `sync` since it has this option (8.24); that of
 * uutils ignores them.
 */
async function isGnu(shell: Shell, { program, limit }: SyncProgram): Promise<boolean> {
  try {
    const version = /^sync \(GNU coreutils\) (\S+)/.exec(await shell.run([program, '--version'], limit))?.[1]
    return version !== undefined && isAtLeast(version, 8, 24)
  } catch {
    // One that names no version, or cannot be started.
    return false
  }
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return hasMajor > major || (hasMajor === major && hasMinor >= minor)
}
