/** Files a plan replaces or deletes that have other names too (hard links): those keep what they hold, and that is said. */
import { lstatSync } from 'node:fs'
import { absoluteOf } from '../files/inside.ts'
import { errorCode } from '../ports/fs-errors.ts'
import type { PlannedItem } from './plan.ts'

/** One sentence, or none. A restored file is a new one under its name, so names outside the folder are never written. */
export function warnOfOtherNames(root: string, items: readonly PlannedItem[]): string[] {
  const paths = items.filter((item) => item.action !== 'keep' && item.before.kind === 'file' && hasOther(root, item))
  if (paths.length === 0) return []
  const named = paths.slice(0, 5).map((item) => item.path)
  return [
    `Other names of the same file (hard links) keep what they hold now: ${named.join(', ')}${paths.length > 5 ? ' and others' : ''}.`
  ]
}

function hasOther(root: string, { path }: PlannedItem): boolean {
  try {
    const stats = lstatSync(absoluteOf(root, path), { throwIfNoEntry: false })
    return stats?.isFile() === true && stats.nlink > 1
  } catch (error) {
    // What cannot be looked at now is for the apply to tell.
    if (errorCode(error) !== '') return false
    throw error
  }
}
