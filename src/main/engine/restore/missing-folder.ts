/** [RS-19] The recorded folder itself, which a restore creates again if it was deleted. */
import { chmodSync, lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode } from '../files/fs-errors.ts'
import type { Store } from '../store/open-store.ts'
import { fsErrorText } from './fs-error-reason.ts'

/** Mode of a folder that was never recorded. */
const FOLDER_MODE = 0o755

/**
 * Creates the folder, with its recorded mode, if it is missing. Returns a function that removes it again while it is
 * empty: for a restore that is refused. Throws Refused.
 */
export function createMissingFolder({ records }: Store, root: string): () => void {
  if (lstatSync(root, { throwIfNoEntry: false })) return () => {}
  const version = records.head('')?.version
  try {
    mkdirSync(root)
    chmodSync(root, version == null ? FOLDER_MODE : records.version(version).mode)
  } catch (error) {
    if (errorCode(error) === '') throw error
    const message = `Couldn't create ${root}: ${fsErrorText(error)}. Nothing was changed.`
    throw new DriftlineError('Refused', message, { folder: root })
  }
  return () => {
    try {
      rmdirSync(root)
    } catch (error) {
      if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(errorCode(error))) throw error
    }
  }
}
