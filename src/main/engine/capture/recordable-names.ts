/** Lists the names in a folder that may be recorded; .git and our own temporary files never are. */
import { lstatSync, readdirSync } from 'node:fs'
import { ifReadable, isNotFound, isUnreadable } from '../files/fs-errors.ts'
import { childOf, isOwnName } from '../files/paths.ts'
import { isLosslessName } from '../files/spelling.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { leadsToRepository } from '../git/git-folder.ts'

/**
 * Names in a root-relative folder; null if it cannot be listed (then its rows stay: unreadable is not absent). Adds
 * unreadable folders, names that are not valid UTF-8, and repositories of subfolders to `notes`.
 */
export function listRecordableNames(
  root: string,
  folder: string,
  notes: { readonly unnameable: string[]; readonly unreadable: string[]; readonly repositories: string[] }
): Set<string> | null {
  const absolute = absoluteOf(root, folder)
  let names: string[]
  try {
    names = readdirSync(absolute)
  } catch (error) {
    if (isUnreadable(error)) {
      notes.unreadable.push(folder)
      return null
    }
    if (isNotFound(error)) return null
    throw error
  }
  const recordable = new Set<string>()
  for (const name of names) {
    if (isNeverRecorded(name)) {
      if (isRepositoryBelow(root, folder, name)) notes.repositories.push(childOf(folder, name))
      continue
    }
    if (!isLosslessName(absolute, name)) notes.unnameable.push(childOf(folder, name))
    else recordable.add(name)
  }
  return recordable
}

/** Our own files, and `.git` in any case: on HFS+ and NTFS `.GIT` is the same folder. */
export function isNeverRecorded(name: string): boolean {
  return isOwnName(name) || isGitName(name)
}

function isGitName(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === '.git'
}

/** [GT-12] A `.git` below the top one, and also a file of that name, unless it makes its folder a worktree of another one. */
export function isRepositoryBelow(root: string, folder: string, name: string): boolean {
  if (folder === '' || !isGitName(name)) return false
  const stat = ifReadable(() => lstatSync(absoluteOf(root, childOf(folder, name)), { throwIfNoEntry: false }))
  if (!stat) return false
  return stat.isDirectory() || (stat.isFile() && leadsToRepository(absoluteOf(root, folder)))
}
