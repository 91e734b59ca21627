/** [RS-1] A restore plan as a pure function of recorded facts: the same facts give the same plan. No I/O, no clock. */
import type { FileVersion } from '../../../contract/log.ts'
import type { Choice, Conflict, ItemAction, PlanItem } from '../../../contract/restore.ts'
import { isRestorable, sameVersion, surelySame } from '../log/same-version.ts'
import { ABSENT } from '../store/fixed-versions.ts'

/** Everything known about one path that the restore may touch. */
export interface PathFacts {
  readonly path: string
  /** What is recorded now; it equals the disk, because plans are made after a check (CK-2). */
  readonly now: FileVersion
  readonly target: FileVersion
  /** The Edit the path returns to, 0 = the baseline. */
  readonly base: number
  /** Edits that going back would take from somebody else, newest first; empty = clean. */
  readonly foreign: readonly { readonly who: string; readonly title: string; readonly at: number }[]
  /** Said in the conflict, e.g. "changed outside after this point". */
  readonly foreignReason: string
  /** The present state without what is taken back, when that is safe: what the choice `merge` writes. */
  readonly merge: Merged | null
  /** Going back to `target` would be wrong (a merge lies in between): only `merge` is right, with or without foreign Edits. */
  readonly onlyByMerge: boolean
}

/** A state that is no recorded one. */
export interface Merged {
  readonly version: FileVersion
}

export interface PlanFacts {
  readonly paths: readonly PathFacts[]
  /** What is recorded now of any path; absent when it is not known. */
  nowOf(path: string): FileVersion
  /** Paths recorded as present strictly below a folder. */
  presentBelow(folder: string): readonly string[]
  /** The newest recorded state of an absent path as a folder, and the Edit that made it (0 = the baseline). */
  lastFolder(path: string): { readonly version: FileVersion; readonly base: number } | null
  /** Given on a disk that takes several spellings of a name for one: paths with equal folds cannot lie beside each other. */
  fold?(path: string): string
  readonly choices: Readonly<Record<string, Choice>>
  readonly defaultChoice: Choice
}

export interface PlannedItem extends PlanItem {
  readonly base: number
  /** The item writes a merge: later Edits stay in force. */
  readonly merged: boolean
}

export interface Planned {
  /** Sorted by path; `keep` items among them. */
  readonly items: readonly PlannedItem[]
  readonly conflicts: readonly Conflict[]
  readonly unchanged: number
}

const FOLDER_MODE = 0o755

export function planRestore(facts: PlanFacts): Planned {
  const items = new Map<string, PlannedItem>()
  const conflicts: Conflict[] = []
  let unchanged = 0
  for (const one of sortedByPath(facts.paths)) {
    // [RS-9] What was not kept only looks the same: that it changed and cannot go back has to be said.
    if (!one.onlyByMerge && sameVersion(one.now, one.target) && surelySame(one.now, one.target)) {
      unchanged++
      continue
    }
    const keep = (note: string): void => {
      items.set(one.path, {
        path: one.path,
        action: 'keep',
        note,
        before: one.now,
        after: one.now,
        base: one.base,
        merged: false
      })
    }
    const obstacle = one.onlyByMerge ? '' : cannotGoBack(one.target)
    if (obstacle) {
      keep(obstacle)
      continue
    }
    const asked = facts.choices[one.path]
    const unguarded = cannotBeGuarded(one.now)
    const stuck = one.onlyByMerge && !one.merge
    let choice: Choice = one.onlyByMerge ? 'merge' : 'replace'
    if (one.foreign.length > 0 || unguarded || stuck) {
      const choices: Choice[] = [
        'keep',
        ...(one.merge ? (['merge'] as const) : []),
        ...(one.onlyByMerge ? [] : (['replace'] as const))
      ]
      const wanted = asked ?? (unguarded ? 'keep' : facts.defaultChoice)
      choice = choices.includes(wanted) ? wanted : 'keep'
      const reason = unguarded
        ? `what is there now cannot be kept first (${unguarded})`
        : stuck && one.foreign.length === 0
          ? 'mixed with changes that were taken back before'
          : one.foreignReason
      conflicts.push({ path: one.path, reason, by: one.foreign, choices, choice, mergeable: one.merge !== null })
      if (choice === 'keep') {
        keep(unguarded ? 'left as it is: what is there now could not be kept first' : `left as it is: ${reason}`)
        continue
      }
    } else if (asked === 'keep') {
      keep('left as it is: you chose to keep it')
      continue
    }
    const merged = choice === 'merge' && one.merge !== null
    const after = merged ? (one.merge as Merged).version : one.target
    if (sameVersion(one.now, after)) {
      keep('nothing of it is left to take back')
      continue
    }
    items.set(one.path, {
      path: one.path,
      action: actionFor(one.now, after),
      note: unguarded ? 'cannot be undone' : merged && one.foreign.length > 0 ? 'merged with what others wrote' : '',
      before: one.now,
      after,
      base: one.base,
      merged
    })
  }
  settleFolders(items, facts)
  if (facts.fold) keepApart(items, facts, facts.fold)
  return { items: sortedByPath([...items.values()]), conflicts, unchanged }
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

/** [RS-9] [RS-12] Why a target cannot be written, or "". */
function cannotGoBack(target: FileVersion): string {
  if (isRestorable(target)) return ''
  if (target.kind === 'unknown') return 'was not covered then'
  if (target.kind === 'special') return 'was a device, socket or pipe, which is never kept'
  switch (target.notStored) {
    case 'too-large':
      return 'was not kept: over the size limit'
    case 'unreadable':
      return 'was not kept: could not be read then'
    case 'changing':
      return 'was not kept: it was changing while it was read'
    case 'ignored':
      return 'was not kept: ignored by git'
    case 'never':
      return 'was not kept: on the never-keep list'
    case 'pruned':
      return 'was let go of: past the limits set for the history, or on the never-keep list'
    case 'workspace':
      return 'is a folder of its own: recorded separately, or a git worktree'
    default:
      return 'was not kept'
  }
}

/** Present content that a guard cannot store, or "". Size is no reason: guards have no limit (RS-9). */
function cannotBeGuarded(now: FileVersion): string {
  if (now.kind === 'special') return 'it is a device, socket or pipe'
  if (now.notStored === 'unreadable') return 'it cannot be read'
  if (now.notStored === 'changing') return 'it keeps changing'
  if (now.kind === 'dir' && now.notStored !== null) return 'the folder is not protected'
  return ''
}

/**
 * Makes the plan consistent with the tree: whatever is written gets its folders, a folder that still holds something is
 * kept, and nothing is written below what stays a file.
 */
function settleFolders(items: Map<string, PlannedItem>, facts: PlanFacts): void {
  const keep = (item: PlannedItem, note: string): void => {
    items.set(item.path, { ...item, action: 'keep', note, after: item.before })
  }
  const after = (path: string): FileVersion => items.get(path)?.after ?? facts.nowOf(path)

  // A folder goes only if everything in it goes; deepest first, so that a kept child keeps all its folders.
  const leaving = [...items.values()].filter((item) => item.before.kind === 'dir' && item.after.kind !== 'dir')
  for (const item of sortedByPath(leaving).reverse()) {
    const stays = facts.presentBelow(item.path).find((path) => after(path).kind !== 'absent')
    if (stays !== undefined) keep(item, `still holds ${stays.slice(item.path.length + 1)}`)
  }
  for (const item of sortedByPath([...items.values()])) {
    if (item.action === 'keep' || item.after.kind === 'absent') continue
    for (const folder of foldersAbove(item.path)) {
      const will = after(folder)
      if (will.kind === 'dir') continue
      const now = facts.nowOf(folder)
      if (will.kind === 'absent' && now.kind === 'absent') {
        const last = facts.lastFolder(folder)
        items.set(folder, {
          path: folder,
          action: 'mkdir',
          note: 'to hold what comes back',
          before: ABSENT,
          after: last?.version ?? { ...ABSENT, kind: 'dir', mode: FOLDER_MODE },
          merged: false,
          base: last?.base ?? 0
        })
      } else if (now.kind === 'dir') {
        // The plan would have removed a folder that is needed: it stays.
        keep(items.get(folder) as PlannedItem, 'holds what comes back')
      } else {
        keep(item, `${folder} is not a folder now`)
        break
      }
    }
  }
}

/** [B22] Of paths that this disk takes for one only the first can be there: what is present stays, and nothing is written over it. */
function keepApart(items: Map<string, PlannedItem>, facts: PlanFacts, fold: (path: string) => string): void {
  const after = (path: string): FileVersion => items.get(path)?.after ?? facts.nowOf(path)
  const present = facts.presentBelow('')
  const owners = new Map<string, string>()
  for (const path of present) if (after(path).kind !== 'absent') owners.set(fold(path), path)
  const keep = (item: PlannedItem, note: string): void => {
    items.set(item.path, { ...item, action: 'keep', note, after: item.before })
  }
  const apart = new Map<string, string>()
  for (const item of sortedByPath([...items.values()])) {
    if (item.action === 'keep' || item.before.kind !== 'absent') continue
    const key = fold(item.path)
    const above = foldersAbove(item.path).find((folder) => apart.has(fold(folder)) && after(folder).kind === 'absent')
    const owner = above === undefined ? owners.get(key) : apart.get(fold(above))
    if (owner === undefined || owner === item.path) owners.set(key, item.path)
    else {
      keep(item, `cannot lie beside ${owner}: this disk takes both names for one`)
      apart.set(key, owner)
    }
  }
  // What would have made place for them has no reason to go.
  for (const item of items.values()) {
    if (item.action === 'keep' || item.after.kind !== 'absent' || !apart.has(fold(item.path))) continue
    keep(item, 'stays, because what would take its place cannot')
  }
}

function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) folders.push(path.slice(0, at))
  return folders
}

function sortedByPath<T extends { readonly path: string }>(list: readonly T[]): T[] {
  return [...list].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}
