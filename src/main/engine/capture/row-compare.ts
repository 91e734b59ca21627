/** Compares recorded rows with what is at their paths now. Follows what a difference implies for the rows below a folder. */
import type { Signature } from '../files/signature.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import type { Head } from '../store/paths.ts'
import type { Records } from '../store/records.ts'
import type { FindingSteps, Findings } from './findings.ts'
import { type ScanNotes, statOrNote } from './scan-notes.ts'
import { isUnchanged } from './stat-compare.ts'

/** A folder that is still to be entered, with what is known about it already. */
export interface PendingFolder {
  readonly path: string
  readonly stat: Signature | null
  readonly head: Head | null
}

export interface RowCompareOptions {
  readonly records: Records
  readonly boundaries: ReadonlySet<string>
  readonly deep: boolean
  readonly fs: WorkspaceFs
  readonly notes: ScanNotes
  readonly findings: Findings
}

export interface RowComparer {
  /** Compares one row; a folder whose content is covered is added to `pending`. */
  compare(row: Head, stat: Signature | null | 'unreadable', pending: PendingFolder[]): FindingSteps
  /** Nothing is at the path any more: the row and everything below it is reported. */
  removed(row: Head): FindingSteps
  /** The folder is no folder any more: everything below it is gone. */
  removedBelow(folder: string): FindingSteps
  /** False for a row that is recorded as absent, so that its absence is no change. */
  wasPresent(row: Head): boolean
  /** The folder is recorded by name only. */
  isExcludedFolder(row: Head): boolean
}

export function createRowComparer(options: RowCompareOptions): RowComparer {
  const { records, boundaries, deep, fs, notes, findings } = options
  const { report, folderReason } = findings

  const wasPresent = (row: Head): boolean =>
    row.signature !== null || row.version === null || records.version(row.version).kind !== 'absent'

  const isExcludedFolder = (row: Head): boolean => {
    const version = row.version === null ? null : records.version(row.version)
    return version?.kind === 'dir' && version.notStored !== null
  }

  function* compare(row: Head, stat: Signature | null | 'unreadable', pending: PendingFolder[]): FindingSteps {
    notes.compared++
    if (stat === 'unreadable') return
    if (stat === null) {
      if (wasPresent(row)) yield* removed(row)
      return
    }
    const same = isUnchanged(row, stat, deep)
    if (!same) {
      yield* report(row.path, row, stat)
      if (row.signature?.kind === 'dir' && stat.kind !== 'dir') yield* removedBelow(row.path)
    }
    if (stat.kind === 'dir') yield* compareFolder(row, stat, same, pending)
  }

  /** Enters a covered folder. The row itself is reported where the reason for not entering it changed. */
  function* compareFolder(row: Head, stat: Signature, same: boolean, pending: PendingFolder[]): FindingSteps {
    const reason = same && row.covered ? null : folderReason(row.path, row)
    if (reason === null && !boundaries.has(row.path)) {
      if (same && isExcludedFolder(row)) yield* report(row.path, row, stat)
      pending.push({ path: row.path, stat, head: row })
      return
    }
    if (same && row.version !== null && records.version(row.version).notStored !== reason)
      yield* report(row.path, row, stat)
    if (reason === 'ignored') yield* compareTracked(row.path)
  }

  /** [LG-5] Once tracked, always tracked: recorded paths are compared even in a folder that is not entered. */
  function* compareTracked(folder: string): FindingSteps {
    for (const row of records.below(folder)) {
      if (row.version === null) continue
      const stat = statOrNote(notes, row.path, () => fs.stat(row.path))
      notes.compared++
      if (stat === 'unreadable') continue
      if (stat === null) {
        if (wasPresent(row)) yield* removed(row)
      } else if (!isUnchanged(row, stat, deep)) yield* report(row.path, row, stat)
    }
  }

  function* removed(row: Head): FindingSteps {
    yield* report(row.path, row, null)
    if (row.signature?.kind === 'dir' || row.version === null || records.version(row.version).kind === 'dir')
      yield* removedBelow(row.path)
  }

  function* removedBelow(folder: string): FindingSteps {
    for (const row of records.below(folder)) {
      if (row.version !== null && records.version(row.version).kind === 'absent') continue
      yield* report(row.path, row, null)
    }
  }

  return { compare, removed, removedBelow, wasPresent, isExcludedFolder }
}
