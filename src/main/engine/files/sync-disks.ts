/**
 * Makes many files durable at once. Node has no syncfs(2), so the program `sync -f` of GNU coreutils calls it. fsync of
 * each of 1,500 files takes two to four times as long.
 */
import { execFile } from 'node:child_process'
import { existsSync, lstatSync } from 'node:fs'
import { release } from 'node:os'
import { ignoreFsErrors } from './fs-errors.ts'
import { isLocalDisk } from './local-disk.ts'

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

/**
 * Writes everything on the disks of these folders, and waits for that, but not longer than the limit. False if it cannot be
 * done there, or failed, which `onFailure` is given: each file then needs an fsync of its own. Folders that are missing are
 * left out.
 */
export async function syncDisks(
  folders: Iterable<string>,
  onFailure: (reason: string) => void,
  sync = findSync()
): Promise<boolean> {
  const disks = new Map<number, string>()
  const isKnown = ignoreFsErrors(() => {
    for (const folder of folders) {
      const disk = lstatSync(folder, { throwIfNoEntry: false })?.dev
      if (disk !== undefined && !disks.has(disk)) disks.set(disk, folder)
    }
  })
  const each = [...disks.values()]
  for (const folder of each) if (!(await canSyncDisk(folder))) return false
  if (!isKnown || !sync) return false
  try {
    await runWithin(sync, ['-f', '--', ...each])
    return true
  } catch (error) {
    // An error of the disk, a disk that is too slow, or the system starts no process.
    onFailure(error instanceof Error ? error.message : String(error))
    return false
  }
}

/** Whether `syncDisks` may be used for a folder; not for one that cannot be reached. */
export async function canSyncDisk(folder: string): Promise<boolean> {
  // A server would not have to write.
  if (!isLocalDisk(folder)) return false
  reportsErrors ??= hasGnuSync()
  return reportsErrors
}

let reportsErrors: Promise<boolean> | null = null

/**
 * Whether errors of the disk are reported. Linux does since 5.8, GNU `sync` since it has this option (8.24); that of
 * uutils ignores them.
 */
async function hasGnuSync(): Promise<boolean> {
  const sync = findSync()
  if (!sync || !isAtLeast(release(), 5, 8)) return false
  try {
    const version = /^sync \(GNU coreutils\) (\S+)/.exec(await runWithin(sync, ['--version']))?.[1]
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

/**
 * What the program printed. Throws if it fails, or has not ended within the limit: it is killed then, but not waited for,
 * because a process that waits for a disk ends only with that.
 */
function runWithin({ program, limit }: SyncProgram, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, (error, stdout, stderr) => {
      clearTimeout(timer)
      if (error) reject(new Error(stderr.trim() || error.message))
      else resolve(stdout)
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      child.unref()
      reject(new Error(`${program} did not end within ${limit / 1000} s`))
    }, limit)
  })
}
