/**
 * Files and folders that a restore moved aside. They are deleted only as far as the log holds exactly their content;
 * anything else gets a visible name beside its old one.
 */
import { readdirSync, renameSync, rmdirSync } from 'node:fs'
import { basename } from 'node:path'
import type { FileVersion } from '../../../contract/log.ts'
import { errorCode } from '../files/fs-errors.ts'
import { isInUse } from '../files/in-use.ts'
import { childOf } from '../files/paths.ts'
import { unlinkAny } from '../files/read-only.ts'
import { lstatSignature } from '../files/signature.ts'
import { hasContentOf } from './verify-written.ts'

/** A new folder's mode until its content is in place: private, and writable even if the recorded mode is not. */
export const NEW_FOLDER_MODE = 0o700

/**
 * Deletes whatever is at `location` and equals the recorded version of its former root-relative `path`, recursively.
 * Returns whether everything was deleted. Throws for a file in use; another call removes the rest.
 */
export function removeRecorded(location: string, path: string, recorded: ReadonlyMap<string, FileVersion>): boolean {
  const version = recorded.get(path)
  if (lstatSignature(location)?.kind !== 'dir') {
    if (!version || !hasContentOf(location, version)) return false
    unlinkAny(location)
    return true
  }
  let kept = 0
  for (const name of readdirSync(location))
    if (!removeRecorded(`${location}/${name}`, childOf(path, name), recorded)) kept++
  try {
    if (version?.kind === 'dir') rmdirSync(location)
    return version?.kind === 'dir'
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
    // Nothing is in it but what Windows has yet to delete.
    if (isInUse(error) && kept === 0) throw error
    return false
  }
}

/**
 * Renames `location` to a free name beside `home`, its former path, where people and the recorder find it. Returns the
 * name.
 */
export function moveToVisibleName(location: string, home: string): string {
  for (let n = 1; ; n++) {
    const visible = `${home}.kept${n === 1 ? '' : `-${n}`}`
    if (lstatSignature(visible)) continue
    renameSync(location, visible)
    return basename(visible)
  }
}
