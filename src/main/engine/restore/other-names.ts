/** Files a plan replaces or deletes under some of their names only (hard links): the others keep what they hold, and that is said. */
import { lstatSync, type Stats } from 'node:fs'
import { absoluteOf } from '../files/inside.ts'
import { errorCode } from '../ports/fs-errors.ts'
import type { PlannedItem } from './plan.ts'

/** One sentence, or none. A restored file is a new one under its name, so names outside the folder are never written. */
export function warnOfOtherNames(root: string, items: readonly PlannedItem[]): string[] {
  const files = new Map<string, { readonly names: number; readonly paths: string[] }>()
  for (const item of items) {
    if (item.action === 'keep' || item.before.kind !== 'file') continue
    const stats = look(absoluteOf(root, item.path))
    if (!stats?.isFile() || stats.nlink < 2) continue
    const entry = `${stats.dev}:${stats.ino}`
    const file = files.get(entry) ?? { names: stats.nlink, paths: [] }
    file.paths.push(item.path)
    files.set(entry, file)
  }
  const paths = [...files.values()].filter((file) => file.paths.length < file.names).flatMap((file) => file.paths)
  if (paths.length === 0) return []
  const named = paths.slice(0, 5).join(', ')
  return [
    `Other names of the same file (hard links) keep what they hold now: ${named}${paths.length > 5 ? ' and others' : ''}.`
  ]
}

function look(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // What cannot be looked at now is for the apply to tell.
    if (errorCode(error) !== '') return undefined
    throw error
  }
}
