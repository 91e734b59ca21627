/**
 * Warnings that follow from git and from the files on disk. They are no part of the plan's hash: what they say may
 * change without making the plan stale.
 */
import type { Stats } from 'node:fs'
import type { FileVersion } from '../../../contract/log.ts'
import type { PlanWarning } from '../../../contract/restore.ts'
import { exactLstat } from '../files/exact-stat.ts'
import { errorCode } from '../files/fs-errors.ts'
import { isWithin } from '../files/paths.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { describeCheckout } from '../git/git-head.ts'
import { findCheckpoint, findCheckpointAt } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRestore } from '../store/restores.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import { databaseFilesOf, mayBeDatabase } from './inputs/database-files.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { PlannedItem } from './plan-items.ts'
import type { RestoreContext } from './restore-context.ts'

/** None if no file would be written. `files`: those that the plan changes. */
export function fileWarnings(
  { store, root }: RestoreContext,
  input: RequestInput,
  items: readonly PlannedItem[],
  files: readonly ChangedFile[]
): PlanWarning[] {
  if (items.every((item) => item.action === 'keep')) return []
  return [
    ...branchWarnings(store, input, describeCheckout(root)),
    ...hardLinkWarnings(files),
    ...ownerWarnings(files, process.geteuid?.() ?? 0),
    ...databaseWarnings(root, input, items)
  ]
}

/** [CP-9] The `boundaries` that some of the `paths` are in, which a plan leaves out. */
export function elsewhereWarnings(boundaries: ReadonlySet<string>, paths: readonly string[]): PlanWarning[] {
  const folders = [...boundaries].filter((boundary) => paths.some((path) => isWithin(path, boundary))).sort()
  return folders.length === 0 ? [] : [{ code: 'elsewhere', folders, count: folders.length }]
}

/**
 * Warns when a plan crosses a change of branch: restoring changes files, never git's state. `now`: what git has checked
 * out, a branch or a commit; '' outside git.
 */
function branchWarnings(store: Store, input: TargetInput, now: string): PlanWarning[] {
  const recorded = checkedOutAtTarget(store, input)
  if (recorded === '' || now === '' || recorded === now) return []
  return [{ code: 'other-checkout', recorded, now }]
}

type TargetInput = Pick<RequestInput, 'target' | 'toSeq' | 'undoes'>

/** '' when it was not recorded. An undo returns to its restore's guard, an undone run to its first checkpoint. */
function checkedOutAtTarget(store: Store, { target, toSeq, undoes }: TargetInput): string {
  if (undoes) return checkedOutAt(store, findRestore(store, undoes)?.guard)
  if (toSeq === null) return checkedOutAt(store, findRun(store, target)?.start_checkpoint)
  const { checkpoint } = resolveTarget(store, target)
  if (checkpoint !== null && findCheckpoint(store, checkpoint)?.seq === toSeq) return checkedOutAt(store, checkpoint)
  return findCheckpointAt(store, toSeq)?.git ?? ''
}

function checkedOutAt(store: Store, checkpoint: string | undefined): string {
  return (checkpoint && findCheckpoint(store, checkpoint)?.git) || ''
}

/** Paths named in the warning. */
const MOST_NAMES = 5

export interface ChangedFile {
  readonly item: PlannedItem
  /** Of the file that is there now. */
  readonly stats: Stats
}

/** The files that a plan changes, as they are on disk. */
export function changedFiles(root: string, items: readonly PlannedItem[]): ChangedFile[] {
  return items.flatMap((item) => {
    if (item.action === 'keep' || item.before.kind !== 'file') return []
    const stats = statOrNothing(absoluteOf(root, item.path))
    return stats?.isFile() ? [{ item, stats }] : []
  })
}

/**
 * Warns of files of other users that a plan replaces: the new file belongs to the user of the recorder. Only root, whose
 * `user` is 0, may keep the owner.
 */
function ownerWarnings(files: readonly ChangedFile[], user: number): PlanWarning[] {
  if (user === 0) return []
  const paths = files
    .filter(({ item, stats }) => stats.uid !== user && item.action !== 'mode' && item.after.kind === 'file')
    .map(({ item }) => item.path)
  return paths.length === 0 ? [] : [{ code: 'other-owner', ...named(paths) }]
}

/**
 * Warns of files that a plan replaces or deletes under some of their names only. A restore creates a new file for each
 * path, so other hard links keep the old content, and names outside the folder are never written.
 */
function hardLinkWarnings(changed: readonly ChangedFile[]): PlanWarning[] {
  const files = new Map<string, { readonly links: number; readonly paths: string[] }>()
  for (const { item, stats } of changed) {
    if (stats.nlink < 2) continue
    const inode = `${stats.dev}:${stats.ino}`
    const file = files.get(inode) ?? { links: stats.nlink, paths: [] }
    file.paths.push(item.path)
    files.set(inode, file)
  }
  const paths = [...files.values()].filter((file) => file.paths.length < file.links).flatMap((file) => file.paths)
  if (paths.length === 0) return []
  return [{ code: 'hard-links', ...named(paths) }]
}

/**
 * [RS-23] Warns of databases of SQLite that a plan changes while a program seems to use them, and of their files that stay
 * although others change.
 */
function databaseWarnings(root: string, { paths }: RequestInput, items: readonly PlannedItem[]): PlanWarning[] {
  const planned = new Map(items.map((item) => [item.path, item]))
  const atTarget = new Set(paths.map(({ path }) => path).filter((path) => !planned.has(path)))
  const isThere = (path: string): boolean => (statOrNothing(absoluteOf(root, path))?.size ?? 0) > 0
  const isLeft = (path: string): boolean => (planned.get(path)?.action ?? 'keep') === 'keep' && !atTarget.has(path)
  const changed = items.filter(({ action, before, after }) => action !== 'keep' && [before, after].some(isFile))
  const inUse = changed
    .filter(({ path, before }) => mayBeDatabase([before]) && isThere(`${path}-shm`))
    .map(({ path }) => path)
  const left = changed.flatMap(({ path, before, after }) =>
    databaseFilesOf(path, [before, after]).filter((name) => isLeft(name) && isThere(name))
  )
  return [
    ...(inUse.length === 0 ? [] : [{ code: 'database-in-use', ...named(inUse) } as const]),
    ...(left.length === 0 ? [] : [{ code: 'database-parts', ...named([...new Set(left)].sort()) } as const])
  ]
}

function isFile({ kind }: FileVersion): boolean {
  return kind === 'file'
}

function named(paths: readonly string[]): { readonly paths: readonly string[]; readonly count: number } {
  return { paths: paths.slice(0, MOST_NAMES), count: paths.length }
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return exactLstat(path)
  } catch (error) {
    // A path that cannot be read is reported by the apply, if it comes to that.
    if (errorCode(error) !== '') return undefined
    throw error
  }
}
