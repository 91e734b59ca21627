/**
 * Compares recorded rows with what is at their paths now. Follows what a difference implies for the rows below a
 * folder.
 */
import type { Signature } from '../files/signature.ts'
import type { Head } from '../store/paths.ts'
import { type FindingSteps, folderReason, headVersion, report, type Scan, statOrNote } from './findings.ts'
import { isUnchanged } from './stat-compare.ts'

/** A folder that is still to be entered, with what is known about it already. */
export interface PendingFolder {
  readonly path: string
  readonly stat: Signature | null
  readonly head: Head | null
}

/** Compares one row; a folder whose content is covered is added to `pending`. */
export function* compareRow(
  scan: Scan,
  row: Head,
  stat: Signature | null | 'unreadable',
  pending: PendingFolder[]
): FindingSteps {
  scan.notes.compared++
  if (stat === 'unreadable') return
  if (stat === null) {
    yield* reportAbsent(scan, row)
    return
  }
  const same = isUnchanged(row, stat, scan.deep)
  if (!same) yield* reportChanged(scan, row, stat)
  if (stat.kind === 'dir') yield* compareFolder(scan, row, stat, same, pending)
}

/** What differs. If it was a folder and is none any more, everything below it is gone. */
export function* reportChanged(scan: Scan, row: Head, stat: Signature): FindingSteps {
  if (row.signature?.kind === 'dir' && stat.kind !== 'dir') yield* reportBelow(scan, row.path)
  yield* report(scan, row.path, row, stat)
}

/** Nothing is at the path any more. Unless that is what its row says, the row and everything below it is reported. */
export function* reportAbsent(scan: Scan, row: Head): FindingSteps {
  const kind = headVersion(scan, row)?.kind
  if (row.signature === null && kind === 'absent') return
  if (row.signature?.kind === 'dir' || kind === undefined || kind === 'dir') yield* reportBelow(scan, row.path)
  yield* report(scan, row.path, row, null)
}

/**
 * Before the folder itself, so that a process that dies in between leaves it as one that differs: below a row that is no
 * folder nothing is compared.
 */
function* reportBelow(scan: Scan, folder: string): FindingSteps {
  for (const row of scan.records.below(folder))
    if (headVersion(scan, row)?.kind !== 'absent') yield* report(scan, row.path, row, null)
}

/** The folder is recorded by name only. */
export function isExcludedFolder(scan: Scan, row: Head): boolean {
  const version = headVersion(scan, row)
  return version?.kind === 'dir' && version.notStored !== null
}

/** Enters a covered folder. The row itself is reported where the reason for not entering it changed. */
function* compareFolder(scan: Scan, row: Head, stat: Signature, same: boolean, pending: PendingFolder[]): FindingSteps {
  const reason = same && row.covered ? null : folderReason(scan, row.path, row)
  if (reason === null && !scan.boundaries.has(row.path)) {
    if (same && isExcludedFolder(scan, row)) yield* report(scan, row.path, row, stat)
    pending.push({ path: row.path, stat, head: row })
    return
  }
  scan.observer?.skip(row.path)
  const version = headVersion(scan, row)
  if (same && version !== null && version.notStored !== reason) yield* report(scan, row.path, row, stat)
  if (reason === 'ignored') yield* compareTracked(scan, row.path)
}

/** [LG-5] Once tracked, always tracked: recorded paths are compared even in a folder that is not entered. */
function* compareTracked(scan: Scan, folder: string): FindingSteps {
  for (const row of scan.records.below(folder)) {
    if (row.version === null) continue
    const stat = statOrNote(scan, row.path, () => scan.fs.stat(row.path))
    scan.notes.compared++
    if (stat === 'unreadable') continue
    if (stat === null) yield* reportAbsent(scan, row)
    else if (!isUnchanged(row, stat, scan.deep)) yield* report(scan, row.path, row, stat)
  }
}
