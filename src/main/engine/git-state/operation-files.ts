/**
 * The files in which git keeps what it has begun and not ended. Of what belongs to rerere, and of ORIG_HEAD, which git writes at
 * each reset, none is part of an operation.
 */
import { join } from 'node:path'
import { ignoreFsErrors } from '../files/fs-errors.ts'
import { removeEmptyFolders } from './git-files.ts'
import { listFolder } from './state-files.ts'

/** Git takes an operation to be at work while its folder is there, even if it is empty. */
export const OPERATION_FOLDERS = ['rebase-merge', 'rebase-apply', 'sequencer'] as const

/** Of a merge, rebase, cherry-pick, revert or am; without the folder of a worktree. */
export const SEQUENCE_FILE = /^(?:MERGE_(?:HEAD|MODE|MSG)|SQUASH_MSG|(?:rebase-merge|rebase-apply|sequencer)\/.+)$/s
/** Of a bisect. Others that begin so are refs. */
export const BISECT_FILE = /^BISECT_(?!HEAD$|EXPECTED_REV$)[A-Z_]+$/

/** Whose presence says that an index may have conflicts, which a person or an agent is about to resolve. */
const MARKER = /^((?:worktrees\/[^/]+\/)?)(?:MERGE_MSG|(?:rebase-merge|rebase-apply|sequencer)\/.+)$/s

/** The folders, as `ownFolder` says, that have such a file. */
export function foldersAtWork(paths: readonly string[]): ReadonlySet<string> {
  return new Set(paths.flatMap((path) => MARKER.exec(path)?.[1] ?? []))
}

/** The folder of an operation with these parts: '' or `worktrees/NAME/`. */
function ownOf(parts: readonly { readonly name: string }[]): string {
  return /^worktrees\/[^/]+\//.exec(parts[0]?.name ?? '')?.[0] ?? ''
}

/** Files that are now in the folders where the operation has some. */
export function operationFilesNow(gitDir: string, parts: readonly { readonly name: string }[]): string[] {
  const own = ownOf(parts)
  const folders = OPERATION_FOLDERS.map((folder) => own + folder).filter((folder) =>
    parts.some(({ name }) => name.startsWith(`${folder}/`))
  )
  const list = (folder: string): string[] => {
    const { files, folders: inside } = listFolder(gitDir, folder)
    return [...files.map(({ path }) => path), ...inside.flatMap(list)]
  }
  return folders.flatMap(list)
}

/** Those that the parts left without a file. */
export function removeEmptyOperationFolders(gitDir: string, parts: readonly { readonly name: string }[]): void {
  for (const folder of OPERATION_FOLDERS) ignoreFsErrors(() => removeEmptyFolders(join(gitDir, ownOf(parts) + folder)))
}
