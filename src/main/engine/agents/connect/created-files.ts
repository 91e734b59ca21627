/**
 * Tracks files and folders that `connect` created: `disconnect` deletes them again, unless they hold anything else by
 * then.
 */
import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, ifReadable, isNotFound, isUnreadable } from '../../files/fs-errors.ts'
import type { ManagedFile } from './registrations.ts'

/** Paths of files and folders that `connect` created, stored across processes. */
export interface CreatedFiles {
  has(path: string): boolean
  add(path: string): unknown
  delete(path: string): unknown
}

/** Adds `file` and its missing parents. Call before `file` is written for the first time. */
export function addMissingParents(created: CreatedFiles, file: string): void {
  for (let path = file; !existsSync(path); path = dirname(path)) created.add(path)
}

/** Whether we created the file. One that has been replaced by a link since belongs to the user. */
export function wasCreated(created: CreatedFiles, file: string): boolean {
  return created.has(file) && !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
}

/** Whether settings are empty. A comment counts as content. */
export function isEmptySettings(text: string | null): boolean {
  return text === null || /^\s*(\{\s*\})?\s*$/.test(text)
}

/**
 * Whether every byte of `text` is what `connect` writes into a new file. `integrations`: everything we add to that
 * file, in any order of connecting.
 */
export function isEntirelyOurs(integrations: readonly ManagedFile[], text: string): boolean {
  return integrations.some((integration) => {
    const rest = integration.disconnect(text)
    if (rest === text) return false
    const before = rest === null || isEmptySettings(rest) ? null : rest
    return integration.connect(before) === text && (before === null || isEntirelyOurs(integrations, before))
  })
}

/** Folders that `connect` created and that hold nothing but these files, inner ones first. */
export function findEmptiedFolders(created: CreatedFiles, files: readonly string[]): string[] {
  const removed = new Set(files)
  for (const file of files) {
    let folder = dirname(file)
    while (
      created.has(folder) &&
      ifReadable(() => readdirSync(folder))?.every((name) => removed.has(join(folder, name)))
    ) {
      removed.add(folder)
      folder = dirname(folder)
    }
  }
  return [...removed].slice(files.length)
}

/** Removes these folders; one that is no longer empty stays. */
export function removeFolders(created: CreatedFiles, folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch (error) {
      if (!isNotFound(error) && !isUnreadable(error) && !['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
      continue
    }
    created.delete(folder)
  }
}
