/**
 * [RS-20] The step of a plan that returns moved files to their old names. Pure. Both names change together or not at
 * all: a file stays where it is if its old name is in use by something that this plan does not remove.
 */
import type { FileVersion } from '../../../contract/log.ts'
import { sameVersion } from '../log/same-version.ts'
import {
  actionFor,
  type Items,
  isChanged,
  keepItem,
  type MoveBack,
  type PlanInput,
  type PlannedItem,
  sortedByPath
} from './plan-items.ts'

/** Moves of a plan, by the path they start from. */
type Moves = ReadonlyMap<string, MoveBack>

/**
 * Replaces the item of each moved path, which holds the new content, by two: the old name gets that content, and the
 * path becomes what it was before the file came. Returns the moves that are planned.
 */
export function planMoves(items: Items, input: PlanInput): Moves {
  const paths = withoutRemoved(items, input.paths)
  const moves = possibleMoves(items, paths)
  keepCopies(items, paths, moves)
  splitItems(items, moves)
  return moves
}

/** Without the files that are removed: they have no place at their old name, which may be another file's again. */
function withoutRemoved(items: Items, paths: PlanInput['paths']): PlanInput['paths'] {
  return paths.filter(({ path, move }) => {
    const item = items.get(path)
    if (!move || !isChanged(item) || item.after.kind !== 'absent') return true
    const { version, base } = move.left
    if (sameVersion(item.before, version)) items.delete(path)
    else items.set(path, { ...item, after: version, action: actionFor(item.before, version), base })
    return false
  })
}

/** The moves whose old name is free after the restore. The other files stay. */
function possibleMoves(items: Items, paths: PlanInput['paths']): Moves {
  const moves = new Map<string, MoveBack>()
  /** Old name -> the first path that moves there. */
  const claims = new Map<string, string>()
  const targets = new Map(paths.map(({ path, target }) => [path, target]))
  const stay = (path: string, to: string): void => {
    moves.delete(path)
    keepItem(items, items.get(path) as PlannedItem, { code: 'name-in-use', path: to })
  }
  for (const { path, move } of sortedByPath(paths)) {
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
  return moves
}

/**
 * The old name of a file that stays where it is must not get a copy. Where a person chose that it stays, its old name is
 * listed, too.
 */
function keepCopies(items: Items, paths: PlanInput['paths'], moves: Moves): void {
  const moved = new Set(paths.flatMap(({ path, move }) => (move ? [path] : [])))
  for (const { path, move, target } of paths) {
    if (!move || moves.has(path) || moved.has(move.to)) continue
    const item = items.get(path) as PlannedItem
    const there = items.get(move.to) ?? { ...item, path: move.to, before: move.nowThere }
    const isCopy = isChanged(there) && sameVersion(there.after, target)
    if (isCopy || there.note?.code === 'keep-requested') keepItem(items, there, { code: 'moved-away', path })
  }
}

function splitItems(items: Items, moves: Moves): void {
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
}

/** [LG-7] Neither half of a move is done alone: the steps after `planMoves` may have kept one of them. */
export function keepBroken(items: Items, moves: Moves): void {
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

/** Both names of a rename whose halves may be done alone get the notes of a move, if both change. */
export function noteRenames(items: Items, { paths }: PlanInput): void {
  for (const { path, renamedFrom } of paths) {
    const [to, from] = [items.get(path), items.get(renamedFrom ?? path)]
    if (to === from || !isChanged(to) || !isChanged(from) || to.note || from.note) continue
    items.set(to.path, { ...to, note: { code: 'moved-back', path: from.path } })
    items.set(from.path, { ...from, note: { code: 'moved-to', path: to.path } })
  }
}
