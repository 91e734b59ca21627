/** Real disks with faults, for tests as root: full, failing, or with mount points that cannot be renamed over. Null if mounting is not permitted. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Mounted extends Disposable {}

/** Mounts at `place`; null if mounting is not permitted. */
export function mount(place: string, args: readonly string[]): Mounted | null {
  try {
    execFileSync('mount', [...args, place], { stdio: 'ignore' })
  } catch (error) {
    if (!(error instanceof Error && ('status' in error || 'code' in error))) throw error
    return null
  }
  return { [Symbol.dispose]: () => void execFileSync('umount', ['-l', place]) }
}

/** A disk of a few megabytes at `place`. */
export function smallDisk(place: string, size: string, more = ''): Mounted | null {
  mkdirSync(place, { recursive: true })
  return mount(place, ['-t', 'tmpfs', '-o', `size=${size}${more}`, 'tmpfs'])
}

/** Fills the disk of `folder` completely. Returns the file to delete afterwards. */
export function fill(folder: string): string {
  const file = join(folder, 'filler')
  const chunk = Buffer.alloc(64 * 1024, 1)
  for (const size of [64 * 1024, 4096, 1]) untilFull(() => writeFileSync(file, chunk.subarray(0, size), { flag: 'a' }))
  return file
}

/** Creates empty files until the disk has no free inode. Returns the folder to delete afterwards. */
export function fillNames(folder: string): string {
  const fillers = join(folder, 'fillers')
  mkdirSync(fillers)
  let n = 0
  untilFull(() => writeFileSync(join(fillers, `${n++}`), ''))
  return fillers
}

function untilFull(write: () => void): void {
  for (;;) {
    try {
      write()
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') return
      throw error
    }
  }
}

export interface FailingDisk extends Mounted {
  /** From now on, unwritten data is lost: reading and syncing it fails with EIO. */
  fail(): void
  /** Repairs the disk. */
  heal(): void
}

/** A disk whose upper part, which has its free space, can be cut off while it is mounted. */
export function failingDisk(place: string): FailingDisk | null {
  mkdirSync(place, { recursive: true })
  const image = join(dirname(place), 'image')
  let device: string
  try {
    writeFileSync(image, '')
    truncateSync(image, 4096 * 1024)
    execFileSync('mkfs.ext2', ['-q', '-F', '-b', '1024', '-m', '0', image], { stdio: 'ignore' })
    device = execFileSync('losetup', ['-f', '--show', image], { stdio: ['ignore', 'pipe', 'ignore'] })
      .toString()
      .trim()
  } catch (error) {
    if (!(error instanceof Error && ('status' in error || 'code' in error))) throw error
    return null
  }
  const detach = (): void => void execFileSync('losetup', ['-d', device])
  const mounted = mount(place, ['-t', 'ext2', device])
  if (!mounted) {
    detach()
    return null
  }
  writeFileSync(join(place, 'ballast'), Buffer.alloc(3000 * 1024))
  execFileSync('sync', ['-f', place])
  const size = (kilobytes: number): void => {
    truncateSync(image, kilobytes * 1024)
    execFileSync('losetup', ['-c', device])
  }
  return {
    fail: () => size(3500),
    heal: () => {
      size(4096)
      // The system reports what it could not write meanwhile once, at the next fsync of each file and folder (errseq_t in
      // Linux): these are the next ones.
      spawnSync('sync', ['-f', place])
      spawnSync('find', [place, '-exec', 'sync', '{}', '+'])
    },
    [Symbol.dispose]: () => {
      mounted[Symbol.dispose]()
      detach()
      rmSync(image, { force: true })
    }
  }
}
