/**
 * [RS-1] Computes a restore plan from recorded facts: a pure function, so the same input gives the same plan, and its
 * hash tells whether a plan that a person has seen is still the one that would be applied. No I/O, no clock.
 *
 * A plan is made in three steps: each path by itself (keep, write or conflict), then folders, so that every written
 * file has its folder and no folder is removed that still contains something, then names that the disk cannot tell
 * apart.
 */
import type { FileVersion } from '../../../contract/log.ts'
import type {
  Conflict,
  ConflictCause,
  ItemAction,
  PlanItem,
  PlanNote,
  Resolution,
  Resolutions,
  UnstorableCause
} from '../../../contract/restore.ts'
import { foldersAbove } from '../files/paths.ts'
import { isProvablySame, isRestorable, sameVersion } from '../log/same-version.ts'
import { ABSENT } from '../store/fixed-versions.ts'

/** Everything known about one path that the restore may touch. */
export interface PathInput {
  readonly path: string
  /** The newest recorded version. It equals the disk, because plans are made after a check (CK-2). */
  readonly now: FileVersion
  readonly target: FileVersion
  /** The Edit the path returns to, 0 = the initial snapshot. */
  readonly base: number
  /** Edits of other writers that returning to `target` would lose, newest first; empty = no conflict. */
  readonly foreign: Conflict['by']
  /** Why `foreign` is a conflict. */
  readonly foreignCause: ForeignCause
  /** The current content without the undone Edits, if that is safe: what the resolution `merge` writes. */
  readonly merge: { readonly version: FileVersion } | null
  /**
   * Returning to `target` would be wrong, because a merge lies in between: only `merge` is correct, with or without
   * foreign Edits.
   */
  readonly onlyByMerge: boolean
  /** [LG-7] The file also returns to an earlier name. */
  readonly move: MoveBack | null
}

/** `path` and `to` change together or not at all: `path` becomes `left`, and its content goes to `to`. */
export interface MoveBack {
  readonly to: string
  /** The newest recorded version at `to`. */
  readonly nowThere: FileVersion
  /** What `path` held before the file came, and the Edit that made it. */
  readonly left: { readonly version: FileVersion; readonly base: number }
}

/** Conflicts caused by edits of other writers; the remaining causes are found by the plan itself. */
export type ForeignCause = Exclude<ConflictCause, 'not-storable' | 'undone-before'>

export interface PlanInput {
  readonly paths: readonly PathInput[]
  /** The newest recorded version of any path; absent when none is recorded. */
  nowOf(path: string): FileVersion
  /** Paths strictly below a folder that are recorded as present. */
  presentBelow(folder: string): readonly string[]
  /** The last version in which an absent path was a folder, and the Edit that made it (0 = the initial snapshot). */
  lastFolder(path: string): { readonly version: FileVersion; readonly base: number } | null
  /** Only on a disk that treats several spellings of a name as one: paths with equal folds cannot exist together. */
  fold?(path: string): string
  /** By path; override `defaultResolution`. */
  readonly resolutions: Resolutions
  readonly defaultResolution: Resolution
}

export interface PlannedItem extends PlanItem {
  readonly base: number
  /** The item writes a merge: later Edits stay in force. */
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

/** Mode of a folder that has to be created but was never recorded. */
const FOLDER_MODE = 0o755

export function planRestore(input: PlanInput): Planned {
  const items = new Map<string, PlannedItem>()
  const conflicts: Conflict[] = []
  let unchanged = 0
  for (const path of sortedByPath(input.paths)) {
    const { item, conflict } = planPath(path, input)
    if (conflict) conflicts.push(conflict)
    if (item) items.set(path.path, item)
    else unchanged++
  }
  const moves = planMoves(items, input)
  settleFolders(items, input)
  if (input.fold) separateSpellings(items, input, input.fold)
  keepBroken(items, moves)
  return { items: sortedByPath([...items.values()]), conflicts, unchanged }
}

interface PathPlan {
  /** Null when the path already equals its target. */
  readonly item: PlannedItem | null
  readonly conflict: Conflict | null
}

function planPath(path: PathInput, input: PlanInput): PathPlan {
  const { now, target, onlyByMerge } = path
  const unchanged = {
    path: path.path,
    before: now,
    after: now,
    base: path.base,
    merged: false,
    storable: true,
    movedFrom: null
  }
  const keep = (note: PlanNote, conflict: Conflict | null = null): PathPlan => ({
    item: { ...unchanged, action: 'keep', note },
    conflict
  })
  // [RS-9] Equal records of content that is not stored prove nothing: such a path must be listed as not restorable.
  if (!onlyByMerge && !path.move && sameVersion(now, target) && isProvablySame(now, target))
    return { item: null, conflict: null }
  const obstacle = onlyByMerge ? null : whyNotRestorable(target)
  if (obstacle) return keep(obstacle)

  const unstorable = whyNotStorable(now)
  const conflict = findConflict(path, input, unstorable)
  if (conflict?.choice === 'keep') return keep({ code: 'conflict', cause: conflict.cause }, conflict)
  const isKept = [path.path, path.move?.to].some((name) => name !== undefined && input.resolutions[name] === 'keep')
  if (!conflict && isKept) return keep({ code: 'keep-requested' })

  const resolution = conflict?.choice ?? (onlyByMerge ? 'merge' : 'replace')
  const merge = resolution === 'merge' ? path.merge : null
  const after = merge ? merge.version : target
  if (!path.move && sameVersion(now, after)) return keep({ code: 'nothing-left' }, conflict)
  const keepsOthers = merge !== null && path.foreign.length > 0
  const note: PlanNote | null = unstorable ? { code: 'no-undo' } : keepsOthers ? { code: 'merged' } : null
  const item = { ...unchanged, action: actionFor(now, after), note, after, merged: merge !== null }
  return { item: { ...item, storable: unstorable === null }, conflict }
}

/**
 * [RS-20] Replaces the item of each moved path, which holds the new content, by two: the old name gets that content, and
 * the path becomes what it was before the file came. A file stays where it is if its old name is in use, by something
 * that this plan does not remove. Returns the moves that are planned, by the path they start from.
 */
function planMoves(items: Map<string, PlannedItem>, input: PlanInput): ReadonlyMap<string, MoveBack> {
  const moves = new Map<string, MoveBack>()
  /** Old name -> the path that moves there. */
  const claims = new Map<string, string>()
  const targets = new Map(input.paths.map(({ path, target }) => [path, target]))
  const stay = (path: string, to: string): void => {
    moves.delete(path)
    keepItem(items, items.get(path) as PlannedItem, { code: 'name-in-use', path: to })
  }
  for (const { path, move } of sortedByPath(input.paths)) {
    if (!move || !isChanged(items.get(path))) continue
    if (claims.has(move.to)) stay(path, move.to)
    else {
      claims.set(move.to, path)
      moves.set(path, move)
    }
  }
  /** What is at the old name leaves it, or the plan itself gives it this content. */
  const isFree = (path: string, { to, nowThere }: MoveBack): boolean => {
    if (nowThere.kind === 'absent' || moves.has(to)) return true
    const there = items.get(to)
    const target = targets.get(path) as FileVersion
    return isChanged(there) && (there.after.kind === 'absent' || sameVersion(there.after, target))
  }
  // What stays keeps its name from the file that would move there. The list grows while it is walked.
  const doubtful = [...moves.keys()]
  for (const path of doubtful) {
    const move = moves.get(path)
    if (!move || isFree(path, move)) continue
    stay(path, move.to)
    const next = claims.get(path)
    if (next !== undefined) doubtful.push(next)
  }
  // The old name of a file that stays where it is must not get a copy. Both are listed if a person chose to keep it.
  for (const { path, move, target } of input.paths) {
    if (!move || moves.has(path) || moves.has(move.to)) continue
    const item = items.get(path) as PlannedItem
    const there = items.get(move.to)
    if (isChanged(there) && sameVersion(there.after, target)) keepItem(items, there, { code: 'moved-away', path })
    else if (!there && item.note?.code === 'keep-requested')
      keepItem(items, { ...item, path: move.to, before: move.nowThere }, item.note)
  }
  const placed = [...moves].map(([path, { to, nowThere }]): PlannedItem => {
    const item = items.get(path) as PlannedItem
    const action = actionFor(nowThere, item.after)
    return { ...item, path: to, before: nowThere, action, note: { code: 'moved-back', path }, movedFrom: path }
  })
  for (const [path, { to, left }] of moves) {
    const item = items.get(path) as PlannedItem
    const after = left.version
    const note = { code: 'moved-to', path: to } as const
    const action = actionFor(item.before, after)
    items.set(path, { ...item, after, action, note, base: left.base, merged: false, movedFrom: null })
  }
  // Last: in a swap each path is the old name of the other.
  for (const item of placed) items.set(item.path, item)
  return moves
}

function isChanged(item: PlannedItem | undefined): item is PlannedItem {
  return item !== undefined && item.action !== 'keep'
}

/** [LG-7] Neither half of a move is done alone. */
function keepBroken(items: Map<string, PlannedItem>, moves: ReadonlyMap<string, MoveBack>): void {
  for (let isSettled = false; !isSettled; ) {
    isSettled = true
    for (const [path, { to }] of moves) {
      const [from, there] = [items.get(path), items.get(to)]
      if (isChanged(from) === isChanged(there) || there?.movedFrom !== path) continue
      if (from && isChanged(from)) keepItem(items, from, { code: 'name-in-use', path: to })
      else keepItem(items, there, { code: 'no-replacement' })
      isSettled = false
    }
  }
}

/** The conflict of a path with the resolution that applies: the requested one if it is possible here, else `keep`. */
function findConflict(path: PathInput, input: PlanInput, unstorable: UnstorableCause | null): Conflict | null {
  // Only a merge would be correct, and none is safe.
  const stuck = path.onlyByMerge && !path.merge
  if (path.foreign.length === 0 && !unstorable && !stuck) return null
  const choices: Resolution[] = ['keep']
  if (path.merge) choices.push('merge')
  if (!path.onlyByMerge) choices.push('replace')
  const requested = input.resolutions[path.path] ?? (unstorable ? 'keep' : input.defaultResolution)
  const cause = unstorable ? 'not-storable' : stuck && path.foreign.length === 0 ? 'undone-before' : path.foreignCause
  return {
    path: path.path,
    cause,
    unstorable,
    by: path.foreign,
    choices,
    choice: choices.includes(requested) ? requested : 'keep',
    mergeable: path.merge !== null
  }
}

function actionFor(now: FileVersion, target: FileVersion): ItemAction {
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

/** [RS-9] [RS-12] Why a target cannot be written, null if it can. */
function whyNotRestorable(target: FileVersion): PlanNote | null {
  if (isRestorable(target)) return null
  if (target.kind === 'unknown') return { code: 'not-protected' }
  return target.kind === 'special' ? { code: 'special' } : { code: 'not-stored', reason: target.notStored }
}

/**
 * Why current content cannot be stored before it is replaced, or null. Size is no reason: the guard has no limit
 * (RS-9).
 */
function whyNotStorable(now: FileVersion): UnstorableCause | null {
  if (now.kind === 'special') return 'special'
  if (now.notStored === 'unreadable' || now.notStored === 'changing') return now.notStored
  return now.kind === 'dir' && now.notStored !== null ? 'folder' : null
}

/**
 * Makes the plan consistent with the tree: every written path gets its folders, a folder that still contains something
 * is kept, and nothing is written below a path that stays a file.
 */
function settleFolders(items: Map<string, PlannedItem>, input: PlanInput): void {
  const after = versionAfter(items, input)
  // Deepest first, so that a kept child keeps all folders above it.
  const removed = [...items.values()].filter((item) => item.before.kind === 'dir' && item.after.kind !== 'dir')
  for (const item of sortedByPath(removed).reverse()) {
    const present = input.presentBelow(item.path).find((path) => after(path).kind !== 'absent')
    if (present === undefined) continue
    keepItem(items, item, { code: 'still-contains', path: present.slice(item.path.length + 1) })
  }
  for (const item of sortedByPath([...items.values()]))
    if (item.action !== 'keep' && item.after.kind !== 'absent') ensureFolders(items, item, input)
}

function ensureFolders(items: Map<string, PlannedItem>, item: PlannedItem, input: PlanInput): void {
  const after = versionAfter(items, input)
  for (const folder of foldersAbove(item.path)) {
    const planned = after(folder)
    if (planned.kind === 'dir') continue
    const now = input.nowOf(folder)
    if (planned.kind === 'absent' && now.kind === 'absent') {
      const last = input.lastFolder(folder)
      items.set(folder, {
        path: folder,
        action: 'mkdir',
        note: { code: 'needed-folder' },
        before: ABSENT,
        after: last?.version ?? { ...ABSENT, kind: 'dir', mode: FOLDER_MODE },
        base: last?.base ?? 0,
        merged: false,
        storable: true,
        movedFrom: null
      })
    } else if (now.kind === 'dir') {
      // The plan would have removed the folder.
      keepItem(items, items.get(folder) as PlannedItem, { code: 'needed-folder' })
    } else {
      keepItem(items, item, { code: 'not-a-folder', path: folder })
      return
    }
  }
}

/**
 * [B22] Of the paths that this disk treats as one name, only one can exist. A present one is kept, and nothing is
 * written over it; of several new ones the first in path order is written.
 */
function separateSpellings(items: Map<string, PlannedItem>, input: PlanInput, fold: (path: string) => string): void {
  const after = versionAfter(items, input)
  /** Fold -> the path that has the name after the restore. */
  const owners = new Map<string, string>()
  for (const path of input.presentBelow('')) if (after(path).kind !== 'absent') owners.set(fold(path), path)
  /** Fold of a path that cannot be written -> the path it conflicts with. */
  const blocked = new Map<string, string>()
  for (const item of sortedByPath([...items.values()])) {
    if (item.action === 'keep' || item.before.kind !== 'absent') continue
    const key = fold(item.path)
    const blockedFolder = foldersAbove(item.path).find(
      (folder) => blocked.has(fold(folder)) && after(folder).kind === 'absent'
    )
    const owner = blockedFolder === undefined ? owners.get(key) : blocked.get(fold(blockedFolder))
    if (owner === undefined || owner === item.path) owners.set(key, item.path)
    else {
      keepItem(items, item, { code: 'same-name', path: owner })
      blocked.set(key, owner)
    }
  }
  // A path that was to be removed to free its name stays, since nothing takes the name.
  for (const item of items.values()) {
    if (item.action === 'keep' || item.after.kind !== 'absent' || !blocked.has(fold(item.path))) continue
    keepItem(items, item, { code: 'no-replacement' })
  }
}

/** The version of any path once the plan is applied. Reads `items` at each call, so it follows their changes. */
function versionAfter(items: ReadonlyMap<string, PlannedItem>, input: PlanInput): (path: string) => FileVersion {
  return (path) => items.get(path)?.after ?? input.nowOf(path)
}

function keepItem(items: Map<string, PlannedItem>, item: PlannedItem, note: PlanNote): void {
  items.set(item.path, { ...item, action: 'keep', note, after: item.before })
}

function sortedByPath<T extends { readonly path: string }>(list: readonly T[]): T[] {
  return list.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
