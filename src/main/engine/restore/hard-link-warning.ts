/**
 * Warns of files that a plan replaces or deletes under some of their names only. A restore creates a new file for each path, so
 * other hard links keep the old content, and names outside the folder are never written.
 */
import { lstatSync, type Stats } from 'node:fs'
import type { PlanWarning } from '../../../contract/restore.ts'
import { errorCode } from '../files/fs-errors.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import type { PlannedItem } from './plan.ts'

/** Paths named in the warning. */
const MOST_NAMES = 5

/** At most one warning. */
export function hardLinkWarnings(root: string, items: readonly PlannedItem[]): PlanWarning[] {
  const files = new Map<string, { readonly links: number; readonly paths: string[] }>()
  for (const item of items) {
    if (item.action === 'keep' || item.before.kind !== 'file') continue
    const stats = statOrNothing(absoluteOf(root, item.path))
    if (!stats?.isFile() || stats.nlink < 2) continue
    const inode = `${stats.dev}:${stats.ino}`
    const file = files.get(inode) ?? { links: stats.nlink, paths: [] }
    file.paths.push(item.path)
    files.set(inode, file)
  }
  const paths = [...files.values()].filter((file) => file.paths.length < file.links).flatMap((file) => file.paths)
  if (paths.length === 0) return []
  return [{ code: 'hard-links', paths: paths.slice(0, MOST_NAMES), count: paths.length }]
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A path that cannot be read is reported by the apply, if it comes to that.
    if (errorCode(error) !== '') return undefined
    throw error
  }
}
