/** What the phases of applying a plan pass along. */
import { lstatSync } from 'node:fs'
import type { FileVersion } from '../../../contract/log.ts'
import type { ItemAction } from '../../../contract/restore.ts'
import type { Signature } from '../files/signature.ts'
import { errorCode, isUnreadable } from '../ports/fs-errors.ts'

export interface ApplyItem {
  readonly n: number
  readonly path: string
  readonly action: Exclude<ItemAction, 'keep'>
  readonly before: FileVersion
  readonly after: FileVersion
  /** Stat recorded with `before`; null = absent. */
  readonly expected: Signature | null
}

export interface Applied {
  readonly n: number
  readonly path: string
  readonly result: 'done' | 'failed' | 'kept'
  readonly reason: string
  /** Stat of what was written; null when absent or failed. */
  readonly signature: Signature | null
}

/** Named moments a crash test may kill the process at. */
export type ApplyPoint =
  | 'staged'
  | 'looked'
  | 'aside'
  | 'placed'
  | 'removed'
  | 'modes'
  | 'verified'
  /** After the n-th change of a phase. */
  | `${'aside' | 'made' | 'placed' | 'removed' | 'modes'}:${number}`

export interface ApplyOptions {
  readonly root: string
  readonly restore: string
  readonly items: readonly ApplyItem[]
  /** Exact bytes of `after`, in pieces. Throws NotStored or StoreDamaged. */
  content(item: ApplyItem, take: (piece: Buffer) => void): void
  progress(phase: 'stage' | 'write' | 'verify', done: number, path: string): void
  /** Called between `look` and the first change: the journal says from here on that files may have changed. */
  committed(): void
  /** Called when something of ours could not be taken away again; the journal has to stay open until it can. */
  left(): void
  /** Called when the disk turns out to keep no permissions: what was written has those the disk gives. */
  withoutModes(): void
  point?(point: ApplyPoint): void
}

/** Files and folders worked on at once. */
export const IN_FLIGHT = 16

export interface ApplyState {
  readonly options: ApplyOptions
  /** Root-relative places of staged files that are not in place yet. */
  readonly staged: Map<number, string>
  /** Folder or file moved out of the way: its path -> where it lies now, both root-relative. */
  readonly aside: Map<string, string>
  /** Paths that leave a name which the plan wants in another spelling, on a disk that takes both for one: moved aside first. */
  readonly makingWay: Set<string>
  /** What a person should know of an item that is done all the same. */
  readonly notes: Map<number, string>
  /** What this plan put in place, as `entryOf` names it. */
  readonly written: Set<string>
  /** What this plan replaced or took a name of away, as `entryOf` names it. */
  readonly unlinked: Set<string>
  readonly touchedFolders: Set<string>
  readonly results: Map<number, Applied>
  keepsModes: boolean
  /** Where the folder lay when this began, as `diskOf` tells. */
  readonly disk: number | null
}

export function createState(options: ApplyOptions): ApplyState {
  return {
    options,
    staged: new Map(),
    aside: new Map(),
    makingWay: new Set(),
    notes: new Map(),
    written: new Set(),
    unlinked: new Set(),
    touchedFolders: new Set(),
    results: new Map(),
    keepsModes: true,
    disk: diskOf(options.root)
  }
}

export const isContent = (item: ApplyItem): boolean =>
  item.after.kind === 'symlink' || (item.after.kind === 'file' && item.action !== 'mode')

export function fail(state: ApplyState, item: ApplyItem, reason: string, result: 'failed' | 'kept' = 'failed'): void {
  state.results.set(item.n, { n: item.n, path: item.path, result, reason, signature: null })
}

export const failed = (state: ApplyState, item: ApplyItem): boolean => state.results.has(item.n)

/** The disk a folder lies on; null when it is gone or out of reach. */
export function diskOf(root: string): number | null {
  try {
    return lstatSync(root, { throwIfNoEntry: false })?.dev ?? null
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

/** Sets permission bits and looks whether they are there; a disk that has none takes them without a word, or refuses. */
export function setMode(state: ApplyState, wanted: number, set: () => void, look: () => number): void {
  try {
    set()
  } catch (error) {
    if (!['ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'].includes(errorCode(error))) throw error
  }
  // Bits beyond these may be withheld where all others are kept.
  if ((look() & 0o777) !== (wanted & 0o777)) state.keepsModes = false
}
