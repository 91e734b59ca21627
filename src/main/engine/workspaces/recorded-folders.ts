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
  recordedFolders,
  removedFolders
} from '../store/app-store.ts'

export interface Registered extends Workspace {
  readonly addedAt: number
}

/** A path below a recorded folder. */
export interface FoundFolder {
  readonly workspace: Registered
  /** The path from the root, with slashes; '' for the root. */
  readonly inside: string
}

export type RecordedFolders = ReturnType<typeof createRecordedFolders>

export function createRecordedFolders(store: AppStore) {
  return {
    /** Newest first. */
    list: (): Registered[] => recordedFolders(store).map(toRegistered),
    /** Folders that were removed without their history, newest first. */
    removed: (): Workspace[] => removedFolders(store).map(toWorkspace),
    /** By id or a unique prefix. Throws NotAWorkspace. */
    find: (id: WorkspaceId): Registered => {
      const rows = foldersWithIdPrefix(store, id)
      const row = rows.length === 1 ? rows[0] : rows.find((candidate) => candidate.id === id)
      if (row) return toRegistered(row)
      throw new DriftlineError('NotAWorkspace', 'That folder is not recorded. Add it to record it.', { workspace: id })
    },
    /** The workspace that contains an absolute path, the innermost if they are nested, and the path inside it. */
    findContaining: (path: string): FoundFolder | null => {
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
