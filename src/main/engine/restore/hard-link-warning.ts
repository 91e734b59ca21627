/**
 * Warns of files that a plan replaces or deletes under some of their names only. A restore creates a new file for each path, so
 * other hard links keep the old content, and names outside the folder are never written.
 */
import { lstatSync, type Stats } from 'node:fs'
import { absoluteOf } from '../files/workspace-fs.ts'
import { errorCode } from '../ports/fs-errors.ts'
import type { PlannedItem } from './plan.ts'

/** Paths named in the sentence; more are counted as "others". */
const MOST_NAMES = 5

/** At most one sentence. */
export function hardLinkWarnings(root: string, items: readonly PlannedItem[]): string[] {
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
  const names = paths.slice(0, MOST_NAMES).join(', ')
  return [
    `Other hard links to the same file keep their current content: ${names}${paths.length > MOST_NAMES ? ' and others' : ''}.`
  ]
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
