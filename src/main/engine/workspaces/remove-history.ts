/** Removes a whole history: out of the way at once, then piece by piece; one that was cut short is finished at the next start. */
import { readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../ports/fs-errors.ts'

/** No id ends like this, so nobody opens what is being removed. */
const GOING = '.going'

/** Throws Refused, with everything as it was, when the system does not let it go. */
export function deleteHistoryFolder(dataDir: string, id: string): void {
  const folder = join(dataDir, 'w', id)
  try {
    renameSync(folder, folder + GOING)
  } catch (error) {
    if (isNotFound(error)) return
    if (errorCode(error) === '') throw error
    throw new DriftlineError(
      'Refused',
      `The history could not be deleted (${errorCode(error)}), so nothing was changed. Look at ${folder} and try again.`,
      { folder }
    )
  }
  finishHistoryDeletions(dataDir)
}

/** Never fails: what cannot be removed is tried again next time. */
export function finishHistoryDeletions(dataDir: string): void {
  try {
    for (const name of readdirSync(join(dataDir, 'w')))
      if (name.endsWith(GOING)) rmSync(join(dataDir, 'w', name), { recursive: true, force: true })
  } catch (error) {
    if (errorCode(error) === '') throw error
    if (!isNotFound(error)) console.error(`driftline: a deleted history is still in ${dataDir} (${errorCode(error)})`)
  }
}
