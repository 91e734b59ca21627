/**
 * Makes many files durable at once. Node has no syncfs(2), so the program `sync -f` of GNU coreutils calls it. fsync of
 * each of 1,500 files takes two to four times as long.
 */
import { execFile } from 'node:child_process'
import { lstatSync, statfsSync } from 'node:fs'
import { release } from 'node:os'
import { promisify } from 'node:util'
import { ifReadable, ignoreFsErrors } from './fs-errors.ts'

const run = promisify(execFile)

/** From this number of files on one call is faster; it may have to wait for what other programs write. */
export const MANY_FILES = 100

/**
 * File systems on which it does what fsync does, by their numbers in statfs(2): ext2 to ext4, XFS, Btrfs, F2FS, tmpfs. A
 * server, as of FUSE or a network, would not have to write.
 */
const FILE_SYSTEMS = new Set([0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x01021994])

/**
 * Writes everything on the disks of these folders, and waits for that. False if it cannot be done there, or failed: each
 * file then needs an fsync of its own. Folders that are missing are left out.
 */
export async function syncDisks(folders: Iterable<string>): Promise<boolean> {
  const disks = new Map<number, string>()
  const isKnown = ignoreFsErrors(() => {
    for (const folder of folders) {
      const disk = lstatSync(folder, { throwIfNoEntry: false })?.dev
      if (disk !== undefined && !disks.has(disk)) disks.set(disk, folder)
    }
  })
  const each = [...disks.values()]
  for (const folder of each) if (!(await canSyncDisk(folder))) return false
  return isKnown && succeeds('sync', ['-f', '--', ...each])
}

/** Whether `syncDisks` may be used for a folder; not for one that cannot be reached. */
export async function canSyncDisk(folder: string): Promise<boolean> {
  const fileSystem = process.platform === 'linux' ? ifReadable(() => statfsSync(folder).type) : null
  if (fileSystem === null || !FILE_SYSTEMS.has(fileSystem)) return false
  reportsErrors ??= hasGnuSync()
  return reportsErrors
}

let reportsErrors: Promise<boolean> | null = null

/**
 * Whether errors of the disk are reported. Linux does since 5.8, GNU `sync` since it has this option (8.24); that of
 * uutils ignores them.
 */
async function hasGnuSync(): Promise<boolean> {
  if (!isAtLeast(release(), 5, 8)) return false
  try {
    const { stdout } = await run('sync', ['--version'])
    const version = /^sync \(GNU coreutils\) (\S+)/.exec(stdout)?.[1]
    return version !== undefined && isAtLeast(version, 8, 24)
  } catch {
    // No such program, or one without versions.
    return false
  }
}

function isAtLeast(version: string, major: number, minor: number): boolean {
  const [hasMajor = 0, hasMinor = 0] = version.split('.').map((part) => Number.parseInt(part, 10))
  return hasMajor > major || (hasMajor === major && hasMinor >= minor)
}

async function succeeds(program: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(program, args)
    return true
  } catch {
    // An error of the disk, or the system starts no process: fsync of each file says which.
    return false
  }
}
