/**
 * [CP-1] Brings the log up to the disk for exactly the paths a tool names, ignored ones too, before and after the tool
 * runs.
 */
import type { Stats } from 'node:fs'
import type { ReconcileOptions, RecordingContext } from '../capture/reconcile.ts'
import { exactLstat } from '../files/exact-stat.ts'
import { isNotFound, isUnreadable } from '../files/fs-errors.ts'
import { foldersAbove, parentOf } from '../files/paths.ts'
import { createWorkspaceFs, type Images, type WorkspaceFs } from '../files/workspace-fs.ts'
import { ROOT_ID } from '../store/open-store.ts'
import { otherNamesOf } from '../store/paths.ts'
import { transact } from '../store/sql.ts'
import type { CheckContext } from './check.ts'
import { ORDINARY_EDITS } from './drifts.ts'
import { recordChanges } from './record.ts'

/** `paths` are root-relative; `as`: compares an earlier time instead of the disk now. Call inside the workspace's lock. */
export async function checkNamedPaths(
  context: CheckContext,
  paths: readonly string[],
  as: Pick<ReconcileOptions, 'images' | 'notAfter'> = {}
): Promise<void> {
  if (paths.length === 0 || context.space.measure().low) return
  context.refreshWorktrees()
  const { store } = context
  const all = new Set([...paths, ...(as.images ? [] : hardLinksOf(context, paths))])
  for (const path of paths) {
    for (const folder of foldersAbove(path)) {
      const version = store.records.head(folder)?.version
      if (version == null || store.records.version(version).kind === 'absent') all.add(folder)
    }
  }
  const done = await recordChanges(context, { paths: all, trees: [] }, ORDINARY_EDITS, {
    deep: true,
    named: all,
    ...as
  })
  const changed = done.edits.map((edit) => edit.path)
  if (changed.length > 0) context.notifyChanged(['edits', 'drift'], changed)
  recordAbsentPaths(context, [...all].sort(), as.images)
}

/** Other recorded names of the same files: a write through one hard link changes all, and only one has an event. */
function hardLinksOf({ store, root }: RecordingContext, paths: readonly string[]): string[] {
  const fs = createWorkspaceFs(root)
  return paths.flatMap((path) => {
    const { ino, nlink } = statsOf(fs, path) ?? { ino: 0, nlink: 0 }
    return nlink > 1 ? otherNamesOf(store, ino, path) : []
  })
}

function statsOf(fs: WorkspaceFs, path: string): Stats | null {
  try {
    return fs.stat(path)?.kind === 'file' ? (exactLstat(fs.absolute(path)) ?? null) : null
  } catch (error) {
    // Unreadable paths are reported when they are read.
    if (isUnreadable(error) || isNotFound(error)) return null
    throw error
  }
}

/**
 * [LG-5] Records that a path was absent, even in a folder that is not covered or does not exist yet, so that an undo
 * deletes what the tool creates. `paths`: sorted, with the folders above them that have no row.
 */
function recordAbsentPaths(context: RecordingContext, paths: readonly string[], images?: Images): void {
  const { store, root } = context
  const { records } = store
  const fs = createWorkspaceFs(root, images)
  const absent = paths.filter((path) => records.head(path) === null && isAbsent(path))
  if (absent.length === 0) return
  const folders = new Set(absent.map(parentOf))
  transact(store, ({ records }) => {
    for (const path of absent) {
      if (records.head(path)) continue
      const parent = parentOf(path) === '' ? records.headById(ROOT_ID) : records.head(parentOf(path))
      // In a covered folder, no row means absent already; a folder has one for what is in it, because git may ignore it
      // once it exists. Without a row for its folder nothing is known.
      if (!parent || (parent.covered && !folders.has(path))) continue
      const id = records.addPath(path, parent.id)
      records.setHead(id, records.absent, 0, null, context.now())
    }
  })

  function isAbsent(path: string): boolean {
    try {
      return fs.stat(path) === null
    } catch (error) {
      if (isUnreadable(error)) return false
      throw error
    }
  }
}

/**
 * [CP-1] Records folders that are about to be removed, ignored ones too, so that an undo creates them again with their
 * modes. Their content must be named too. Call inside the lock, after `checkNamedPaths`.
 */
export function recordFolders({ store, root, now }: RecordingContext, paths: readonly string[]): void {
  const fs = createWorkspaceFs(root)
  transact(store, ({ records }) => {
    for (const path of paths) {
      const head = records.head(path)
      const version = head?.version == null ? null : records.version(head.version)
      const stat = version?.kind === 'dir' && version.notStored === 'ignored' ? fs.stat(path) : null
      if (!head || !version || stat?.kind !== 'dir') continue
      const covered = records.addVersion({ ...version, mode: stat.mode, notStored: null }, null)
      records.setHead(head.id, covered, 0, head.signature, now())
    }
  })
}
