/** Leaves out folders that their files already tell of. */
import type { PathChange } from './types.ts'

/** A folder that came or went with files in it is said by the files; an empty one, and a changed mode, by itself. */
export function withoutImpliedFolders(changes: readonly PathChange[]): PathChange[] {
  const implied = new Set<string>()
  for (const change of changes) {
    for (const path of [change.path, change.oldPath]) {
      for (let at = path?.lastIndexOf('/') ?? -1; at > 0; at = path?.lastIndexOf('/', at - 1) ?? -1)
        implied.add((path as string).slice(0, at))
    }
  }
  const comesOrGoes = (change: PathChange): boolean =>
    (change.before.kind === 'dir' && change.after.kind === 'absent') ||
    (change.before.kind === 'absent' && change.after.kind === 'dir')
  return changes.filter((change) => !(comesOrGoes(change) && implied.has(change.path)))
}
