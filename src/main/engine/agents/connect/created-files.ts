/** What `connect` made where nothing was: it goes again with our entries, unless somebody put something else into it. */
import { existsSync, lstatSync, readdirSync, rmdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode, isNotFound, isUnreadable } from '../../ports/fs-errors.ts'
import type { ManagedFile } from './registrations.ts'

/** Paths of files and folders that `connect` made, kept from one process to the next. */
export interface CreatedFiles {
  has(path: string): boolean
  add(path: string): unknown
  delete(path: string): unknown
}

/** To be called before `file` is written for the first time. */
export function addMissingParents(made: CreatedFiles, file: string): void {
  for (let path = file; !existsSync(path); path = dirname(path)) made.add(path)
}

/** One that was moved behind a link since is somebody's own. */
export function wasCreated(made: CreatedFiles, file: string): boolean {
  return made.has(file) && !lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink()
}

/** Settings with nothing in them; a comment is something. */
export function isEmptySettings(text: string | null): boolean {
  return text === null || /^\s*(\{\s*\})?\s*$/.test(text)
}

/** Every byte of `text` is what `connect` writes where nothing was. `joints`: all that we put into that file. */
export function isEntirelyOurs(joints: readonly ManagedFile[], text: string): boolean {
  return joints.some((joint) => {
    const rest = joint.disconnect(text)
    if (rest === text) return false
    const before = rest === null || isEmptySettings(rest) ? null : rest
    return joint.connect(before) === text && (before === null || isEntirelyOurs(joints, before))
  })
}

/** Folders that `connect` made and that hold nothing but these files, inner ones first. */
export function findEmptiedFolders(made: CreatedFiles, files: readonly string[]): string[] {
  const going = new Set(files)
  for (const file of files) {
    let folder = dirname(file)
    while (made.has(folder) && namesIn(folder)?.every((name) => going.has(join(folder, name)))) {
      going.add(folder)
      folder = dirname(folder)
    }
  }
  return [...going].slice(files.length)
}

/** One that something came into meanwhile stays. */
export function removeFolders(made: CreatedFiles, folders: readonly string[]): void {
  for (const folder of folders) {
    try {
      rmdirSync(folder)
    } catch (error) {
      if (!isNotFound(error) && !isUnreadable(error) && !['ENOTEMPTY', 'EEXIST'].includes(errorCode(error))) throw error
      continue
    }
    made.delete(folder)
  }
}

function namesIn(folder: string): string[] | null {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isNotFound(error) || isUnreadable(error)) return null
    throw error
  }
}
