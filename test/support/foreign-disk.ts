/** File systems without permissions, links or case-sensitive names, for tests as root. Null if they cannot be mounted. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempFolder } from './tmp.ts'

export type ForeignDisk = 'exfat' | 'ntfs'

const MEGABYTES = 32
const MAKE: Readonly<Record<ForeignDisk, readonly string[]>> = {
  exfat: ['mkfs.exfat'],
  ntfs: ['mkfs.ntfs', '-F', '-q']
}
const MOUNT: Readonly<Record<ForeignDisk, readonly string[]>> = { exfat: ['mount.exfat-fuse'], ntfs: ['ntfs-3g'] }

export interface Mount extends Disposable {
  /** Unmounts and mounts the disk again. */
  again(): void
  /** Unmounts the disk, as if it were removed. */
  kill(): void
}

/**
 * Mounts a disk of this kind at `place` through FUSE. `exfat` treats names that differ only by case as equal and has no
 * permissions, links or stable inode numbers; `ntfs` has no permissions. Warns when the test is skipped.
 */
export function mountForeignDisk(kind: ForeignDisk, place: string): Mount | null {
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
