/**
 * Which folder is at a watched path: tells a folder from another one that took its name.
 *
 * Invariant: two folders that ever were at one path count as the same only if device, inode number and birth time agree.
 */
import { type Stats, statfsSync } from 'node:fs'
import { lstatOrNull } from './folder-events.ts'

/** Null if the folder is missing or unreachable: there is nothing to watch. */
export function statRoot(root: string): Stats | null {
  const stats = lstatOrNull(root)
  return stats?.isDirectory() ? stats : null
}

/** False if another folder is at the path, also if it was given the same inode number later. */
export function isSameInode(a: Stats, b: Stats): boolean {
  return a.dev === b.dev && a.ino === b.ino
}

/**
 * As `isSameInode`, but a reused inode number is found out by its birth time. False where the disk keeps none (0): a new
 * start is the safe choice.
 */
export function isCertainlySame(a: Stats, b: Stats): boolean {
  return isSameInode(a, b) && b.birthtimeMs !== 0 && a.birthtimeMs === b.birthtimeMs
}

/**
 * `f_type` of statfs(2) for file systems whose remote changes cause no events here: NFS, SMB, CIFS, SMB2, 9P, FUSE,
 * Ceph, AFS.
 */
const REMOTE_TYPES = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x01021997, 0x65735546, 0x00c36400, 0x5346414f])

export function isRemote(root: string): boolean {
  if (process.platform !== 'linux') return false
  try {
    return REMOTE_TYPES.has(statfsSync(root).type >>> 0)
  } catch {
    // Unknown: treated as local, as nearly all are.
    return false
  }
}
