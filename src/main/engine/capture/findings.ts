/**
 * One scan and its findings: paths whose recorded version may be out of date, with how much of each to read. Decides
 * coverage: whether a folder is entered, and the size limit of a file.
 */
import type { NotStoredReason } from '../../../contract/log.ts'
import { detectReliableFolderTimes } from '../files/folder-times.ts'
import { isUnreadable } from '../files/fs-errors.ts'
import { type Signature, sameSignature } from '../files/signature.ts'
import { createWorkspaceFs, type Images, type WorkspaceFs } from '../files/workspace-fs.ts'
import type { ScanObserver } from '../ports/scan-observer.ts'
import type { Head } from '../store/paths.ts'
import type { Records } from '../store/records.ts'
import type { StoredVersion } from '../store/versions.ts'
import { type CoverRules, limitOf } from './ignore-rules.ts'
import type { ObserveOptions } from './observe.ts'
import { OWN_THREAD, type StatSource } from './stat-service.ts'

export interface Finding extends Omit<ObserveOptions, 'readAt'> {
  readonly path: string
  /** The path has another stat than the recorded one, or none is recorded. */
  readonly differs?: boolean
}

/** Yields null where nothing was found, so that the driver can pause there. */
export type FindingSteps = Generator<Finding | null>

interface ScanOptions {
  readonly root: string
  readonly records: Records
  readonly rules: CoverRules
  /** Folders that are recorded on their own, or hold our data: named, not entered. */
  readonly boundaries: ReadonlySet<string>
  /** [CP-1] Paths a tool names: compared even where everything else is ignored. */
  readonly named: ReadonlySet<string>
  /** Trust no stat: report every file, so that it is read again. */
  readonly deep: boolean
  /** Paths as they were at an earlier time, in place of the disk. */
  readonly images?: Images | undefined
  /** ms UTC */
  readonly now: () => number
  /** Absent for a scan that begins no watch. */
  readonly observer?: ScanObserver | null | undefined
  readonly stats?: StatSource | null | undefined
}

export interface Scan extends ScanOptions {
  readonly stats: StatSource
  readonly fs: WorkspaceFs
  readonly notes: ScanNotes
  /** Whether a folder's times tell that a name in it changed; false on some file systems (folder-times.ts). */
  readonly timesReliable: (path: string) => boolean
  /** Paths that this scan reported as present, and as absent. */
  readonly reported: { readonly present: Set<string>; readonly absent: Set<string> }
}

/** What a scan learns besides its findings; paths are root-relative. */
export interface ScanNotes {
  /**
   * Folders whose names were all read, with the stat taken before the listing, and the `statAt` to record with it: the next scan
   * may skip the listing.
   */
  readonly listed: { readonly path: string; readonly signature: Signature; readonly statAt: number }[]
  /** Names that are not valid UTF-8, in printable form. */
  readonly unnameable: string[]
  readonly unreadable: string[]
  /** `.git` folders of subfolders. */
  readonly repositories: string[]
  /** Paths compared so far. */
  compared: number
}

export function createScan(options: ScanOptions): Scan {
  return {
    ...options,
    stats: options.stats ?? OWN_THREAD,
    fs: createWorkspaceFs(options.root, options.images),
    notes: { listed: [], unnameable: [], unreadable: [], repositories: [], compared: 0 },
    timesReliable: detectReliableFolderTimes(options.root),
    reported: { present: new Set(), absent: new Set() }
  }
}

/**
 * Yields the finding unless this scan reported the path before. `stat`: what is on disk now, null = nothing. A path that was
 * there and is gone by now is reported once more: below a folder that is recorded as absent nothing is compared.
 */
export function* report(scan: Scan, path: string, head: Head | null, stat: Signature | null): FindingSteps {
  const reported = stat === null ? scan.reported.absent : scan.reported.present
  if (reported.has(path)) return
  reported.add(path)
  if (stat?.kind === 'dir') {
    yield { path, limit: 0, folderReason: folderReason(scan, path, head) }
    return
  }
  const version = headVersion(scan, head)
  const wasStored = version !== null && version.notStored !== 'ignored' && version.kind !== 'absent'
  const differs = stat !== null && (!head?.signature || !sameSignature(head.signature, stat))
  yield { path, ...limitOf(scan.rules, path, wasStored), previous: version?.content ?? null, differs }
}

/** Why a folder is not entered; null = it is. */
export function folderReason(scan: Scan, path: string, head: Head | null): NotStoredReason | null {
  if (scan.boundaries.has(path)) return 'workspace'
  if (scan.named.has(path)) return null
  return !wasEntered(scan.records, head) && scan.rules.ignoresDir(path) ? 'ignored' : null
}

/** [LG-5] A folder that was entered once stays covered, whatever the ignore rules say now. */
export function wasEntered(records: Records, head: Head | null): boolean {
  const version = headVersion({ records }, head)
  return version?.kind === 'dir' && version.notStored === null
}

/** The newest recorded version of a path; null while it has none. */
export function headVersion({ records }: Pick<Scan, 'records'>, head: Head | null): StoredVersion | null {
  return head?.version == null ? null : records.version(head.version)
}

/** The result of `stat`, or 'unreadable' after noting the path: its version is unknown, never absent. */
export function statOrNote(
  { notes }: Scan,
  path: string,
  stat: () => Signature | null
): Signature | null | 'unreadable' {
  try {
    return stat()
  } catch (error) {
    if (!isUnreadable(error)) throw error
    notes.unreadable.push(path)
    return 'unreadable'
  }
}
