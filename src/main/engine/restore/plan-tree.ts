/** The steps of a plan that make it fit the tree: folders, and names that the disk cannot tell apart. Pure. */
import type { FileVersion } from '../../../contract/log.ts'
import { foldersAbove, parentOf } from '../files/paths.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { type Items, keepItem, type PlanInput, type PlannedItem, sortedByPath } from './plan-items.ts'

/** Mode of a folder that has to be created but was never recorded. */
const FOLDER_MODE = 0o755

/**
 * Makes the plan consistent with the tree: every written path gets its folders, a folder that still contains something
 * is kept, and nothing is written below a path that stays a file.
 */
export function settleFolders(items: Items, input: PlanInput): void {
  keepFilledFolders(items, input)
  for (const item of sortedByPath([...items.values()]))
    if (item.action !== 'keep' && item.after.kind !== 'absent') ensureFolders(items, item, input)
}

/** Keeps each folder to be removed or replaced that will still contain something. Whether there was one. */
export function keepFilledFolders(items: Items, input: PlanInput): boolean {
  const after = versionAfter(items, input)
  const removed = [...items.values()].filter((item) => item.before.kind === 'dir' && item.after.kind !== 'dir')
  let isKept = false
  // Deepest first, so that what stays keeps its folder, and that the folder above.
  for (const item of sortedByPath(removed).reverse()) {
    const present = input.presentIn(item.path).find((path) => after(path).kind !== 'absent')
    if (present === undefined) continue
    keepItem(items, item, { code: 'still-contains', path: present.slice(item.path.length + 1) })
    isKept = true
  }
  return isKept
}

/**
 * Keeps what would be written below a file that the plan keeps. Whether there was any. Files that are no items were
 * found by `settleFolders`.
 */
export function keepBelowFiles(items: Items): boolean {
  const isKeptFile = (path: string): boolean => {
    const item = items.get(path)
    return item?.action === 'keep' && item.after.kind !== 'dir' && item.after.kind !== 'absent'
  }
  let isKept = false
  for (const item of items.values()) {
    if (item.action === 'keep' || item.after.kind === 'absent') continue
    const file = foldersAbove(item.path).find(isKeptFile)
    if (file === undefined) continue
    keepItem(items, item, { code: 'not-a-folder', path: file })
    isKept = true
  }
  return isKept
}

function ensureFolders(items: Items, item: PlannedItem, input: PlanInput): void {
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
export function separateSpellings(items: Items, input: PlanInput, fold: (path: string) => string): void {
  const after = versionAfter(items, input)
  const spellingsOf = presentSpellings(input, fold)
  /** Fold -> the new path that has the name after the restore. */
  const owners = new Map<string, string>()
  const ownerOf = (path: string): string | undefined =>
    spellingsOf(path).find((present) => after(present).kind !== 'absent') ?? owners.get(fold(path))
  /** Fold of a path that cannot be written -> the path it conflicts with. */
  const blocked = new Map<string, string>()
  for (const item of sortedByPath([...items.values()])) {
    // A file that was renamed and then deleted leaves its new name: both its versions are absent.
    if (item.action === 'keep' || item.before.kind !== 'absent' || item.after.kind === 'absent') continue
    const key = fold(item.path)
    const blockedFolder = foldersAbove(item.path).find(
      (folder) => blocked.has(fold(folder)) && after(folder).kind === 'absent'
    )
    const owner = blockedFolder === undefined ? ownerOf(item.path) : blocked.get(fold(blockedFolder))
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

/** The present paths that are one name with a path: in folders that are one with its folder. */
function presentSpellings({ presentIn }: PlanInput, fold: (path: string) => string): (path: string) => string[] {
  /** Folder -> its present paths, by their folds. */
  const listed = new Map<string, ReadonlyMap<string, string[]>>()
  const list = (folder: string): ReadonlyMap<string, string[]> => {
    const known = listed.get(folder) ?? Map.groupBy(presentIn(folder), fold)
    listed.set(folder, known)
    return known
  }
  const spellingsOf = (path: string): string[] =>
    path === '' ? [''] : spellingsOf(parentOf(path)).flatMap((folder) => list(folder).get(fold(path)) ?? [])
  return spellingsOf
}

/** The version of any path once the plan is applied. Reads `items` at each call, so it follows their changes. */
function versionAfter(items: ReadonlyMap<string, PlannedItem>, input: PlanInput): (path: string) => FileVersion {
  return (path) => items.get(path)?.after ?? input.nowOf(path)
}
