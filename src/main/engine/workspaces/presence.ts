/**
 * Whether the recorded folder is there: one that is out of reach, or whose disk is not mounted, is missing, not a folder whose
 * every file was deleted.
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
 * A sentence; '' when the folder is there. An empty one on another disk than the one that was recorded is a bare mount point,
 * which only its store can tell.
 */
export function missingReason(root: string, store: Store | null): string {
  try {
    const stats = lookAt(root)
    if (!stats?.isDirectory()) return 'The folder is not there any more.'
    if (!store || diskOf(stats) === store.meta('disk') || !holdsFiles(store) || readdirSync(root).length > 0) return ''
    return 'The folder is empty, and the disk it was on is not mounted.'
  } catch (error) {
    if (!isUnreadable(error)) throw error
    return `The folder is out of reach (${errorCode(error)}); its disk may be gone.`
  }
}

/** Notes the disk the folder is on, for the next time. Call when it is there; writes only when the disk is another one. */
export function recordDisk({ store, root }: RecordedFolder): void {
  const stats = lookAt(root)
  if (!stats || diskOf(stats) === store.meta('disk')) return
  write(store.db, () => store.setMeta('disk', diskOf(stats)))
}

/** Throws FolderMissing. `consequence` ends the sentence: what could not be done. */
export function requireFolder({ root, store }: RecordedFolder, consequence: string): void {
  const why = missingReason(root, store)
  if (why === '') return
  throw new DriftlineError('FolderMissing', `${root}: ${why} Its history is safe; ${consequence}`, { folder: root })
}

function lookAt(root: string): Stats | null {
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

/** Something is recorded as being there now. */
function holdsFiles(store: Store): boolean {
  return (
    store.meta('disk') !== null &&
    store.db
      .prepare("SELECT 1 FROM path p JOIN version v ON v.id = p.version WHERE p.name <> '' AND v.kind <> 0 LIMIT 1")
      .get() !== undefined
  )
}
