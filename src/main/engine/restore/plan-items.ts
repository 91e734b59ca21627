/** What a plan is made from, its items, and the few things that every step of planning does with them. Pure. */
import type { FileVersion } from '../../../contract/log.ts'
import type {
  Conflict,
  ConflictCause,
  ItemAction,
  PlanItem,
  PlanNote,
  Resolution,
  Resolutions
} from '../../../contract/restore.ts'

/** Everything known about one path that the restore may touch. */
export interface PathInput {
  readonly path: string
  /** The newest recorded version. It equals the disk, because plans are made after a check (CK-2). */
  readonly now: FileVersion
  readonly target: FileVersion
  /** The edit the path returns to, 0 = the initial snapshot. */
  readonly base: number
  /** Edits of other writers that returning to `target` would lose, newest first; empty = no conflict. */
  readonly foreign: Conflict['by']
  /** Why `foreign` is a conflict. */
  readonly foreignCause: ForeignCause
  /** The current content without the undone edits, if that is safe: what the resolution `merge` writes. */
  readonly merge: { readonly version: FileVersion } | null
  /**
   * Returning to `target` would be wrong, because a merge lies in between: only `merge` is correct, with or without
   * foreign edits.
   */
  readonly onlyByMerge: boolean
  /** Only some lines or hunks of it are undone. */
  readonly isPart?: boolean
  /** [LG-7] The file also returns to an earlier name. */
  readonly move: MoveBack | null
  /** The path takes the place of this one: counted as one file, but each is done alone. */
  readonly renamedFrom?: string | undefined
  /** Why the target must not be written, whatever a person decides. */
  readonly blocked?: PlanNote | null
}

/** `path` and `to` change together or not at all: `path` becomes `left`, and its content goes to `to`. */
export interface MoveBack {
  readonly to: string
  /** The newest recorded version at `to`. */
  readonly nowThere: FileVersion
  /** What `path` held before the file came, and the edit that made it. */
  readonly left: { readonly version: FileVersion; readonly base: number }
}

/** Conflicts caused by edits of other writers; the remaining causes are found by the plan itself. */
export type ForeignCause = Exclude<ConflictCause, 'not-storable' | 'undone-before' | 'whole-file'>

export interface PlanInput {
  readonly paths: readonly PathInput[]
  /** The newest recorded version of any path; absent when none is recorded. */
  nowOf(path: string): FileVersion
  /** Paths directly in a folder, '' = the root, that are recorded as present. */
  presentIn(folder: string): readonly string[]
  /** The last version in which an absent path was a folder, and the edit that made it (0 = the initial snapshot). */
  lastFolder(path: string): { readonly version: FileVersion; readonly base: number } | null
  /** Only on a disk that treats several spellings of a name as one: paths with equal folds cannot exist together. */
  fold?(path: string): string
  /** By path; override `defaultResolution`. */
  readonly resolutions: Resolutions
  readonly defaultResolution: Resolution
}

export interface PlannedItem extends PlanItem {
  readonly base: number
  /** The item writes a merge: later edits stay in force. */
  readonly merged: boolean
  /** False: the current content cannot be stored first, so this path cannot be undone. */
  readonly storable: boolean
  /** [LG-7] The path that the content comes from, which is done only together with this one. */
  readonly movedFrom: string | null
}

export interface Planned {
  /** Sorted by path, `keep` items included. */
  readonly items: readonly PlannedItem[]
  readonly conflicts: readonly Conflict[]
  /** Number of paths that already equal their target. */
  readonly unchanged: number
}

/** The items of a plan while it is made, by path. */
export type Items = Map<string, PlannedItem>

/** What it takes to get from one version to the other. */
export function actionFor(now: FileVersion, target: FileVersion): ItemAction {
  switch (target.kind) {
    case 'absent':
      return now.kind === 'dir' ? 'rmdir' : 'delete'
    case 'dir':
      return now.kind === 'dir' ? 'mode' : 'mkdir'
    case 'symlink':
      return 'link'
    default:
      if (now.kind === 'absent') return 'create'
      return now.kind === 'file' && now.hash !== null && now.hash === target.hash ? 'mode' : 'write'
  }
}

export function isChanged(item: PlannedItem | undefined): item is PlannedItem {
  return item !== undefined && item.action !== 'keep'
}

/** The path stays as it is, for this reason. */
export function keepItem(items: Items, item: PlannedItem, note: PlanNote): void {
  items.set(item.path, { ...item, action: 'keep', note, after: item.before })
}

export function sortedByPath<T extends { readonly path: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
