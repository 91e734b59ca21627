/** State shared by the phases of `apply.ts`: what is staged, moved aside and written, and the result of each item. */
import { chmodSync, fchmodSync, fstatSync, lstatSync, type Stats, statSync } from 'node:fs'
import type { FileVersion } from '../../../contract/log.ts'
import type { ItemAction, ItemReason, PlanItem } from '../../../contract/restore.ts'
import { errorCode, isUnreadable } from '../files/fs-errors.ts'
import type { Patience } from '../files/in-use.ts'
import { changeNames } from '../files/read-only.ts'
import type { Signature } from '../files/signature.ts'
import type { DiskSync } from '../files/sync-disks.ts'
import type { WorkspaceFs } from '../files/workspace-fs.ts'
import type { StoredVersion } from '../store/versions.ts'
import { fsErrorReason } from './fs-error-reason.ts'

export interface ApplyItem extends Pick<PlanItem, 'path' | 'before'> {
  readonly after: StoredVersion
  /** Number in the journal; part of the names of staged files. */
  readonly n: number
  readonly action: Exclude<ItemAction, 'keep'>
  /** The edit that the path returns to. */
  readonly base: number
  /** Stat recorded with `before`; null = absent. */
  readonly expected: Signature | null
  /** Of a file: its stat when the plan was made; null if it was not taken. */
  readonly stats: Stats | null
  /** [RS-20] The item that gets the content of this path under another name; null if it is not moved. */
  readonly movedTo: Pick<ApplyItem, 'n' | 'path'> | null
}

export interface AppliedItem {
  readonly n: number
  readonly path: string
  readonly result: 'done' | 'failed' | 'kept'
  /** Why it failed or was kept; for `done` a note, or null. */
  readonly reason: ItemReason | null
  /** Stat of what was written; null when absent or failed. */
  readonly signature: Signature | null
  /** To be recorded with it, as of an observation. */
  readonly statAt: number
}

/** Named moments at which a crash test may kill the process. */
export type ApplyPoint =
  | 'staged'
  | 'checked'
  | 'aside'
  | 'placed'
  | 'removed'
  | 'modes'
  | 'verified'
  /** After the n-th change of a phase. */
  | `${'aside' | 'made' | 'placed' | 'removed' | 'modes' | 'git'}:${number}`

export interface ApplyOptions {
  readonly root: string
  /** Id of the restore; part of the names of staged files. */
  readonly restore: string
  /** Sorted by path, so that folders precede what they contain. */
  readonly items: readonly ApplyItem[]
  /** Streams the exact bytes of `after`. Throws NotStored or StoreDamaged. */
  content(item: ApplyItem, take: (piece: Buffer) => void): void
  progress(phase: 'stage' | 'write' | 'verify', done: number, path: string): void
  /** Called between the checks and the first change. Removes what is no item, and would keep a folder from being removed. */
  beforeChanges(): Promise<void>
  /** [RS-15] For files in use. */
  readonly patience: Patience
  point?: ((point: ApplyPoint) => void) | undefined
}

/** Files and folders processed at once. */
export const IN_FLIGHT = 16

/** A new folder's mode until its content is in place: private, and writable even if the recorded mode is not. */
export const NEW_FOLDER_MODE = 0o700

export interface ApplyState {
  readonly options: ApplyOptions
  /** As whom we run; undefined on Windows. */
  readonly user: number | undefined
  /** Item number -> root-relative path of its staged file that is not in place yet. */
  readonly staged: Map<number, string>
  /** Root-relative path of a file or folder that was moved aside -> its current path. */
  readonly aside: Map<string, string>
  /**
   * On a case-insensitive disk: present paths whose name the plan needs in another spelling. They are moved aside
   * first.
   */
  readonly displacedSpellings: Set<string>
  /** Item number -> a note for the user on an item that succeeded. */
  readonly notes: Map<number, ItemReason>
  readonly changing: ChangingFolders
  /** Whether the plan removes a path. */
  readonly removes: boolean
  /** Files this plan put in place, as `identityOf` names them, if it removes a path. */
  readonly written: Set<string>
  /** Inode numbers of files this plan replaced or removed one name of, or is about to. */
  readonly unlinked: Set<number>
  readonly touchedFolders: Set<string>
  /** Opened once many files are to be synced. */
  disk: Promise<DiskSync | null> | null
  readonly results: Map<number, AppliedItem>
  /** False when the disk turns out to store no permissions: written files have those that the disk gives. */
  supportsModes: boolean
  /** The first change was made, or may have been. */
  committed: boolean
  /** A staged or moved file could not be cleaned up. The journal has to stay open until a recovery does it. */
  leftover: boolean
  /** The root's device at the start, from `deviceOf`. */
  readonly device: number | null
}

export function createState(options: ApplyOptions): ApplyState {
  return {
    options,
    user: process.geteuid?.(),
    staged: new Map(),
    aside: new Map(),
    displacedSpellings: new Set(),
    notes: new Map(),
    changing: changingFolders(options.items),
    removes: options.items.some((item) => item.after.kind === 'absent'),
    written: new Set(),
    unlinked: new Set(),
    touchedFolders: new Set(),
    disk: null,
    results: new Map(),
    supportsModes: true,
    committed: false,
    leftover: false,
    device: deviceOf(options.root)
  }
}

/**
 * [RS-16] Folders that the plan removes, replaces or gives another mode. If one of them is read-only, it refuses no change of
 * its names; any other read-only folder does.
 */
export type ChangingFolders = ReadonlySet<string>

export function changingFolders(
  items: readonly { readonly path: string; readonly before: FileVersion; readonly after: FileVersion }[]
): ChangingFolders {
  const isChanging = (before: FileVersion, after: FileVersion): boolean =>
    before.kind === 'dir' && (after.kind !== 'dir' || after.mode !== before.mode)
  return new Set(items.filter(({ before, after }) => isChanging(before, after)).map(({ path }) => path))
}

/** Changes names in `folder`, whose root-relative path is `path`. */
export function changeNamesIn<T>(changing: ChangingFolders, path: string, folder: WorkspaceFs, change: () => T): T {
  return changing.has(path) ? changeNames(folder.absolute(''), change) : change()
}

/** Whether the item writes a file or a link, which is staged first. */
export const isContent = (item: ApplyItem): boolean =>
  item.after.kind === 'symlink' || (item.after.kind === 'file' && item.action !== 'mode')

export function fail(
  state: ApplyState,
  item: ApplyItem,
  reason: ItemReason,
  result: 'failed' | 'kept' = 'failed'
): void {
  state.results.set(item.n, { n: item.n, path: item.path, result, reason, signature: null, statAt: 0 })
}

/** Fails an item with the reason of a file system error. */
export const failWith =
  (state: ApplyState) =>
  (item: ApplyItem, error: unknown): void =>
    fail(state, item, fsErrorReason(error))

/** Before verification a result means failed or kept: the later phases skip the item. */
export const failed = (state: ApplyState, item: ApplyItem): boolean => state.results.has(item.n)

/** The device number of a folder; null when the folder is gone or unreachable. */
export function deviceOf(root: string): number | null {
  try {
    return lstatSync(root, { throwIfNoEntry: false })?.dev ?? null
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/**
 * Sets the permission bits of a path or an open file where they differ, and reads them back: a disk without permissions either
 * ignores the call silently or refuses it.
 */
export function setMode(state: ApplyState, file: string | number, mode: number): void {
  const bits = (): number => (typeof file === 'number' ? fstatSync(file) : statSync(file)).mode & 0o7777
  if (bits() === mode) return
  try {
    if (typeof file === 'number') fchmodSync(file, mode)
    else chmodSync(file, mode)
  } catch (error) {
    if (!['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error))) throw error
  }
  // Only rwx: setuid, setgid and sticky may be dropped on a disk that stores all other bits.
  if ((bits() & 0o777) !== (mode & 0o777)) state.supportsModes = false
}
