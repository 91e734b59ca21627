/**
 * Warnings that follow from git and from the files on disk. They are no part of the plan's hash: what they say may
 * change without making the plan stale.
 */
import { lstatSync, type Stats } from 'node:fs'
import type { PlanWarning } from '../../../contract/restore.ts'
import { errorCode } from '../files/fs-errors.ts'
import { isWithin } from '../files/paths.ts'
import { absoluteOf } from '../files/workspace-fs.ts'
import { describeCheckout } from '../git/git-head.ts'
import { findCheckpoint, findCheckpointAt } from '../store/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import { findRestore } from '../store/restores.ts'
import { findRun } from '../store/runs.ts'
import { resolveTarget } from '../store/targets.ts'
import type { RequestInput } from './inputs/request-input.ts'
import type { PlannedItem } from './plan-items.ts'
import type { RestoreContext } from './restore-context.ts'

/** None if no file would be written. */
export function fileWarnings(
  { store, root }: RestoreContext,
  input: RequestInput,
  items: readonly PlannedItem[]
): PlanWarning[] {
  if (items.every((item) => item.action === 'keep')) return []
  return [...branchWarnings(store, input, describeCheckout(root)), ...hardLinkWarnings(root, items)]
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

/**
 * Warns of files that a plan replaces or deletes under some of their names only. A restore creates a new file for each
 * path, so other hard links keep the old content, and names outside the folder are never written.
 */
function hardLinkWarnings(root: string, items: readonly PlannedItem[]): PlanWarning[] {
  const files = new Map<string, { readonly links: number; readonly paths: string[] }>()
  for (const item of items) {
    if (item.action === 'keep' || item.before.kind !== 'file') continue
    const stats = statOrNothing(absoluteOf(root, item.path))
    if (!stats?.isFile() || stats.nlink < 2) continue
    const inode = `${stats.dev}:${stats.ino}`
    const file = files.get(inode) ?? { links: stats.nlink, paths: [] }
    file.paths.push(item.path)
    files.set(inode, file)
  }
  const paths = [...files.values()].filter((file) => file.paths.length < file.links).flatMap((file) => file.paths)
  if (paths.length === 0) return []
  return [{ code: 'hard-links', paths: paths.slice(0, MOST_NAMES), count: paths.length }]
}

function statOrNothing(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // A path that cannot be read is reported by the apply, if it comes to that.
    if (errorCode(error) !== '') return undefined
    throw error
  }
}
