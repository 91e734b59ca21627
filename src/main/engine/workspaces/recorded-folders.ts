/**
 * Finds recorded folders in the list of app.db: by id, by a path inside, and those inside another. Reads only.
 * Invariant: no two recorded folders have the same root; they may be nested, and then the innermost owns a path.
 */
import { basename, dirname, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import {
  type AppStore,
  type FolderRow,
  findFolderAt,
  foldersWithIdPrefix,
  presentFolders,
  recordedFolders,
  removedFolders
} from '../store/app-store.ts'
import { findWorktree, type WorktreeRow, worktreeRows } from '../store/worktree-table.ts'

export interface Registered extends Workspace {
  readonly addedAt: number
}

export type RecordedWorktree = WorktreeRow & { readonly root: string }

export type RecordedFolders = ReturnType<typeof createRecordedFolders>

export function createRecordedFolders(store: AppStore) {
  return {
    /** Without removed worktrees. Newest first. */
    list: (): Registered[] => presentFolders(store).map(toRegistered),
    /** Worktrees that were removed with files which are nowhere else, or are not counted yet. */
    removedWorktrees: (): Registered[] => {
      const rows = worktreeRows(store).filter(({ removedAt, lost }) => removedAt !== null && lost !== 0)
      const ids = new Set(rows.map(({ id }) => id))
      return recordedFolders(store)
        .filter(({ id }) => ids.has(id))
        .map(toRegistered)
    },
    /** Recorded worktrees of the folder `main`, removed ones included, in the order of their names. */
    worktreesOf: (main: WorkspaceId): RecordedWorktree[] => {
      const roots = new Map(recordedFolders(store).map(({ id, root }) => [id, root]))
      return worktreeRows(store).flatMap((row) => {
        const root = roots.get(row.id)
        return row.main === main && root !== undefined ? [{ ...row, root }] : []
      })
    },
    /** The folder that this workspace is a recorded worktree of, if that is recorded; else null. */
    mainOfWorktree: (id: WorkspaceId): WorkspaceId | null => {
      const main = findWorktree(store, id)?.main
      return main !== undefined && foldersWithIdPrefix(store, main).length === 1 ? main : null
    },
    /** Folders that were removed without their history, newest first. */
    removed: (): Workspace[] => removedFolders(store).map(toWorkspace),
    /** By id or a unique prefix. Throws NotAWorkspace. */
    find: (id: WorkspaceId): Registered => {
      const rows = foldersWithIdPrefix(store, id)
      const row = rows.length === 1 ? rows[0] : rows.find((candidate) => candidate.id === id)
      if (row) return toRegistered(row)
      throw new DriftlineError('NotAWorkspace', 'That folder is not recorded. Add it to record it.', { workspace: id })
    },
    /**
     * The workspace that contains an absolute path, the innermost if they are nested. `inside`: the path from its root, with
     * slashes; '' for the root.
     */
    findContaining: (path: string): { readonly workspace: Registered; readonly inside: string } | null => {
      for (let at = path; ; at = dirname(at)) {
        const row = findFolderAt(store, at)
        if (row) return { workspace: toRegistered(row), inside: pathBelow(at, path) }
        if (dirname(at) === at) return null
      }
    }
  }
}

/** Which of the absolute `folders` are inside `root`, as paths from it. */
export function foldersInside(root: string, folders: readonly string[]): string[] {
  const prefix = root === sep ? sep : root + sep
  return folders
    .filter((folder) => folder !== root && folder.startsWith(prefix))
    .map((folder) => pathBelow(root, folder))
}

function pathBelow(root: string, path: string): string {
  return path
    .slice(root.length)
    .replace(/^[/\\]/, '')
    .replaceAll(sep, '/')
}

function toRegistered(row: FolderRow): Registered {
  return { ...toWorkspace(row), addedAt: row.addedAt }
}

/** Without what else the row holds. */
export function toWorkspace({ id, root }: Pick<FolderRow, 'id' | 'root'>): Workspace {
  return { id, root, name: basename(root) || root }
}
