/**
 * The folders of positions in the data folder. Each is named by the process that uses it, and goes when that has ended. What is
 * written for a position is in memory where that has room, because a disk takes many times as long for thousands of small
 * files, and none of them has to last.
 */
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, statfsSync, symlinkSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { errorCode, ifReadable } from '../files/fs-errors.ts'
import { log } from '../ports/log.ts'
import { isAlive, type ProcessId } from '../ports/processes.ts'

const PARENT = 'positions'
const TREE = 'tree'
/** Where Linux keeps files in memory. */
const MEMORY = '/dev/shm'
const IN_MEMORY = join(MEMORY, 'driftline-position-')
/** The number that Linux gives to a file system in memory. */
const TMPFS = 0x01021994
/** Bytes of one position, and the share of what is free that it may take. */
const MOST_IN_MEMORY = 64 * 1024 * 1024
const MOST_OF_FREE = 1 / 8

/** A new, empty folder for a process. */
export function makePositionFolder(dataDir: string, { pid, start }: ProcessId): string {
  const parent = join(dataDir, PARENT)
  mkdirSync(parent, { recursive: true, mode: 0o700 })
  return mkdtempSync(join(parent, `${pid}-${start === '' ? 'x' : start}-`))
}

/**
 * A new, empty folder `tree`, in the position's folder, or in memory with a link there. `bytes`: what will be in it;
 * `free`: the room in memory, null for none, as elsewhere than on Linux.
 */
export function makeTree(folder: string, bytes: number, free: number | null = freeInMemory()): string {
  const link = join(folder, TREE)
  if (free !== null && bytes <= Math.min(MOST_IN_MEMORY, free * MOST_OF_FREE)) {
    const outer = `${IN_MEMORY}${basename(folder)}`
    // The link is first: the next recorder finds by it what a killed process left.
    symlinkSync(join(outer, TREE), link)
    mkdirSync(outer, { mode: 0o700 })
    mkdirSync(join(outer, TREE), { mode: 0o700 })
    return join(outer, TREE)
  }
  mkdirSync(link, { mode: 0o700 })
  return link
}

/** Whether a tree of makeTree is in memory. */
export const isInMemory = (tree: string): boolean => tree.startsWith(IN_MEMORY)

function freeInMemory(): number | null {
  if (process.platform !== 'linux') return null
  try {
    const { type, bavail, bsize } = statfsSync(MEMORY)
    return type === TMPFS ? bavail * bsize : null
  } catch (error) {
    // Not there, or not for us.
    if (errorCode(error) === '') throw error
    return null
  }
}

/** The folder in memory that belongs to a position; null without one. */
function memoryOf(folder: string): string | null {
  try {
    const outer = dirname(readlinkSync(join(folder, TREE)))
    return outer === `${IN_MEMORY}${basename(folder)}` ? outer : null
  } catch (error) {
    // No link: its tree is on disk, or was not made.
    if (!['ENOENT', 'EINVAL', 'ENOTDIR'].includes(errorCode(error))) throw error
    return null
  }
}

/** Deletes the folders of processes that were killed before they could. Never rejects. */
export async function removeLeftPositions(dataDir: string): Promise<void> {
  const parent = join(dataDir, PARENT)
  for (const name of ifReadable(() => readdirSync(parent)) ?? []) {
    const [pid = '', start = ''] = name.split('-')
    if (isAlive({ pid: Number(pid), start: start === 'x' ? '' : start })) continue
    try {
      const memory = memoryOf(join(parent, name))
      if (memory !== null) await rm(memory, { recursive: true, force: true })
      await rm(join(parent, name), { recursive: true, force: true })
    } catch (error) {
      log.warn(`${join(parent, name)} could not be deleted`, error)
    }
  }
}
