/**
 * Whether the recorded folder is present. A folder that is unreachable, or whose disk is not mounted, is missing; it is not a
 * folder whose files were all deleted, so no deletion is recorded.
 */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { write } from '../db/transaction.ts'
import { errorCode, isNotFound, isUnreadable } from '../ports/fs-errors.ts'
import type { Store } from '../store/open-store.ts'

interface RecordedFolder {
  readonly store: Store
  readonly root: string
}

export function isFolderPresent({ root, store }: RecordedFolder): boolean {
  return missingReason(root, store) === ''
}

/**
 * A sentence; '' if the folder is present. An empty folder on another disk than the recorded one is a bare mount point; without
 * its store (`null`) that is not checked.
 */
export function missingReason(root: string, store: Store | null): string {
  try {
    const stats = statOrNull(root)
    if (!stats?.isDirectory()) return 'The folder does not exist any more.'
    if (!store || diskOf(stats) === store.meta('disk') || !holdsFiles(store) || readdirSync(root).length > 0) return ''
    return 'The folder is empty, and the disk it was on is not mounted.'
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return `The folder cannot be reached (${errorCode(error)}). Its disk may be disconnected.`
  }
}

/** Stores the device number of the folder's disk for `missingReason`, if it changed. Call when the folder is present. */
export function recordDisk({ store, root }: RecordedFolder): void {
  const stats = statOrNull(root)
  if (!stats || diskOf(stats) === store.meta('disk')) return
  write(store.db, () => store.setMeta('disk', diskOf(stats)))
}

/** Throws FolderMissing. `consequence` ends its message: what was not done. */
export function requireFolder({ root, store }: RecordedFolder, consequence: string): void {
  const why = missingReason(root, store)
  if (why === '') return
  throw new DriftlineError('FolderMissing', `${root}: ${why} Its history is safe; ${consequence}`, { folder: root })
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

/** The newest version of some path is not absent. */
function holdsFiles(store: Store): boolean {
  return (
    store.meta('disk') !== null &&
    store.db
      .prepare("SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.name <> '' AND v.kind <> 0 LIMIT 1")
      .get() !== undefined
  )
}
