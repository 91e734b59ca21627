/**
 * A scan: compares a folder on disk with the recorded heads by stat alone and yields the paths worth reading. It writes
 * nothing. Its parts are generators, so that the driver can pause between steps.
 *
 * findings.ts: what is reported; row-compare.ts: one recorded row; tree-walk.ts: whole folders; this module: given
 * paths.
 */
import { foldersAbove, nameOf, parentOf } from '../files/paths.ts'
import { type FindingSteps, folderReason, headVersion, report, type Scan, statOrNote } from './findings.ts'
import { isNeverRecorded, isRepositoryBelow } from './recordable-names.ts'
import { isExcludedFolder, reportAbsent, reportChanged } from './row-compare.ts'
import { isUnchanged } from './stat-compare.ts'
import { walkTree } from './tree-walk.ts'

/**
 * Exactly these paths and what follows from them: unknown parents, everything below a folder that appeared or vanished.
 */
export function* scanPaths(scan: Scan, requested: Iterable<string>): FindingSteps {
  const all = new Set(requested)
  for (const folder of new Set([...all].flatMap(foldersAbove))) if (!scan.records.head(folder)) all.add(folder)
  const hiddenBelow = createHiddenBelow(scan)
  // Sorted, so that parents come first.
  for (const path of [...all].sort()) {
    if (path === '') yield* walkTree(scan, '')
    else {
      const folder = parentOf(path)
      const isBoundary = folder !== '' && scan.boundaries.has(path)
      yield* comparePath(scan, path, isBoundary ? 'never' : hiddenBelow(folder))
    }
  }
}

/** A path with everything below it. [CP-9] Nothing where that is recorded elsewhere: it may have been watched before. */
export function* scanTree(scan: Scan, tree: string): FindingSteps {
  yield* scanPaths(scan, [tree])
  if (createHiddenBelow(scan)(tree) !== 'never') yield* walkTree(scan, tree)
}

function* comparePath(scan: Scan, path: string, hidden: Hidden): FindingSteps {
  if (isNeverRecorded(nameOf(path))) {
    // [GT-12] The watch reports it although it is never recorded.
    const isFound = hidden === null && isRepositoryBelow(scan.root, parentOf(path), nameOf(path))
    if (isFound) scan.notes.repositories.push(path)
    return
  }
  if (hidden === 'never') return
  const head = scan.records.head(path)
  if (hidden === 'ignored' && head === null && !scan.named.has(path)) return
  const stat = statOrNote(scan, path, () => scan.fs.stat(path))
  if (stat === 'unreadable') return
  scan.notes.compared++
  if (!stat) {
    if (head) yield* reportAbsent(scan, head)
    return
  }
  const same = head !== null && isUnchanged(head, stat, scan.deep)
  if (head === null) yield* report(scan, path, null, stat)
  else if (!same) yield* reportChanged(scan, head, stat)
  // A folder that appeared brings everything below it.
  if (stat.kind === 'dir' && !hidden && !(same && head.covered) && folderReason(scan, path, head) === null) {
    if (same && isExcludedFolder(scan, head)) yield* report(scan, path, head, stat)
    yield* walkTree(scan, path)
  }
  yield null
}

/** `never`: below `.git` or in another workspace. `ignored`: below an ignored folder of which nothing is recorded. */
type Hidden = 'never' | 'ignored' | null

/** Judges each folder once, by what was recorded when the first path below it was compared. */
function createHiddenBelow(scan: Scan): (folder: string) => Hidden {
  const { records, rules, boundaries } = scan
  const known = new Map<string, Hidden>([['', null]])
  const judge = (folder: string): Hidden => {
    const above = hiddenBelow(parentOf(folder))
    if (above === 'never' || isNeverRecorded(nameOf(folder)) || boundaries.has(folder)) return 'never'
    const isEntered = headVersion(scan, records.head(folder))?.notStored === null
    return !isEntered && rules.ignoresDir(folder) ? 'ignored' : above
  }
  const hiddenBelow = (folder: string): Hidden => {
    const before = known.get(folder)
    if (before !== undefined) return before
    const hidden = judge(folder)
    known.set(folder, hidden)
    return hidden
  }
  return hiddenBelow
}
