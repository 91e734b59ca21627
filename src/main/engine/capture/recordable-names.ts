/** The names in a folder that may be recorded, and those that never are. */
import { readdirSync } from 'node:fs'
import { isLosslessName } from '../files/lossless-name.ts'
import { absoluteOf, childOf, isOwnName } from '../files/workspace-fs.ts'
import { isNotFound, isUnreadable } from '../ports/fs-errors.ts'

/**
 * Names in a root-relative folder; null when it cannot be listed (its rows stay as they are: unreadable is not absent).
 * Notes what could not be listed, and names that are not valid UTF-8.
 */
export function listRecordableNames(
  root: string,
  at: string,
  notes: { readonly unnameable: string[]; readonly unreadable: string[] }
): Set<string> | null {
  const absolute = absoluteOf(root, at)
  let names: string[]
  try {
    names = readdirSync(absolute)
  } catch (error) {
    if (isUnreadable(error)) {
      notes.unreadable.push(at)
      return null
    }
    if (isNotFound(error)) return null
    throw error
  }
  const kept = new Set<string>()
  for (const name of names) {
    if (isNeverRecorded(name)) continue
    if (!isLosslessName(absolute, name)) notes.unnameable.push(childOf(at, name))
    else kept.add(name)
  }
  return kept
}

/** `.git` in any case (HFS+ and NTFS fold it) and files of ours. */
export function isNeverRecorded(name: string): boolean {
  return isOwnName(name) || (name.length === 4 && name.toLowerCase() === '.git')
}
