/**
 * Whether the recorded folder is present, and whether it was deleted. A folder that is unreachable, or whose disk is not
 * mounted, is missing; it is not a folder whose files were all deleted, so no deletion is recorded.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { dirname, join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { missingText } from '../../../contract/words/watching.ts'
import type { MissingReason } from '../../../contract/workspace.ts'
import { errorCode, isNotFound, isUnreadable } from '../files/fs-errors.ts'
import { lstatSignature } from '../files/signature.ts'
import { readMeta, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { holdsFiles } from '../store/paths.ts'
import { transact } from '../store/sql.ts'

interface RecordedFolder {
  readonly store: Store
  readonly root: string
}

export function isFolderPresent({ root, store }: RecordedFolder): boolean {
  return missingReason(root, store) === null
}

/**
 * Null if the folder is present. An empty folder on another disk than the recorded one is a bare mount point; without
 * its store (`null`) that is not checked.
 */
export function missingReason(root: string, store: Store | null): MissingReason | null {
  try {
    const stats = statOrNull(root)
    if (!stats?.isDirectory()) return { code: 'gone' }
    if (!store) return null
    const disk = readMeta(store, 'disk')
    if (disk === null || disk === diskOf(stats) || !holdsFiles(store) || readdirSync(root).length > 0) return null
    return { code: 'unmounted' }
  } catch (error) {
    // It was moved away since it was found.
    if (isNotFound(error)) return { code: 'gone' }
    if (!isUnreadable(error)) throw error
    return unreachable(errorCode(error))
  }
}

/**
 * [RS-19] True when the folder itself was deleted: it is gone, its parent folder is on the recorded disk, and no entry
 * of the parent has its inode, so that it was not renamed. A folder moved to another parent looks deleted, too; its
 * history resumes once the folder is located.
 */
export function wasFolderDeleted({ root, store }: RecordedFolder): boolean {
  const above = dirname(root)
  const disk = readMeta(store, 'disk')
  try {
    const stats = statOrNull(above)
    if (statOrNull(root) || !stats?.isDirectory() || (disk !== null && diskOf(stats) !== disk)) return false
    const inode = store.records.head('')?.signature?.ino
    return readdirSync(above).every((name) => lstatSignature(join(above, name))?.ino !== inode)
  } catch (error) {
    if (!isUnreadable(error) && !isNotFound(error)) throw error
    return false
  }
}

/** `error`: its code. macOS refuses folders that a person has not allowed with EPERM. */
export function unreachable(error: string, platform: NodeJS.Platform = process.platform): MissingReason {
  return platform === 'darwin' && error === 'EPERM' ? { code: 'denied' } : { code: 'unreachable', error }
}

/**
 * Stores the device number of the folder's disk for `missingReason`, if it changed. Call when the folder is present.
 */
export function recordDisk({ store, root }: RecordedFolder): void {
  const stats = statOrNull(root)
  if (!stats || diskOf(stats) === readMeta(store, 'disk')) return
  transact(store, (tx) => writeMeta(tx, 'disk', diskOf(stats)))
}

/** Throws FolderMissing. `consequence` ends its message: what was not done. */
export function requireFolder({ root, store }: RecordedFolder, consequence: string): void {
  const why = missingReason(root, store)
  if (why === null) return
  throw new DriftlineError('FolderMissing', `${root}: ${missingText(why)} Its history is safe; ${consequence}`, {
    folder: root
  })
}

function statOrNull(root: string): Stats | null {
  try {
    return lstatSync(root, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

function diskOf(stats: Stats): string {
  return String(stats.dev)
}
