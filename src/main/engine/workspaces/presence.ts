/** Whether the recorded folder is there: one whose disk is not mounted is missing, not a folder whose every file was deleted. */
import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { write } from '../db/transaction.ts'
import { isAbsence } from '../ports/fs-errors.ts'
import type { Store } from '../store/open-store.ts'

interface Place {
  readonly store: Store
  readonly root: string
}

/** False when there is no folder, or an empty one on another disk than the one that was recorded: a bare mount point. */
export function isThere({ store, root }: Place): boolean {
  const stats = lookAt(root)
  if (!stats?.isDirectory()) return false
  return diskOf(stats) === store.meta('disk') || !isEmpty(root) || !holdsFiles(store)
}

/** Notes the disk the folder is on, for the next time. Call when it is there; writes only when the disk is another one. */
export function noteDisk({ store, root }: Place): void {
  const stats = lookAt(root)
  if (!stats || diskOf(stats) === store.meta('disk')) return
  write(store.db, () => store.setMeta('disk', diskOf(stats)))
}

/** Throws FolderMissing. `consequence` ends the sentence: what could not be done. */
export function refuseWhileMissing(place: Place, consequence: string): void {
  if (isThere(place)) return
  throw new DriftlineError(
    'FolderMissing',
    `${place.root} is not there any more, or its disk is not mounted. Its history is safe; ${consequence}`,
    { folder: place.root }
  )
}

function lookAt(root: string): Stats | null {
  try {
    return lstatSync(root, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

function diskOf(stats: Stats): string {
  return String(stats.dev)
}

function isEmpty(root: string): boolean {
  try {
    return readdirSync(root).length === 0
  } catch {
    // Unreadable is not empty: whoever reads it next says why.
    return false
  }
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
