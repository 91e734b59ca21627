/** Drops folders from a list of changes that the files in them imply. */
import type { PathChange } from './types.ts'

/** A created or deleted folder is implied by its files. An empty folder, or a changed mode, is listed. */
export function withoutImpliedFolders(changes: readonly PathChange[]): PathChange[] {
  const implied = new Set<string>()
  for (const change of changes) {
    for (const path of [change.path, change.oldPath]) {
      for (let at = path?.lastIndexOf('/') ?? -1; at > 0; at = path?.lastIndexOf('/', at - 1) ?? -1)
        implied.add((path as string).slice(0, at))
    }
  }
  const isCreatedOrDeleted = (change: PathChange): boolean =>
    (change.before.kind === 'dir' && change.after.kind === 'absent') ||
    (change.before.kind === 'absent' && change.after.kind === 'dir')
  return changes.filter((change) => !(isCreatedOrDeleted(change) && implied.has(change.path)))
}
