/** Disks that keep less of a file than a project's usual one does, for tests as root; null where they cannot be had. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './tmp.ts'

export type OddDisk = 'exfat' | 'ntfs'

const MEGABYTES = 32
const MAKE: Readonly<Record<OddDisk, readonly string[]>> = { exfat: ['mkfs.exfat'], ntfs: ['mkfs.ntfs', '-F', '-q'] }
const MOUNT: Readonly<Record<OddDisk, readonly string[]>> = { exfat: ['mount.exfat-fuse'], ntfs: ['ntfs-3g'] }

export interface Mount extends Disposable {
  /** As when the disk is taken out and put in again. */
  again(): void
  /** As when it is pulled out. */
  kill(): void
}

/**
 * A disk of this kind, mounted at `place` through FUSE. `exfat` takes names that differ only by case for one, and keeps no
 * permissions, links or steady inode numbers; `ntfs` keeps no permissions. Says loudly when it is not tested.
 */
export function oddDisk(kind: OddDisk, place: string): Mount | null {
  // Never in the folder that is recorded.
  const temp = tempFolder('driftline-disk-')
  const image = join(temp.path, kind)
  mkdirSync(place, { recursive: true })
  let device = ''
  const mount = (): void => void run([...MOUNT[kind], device, place])
  try {
    writeFileSync(image, '')
    truncateSync(image, MEGABYTES << 20)
    run([...MAKE[kind], image])
    device = run(['losetup', '-f', '--show', image]).trim()
    mount()
  } catch (error) {
    if (!(error instanceof Error && ('status' in error || 'code' in error))) throw error
    if (device) run(['losetup', '-d', device])
    temp[Symbol.dispose]()
    console.warn(`SKIPPED: no ${kind} disk can be mounted here (needs root, loop devices, FUSE and its tools)`)
    return null
  }
  return {
    again: () => {
      if (isMounted(place)) run(['umount', '-l', place])
      mount()
    },
    kill: () => {
      const server = run(['pgrep', '-f', `${device} ${place}$`])
      process.kill(Number(server), 'SIGKILL')
      while (isReachable(place));
    },
    [Symbol.dispose]: () => {
      if (isMounted(place)) run(['umount', '-l', place])
      run(['losetup', '-d', device])
      temp[Symbol.dispose]()
    }
  }
}

function run([command = '', ...args]: readonly string[]): string {
  return execFileSync(command, args, { stdio: ['ignore', 'pipe', 'ignore'] }).toString()
}

function isMounted(place: string): boolean {
  return readFileSync('/proc/self/mounts', 'utf8').includes(` ${place} `)
}

function isReachable(place: string): boolean {
  try {
    return statSync(place).isDirectory()
  } catch {
    return false
  }
}
