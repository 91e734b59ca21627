/**
 * Deletes a whole history: renames its folder first, which is atomic, then deletes it. Interrupted deletions finish at
 * the next start.
 */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { log } from '../ports/log.ts'

/** No workspace id ends with this, so a folder that is being deleted is never opened. */
const DELETING = '.going'

/** Throws Refused, with nothing changed, if the system refuses the rename. */
export function deleteHistoryFolder(dataDir: string, id: string): void {
  const folder = join(dataDir, 'w', id)
  try {
    renameSync(folder, folder + DELETING)
  } catch (error) {
    if (isNotFound(error)) return
    if (errorCode(error) === '') throw error
    throw new DriftlineError(
      'Refused',
      `Couldn’t delete the history (${errorCode(error)}). Nothing was changed. Check ${folder} and try again.`,
      { folder }
    )
  }
  finishHistoryDeletions(dataDir)
}

/** Never throws: a folder that cannot be deleted is tried again at the next start. */
export function finishHistoryDeletions(dataDir: string): void {
  try {
    for (const name of readdirSync(join(dataDir, 'w')))
      if (name.endsWith(DELETING)) rmSync(join(dataDir, 'w', name), { recursive: true, force: true })
  } catch (error) {
    if (errorCode(error) === '') throw error
    if (!isNotFound(error)) log.warn(`a deleted history is still in ${dataDir} (${errorCode(error)})`)
  }
}
