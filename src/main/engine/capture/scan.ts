/**
 * A scan: compares a folder on disk with the recorded heads by stat alone and yields the paths worth reading. It writes
 * nothing. Its parts are generators, so that the driver can pause between steps.
 *
 * findings.ts: what is reported; row-compare.ts: one recorded row; tree-walk.ts: whole folders; this module: given paths.
 */
import { detectReliableFolderTimes } from '../files/folder-times.ts'
import { foldersAbove, nameOf, parentOf } from '../files/paths.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { createFindings, type FindingSteps, type FindingsOptions } from './findings.ts'
import { isNeverRecorded } from './recordable-names.ts'
import { createRowComparer } from './row-compare.ts'
import { createScanNotes, type ScanNotes, statOrNote } from './scan-notes.ts'
import { isUnchanged } from './stat-compare.ts'
import { createTreeWalk } from './tree-walk.ts'

export interface Scanner {
  readonly notes: ScanNotes
  /** Everything at and below a folder ('' = all). */
  tree(folder: string): FindingSteps
  /** Exactly these paths and what follows from them: unknown parents, everything below a folder that appeared or vanished. */
  paths(paths: Iterable<string>): FindingSteps
}

export interface ScanOptions extends FindingsOptions {
  readonly root: string
  /** Trust no stat: report every file, so that it is read again. */
  readonly deep?: boolean
}

export function createScanner(options: ScanOptions): Scanner {
  const { root, records, rules, boundaries, named, deep = false } = options
  const notes = createScanNotes()
  const findings = createFindings(options)
  const fs = createWorkspaceFs(root)
  const compareOptions = { records, boundaries, deep, fs, notes, findings }
  const rows = createRowComparer(compareOptions)
  const timesReliable = detectReliableFolderTimes(root)
  const tree = createTreeWalk({ ...compareOptions, root, rows, timesReliable })

  function* paths(requested: Iterable<string>): FindingSteps {
    for (const path of withUnknownParents(requested)) {
      if (path === '') yield* tree('')
      else yield* comparePath(path)
    }
  }

  /** Sorted, so that parents come first. */
  const withUnknownParents = (requested: Iterable<string>): string[] => {
    const all = new Set<string>()
    for (const path of requested) {
      for (const folder of foldersAbove(path)) {
        if (!records.head(folder)) all.add(folder)
      }
      all.add(path)
    }
    return [...all].sort()
  }

  function* comparePath(path: string): FindingSteps {
    const hidden = hiddenBelow(path)
    if (isNeverRecorded(nameOf(path)) || hidden === 'never') return
    const head = records.head(path)
    if (hidden === 'ignored' && head === null && !named?.has(path)) return
    const stat = statOrNote(notes, path, () => fs.stat(path))
    if (stat === 'unreadable') return
    notes.compared++
    if (!stat) {
      if (head) yield* rows.removed(head)
      return
    }
    const same = head !== null && isUnchanged(head, stat, deep)
    if (!same) {
      yield* findings.report(path, head, stat)
      if (head?.signature?.kind === 'dir' && stat.kind !== 'dir') yield* rows.removedBelow(path)
    }
    // A folder that appeared brings everything below it.
    if (stat.kind === 'dir' && !hidden && !(same && head.covered) && findings.folderReason(path, head) === null) {
      if (same && rows.isExcludedFolder(head)) yield* findings.report(path, head, stat)
      yield* tree(path)
    }
    yield null
  }

  /** `never`: below `.git` or in another workspace. `ignored`: below an ignored folder of which nothing is recorded. */
  const hiddenBelow = (path: string): 'never' | 'ignored' | null => {
    let ignored = false
    for (const folder of foldersAbove(path)) {
      if (isNeverRecorded(nameOf(folder)) || boundaries.has(folder)) return 'never'
      const head = records.head(folder)
      if (head?.version != null && records.version(head.version).notStored === null) continue
      if (rules.ignoresDir(folder)) ignored = true
    }
    if (parentOf(path) !== '' && boundaries.has(path)) return 'never'
    return ignored ? 'ignored' : null
  }

  return { notes, tree, paths }
}
