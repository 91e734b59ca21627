/**
 * [RS-1] Computes a restore plan from recorded facts: a pure function, so the same input gives the same plan, and its
 * hash tells whether a plan that a person has seen is still the one that would be applied. No I/O, no clock.
 *
 * A plan is made in steps: each path by itself (keep, write or conflict); moved files, which return to their old names;
 * folders, so that every written file has its folder and no folder is removed that still contains something; names that
 * the disk cannot tell apart.
 */
import type { FileVersion } from '../../../contract/log.ts'
import type { Conflict, PlanNote, Resolution, UnstorableCause } from '../../../contract/restore.ts'
import { isProvablySame, isRestorable, sameVersion } from '../log/same-version.ts'
import {
  actionFor,
  type PathInput,
  type PlanInput,
  type Planned,
  type PlannedItem,
  sortedByPath
} from './plan-items.ts'
import { keepBroken, noteRenames, planMoves } from './plan-moves.ts'
import { keepBelowFiles, keepFilledFolders, separateSpellings, settleFolders } from './plan-tree.ts'

export function planRestore(given: PlanInput): Planned {
  const input = { ...given, paths: given.paths.map(withoutEmptyMove) }
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
  // A file that stays keeps its folder, nothing can be written below it, and each may be half of a move.
  do keepBroken(items, moves)
  while (keepFilledFolders(items, input) || keepBelowFiles(items))
  noteRenames(items, input)
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
  const obstacle = path.blocked ?? (onlyByMerge ? null : (whyNotRestorable(target) ?? whyNotReplaceable(now)))
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

/** Without the move of a file that is nowhere, now or then, because it was deleted since. */
function withoutEmptyMove(path: PathInput): PathInput {
  const { now, target, merge, onlyByMerge, move } = path
  if (!move) return path
  const after = onlyByMerge && merge ? merge.version : target
  const isEmpty = [now, after, move.left.version].every(({ kind }) => kind === 'absent')
  return isEmpty ? { ...path, move: null } : path
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
  const ownCause = path.isPart ? 'whole-file' : 'undone-before'
  const cause = unstorable ? 'not-storable' : stuck && path.foreign.length === 0 ? ownCause : path.foreignCause
  return {
    path: path.path,
    cause,
    unstorable,
    by: path.foreign,
    choices,
    choice: choices.includes(requested) ? requested : 'keep',
    mergeable: path.merge !== null,
    deletes: path.target.kind === 'absent' && (path.move?.left.version ?? path.target).kind === 'absent'
  }
}

/** [RS-9] [RS-12] Why a target cannot be written, null if it can. */
function whyNotRestorable(target: FileVersion): PlanNote | null {
  if (isRestorable(target)) return null
  if (target.kind === 'unknown') return { code: 'not-protected' }
  return target.kind === 'special' ? { code: 'special' } : { code: 'not-stored', reason: target.notStored }
}

/** [RS-4] An unprotected folder stays: nothing is known of what it holds. No decision could change that. */
function whyNotReplaceable(now: FileVersion): PlanNote | null {
  const isFolder = now.kind === 'dir' && now.notStored !== null && now.notStored !== 'unreadable'
  return isFolder ? { code: 'unprotected-folder' } : null
}

/**
 * Why current content cannot be stored before it is replaced, or null. Size is no reason: the guard has no limit
 * (RS-9).
 */
function whyNotStorable(now: FileVersion): UnstorableCause | null {
  if (now.kind === 'special') return 'special'
  return now.notStored === 'unreadable' || now.notStored === 'changing' ? now.notStored : null
}
