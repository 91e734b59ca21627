/**
 * Deletes a whole history: renames its folder first, which is atomic, then deletes it. Interrupted deletions finish at
 * the next start. An empty file stays in its place, so that it is not taken for a lost history when app.db still lists
 * it: after an interrupted deletion, or in an older copy of app.db.
 */
import { existsSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { errorCode, isNotFound } from '../files/fs-errors.ts'
import { whenFreeSync } from '../files/in-use.ts'
import { removeFile, removeTree } from '../files/remove.ts'
import { log } from '../ports/log.ts'
import { openStore } from '../store/open-store.ts'
import { ownContents } from '../store/own-contents.ts'
import { historyBeside, worktreesSharing } from '../store/shared-content.ts'
import { storeFile } from './store-file.ts'

/** No workspace id ends with this, so a folder that is being deleted is never opened. */
const DELETING = '.going'
/** Nor with this: the empty file. */
const DELETED = '.deleted'

/** Throws Refused, with nothing changed, if the system refuses the rename. */
export function deleteHistoryFolder(dataDir: string, id: string): void {
  const folder = join(dataDir, 'w', id)
  try {
    markDeleted(folder)
    whenFreeSync(() => renameSync(folder, folder + DELETING))
  } catch (error) {
    if (isNotFound(error)) return
    removeFile(folder + DELETED)
    if (errorCode(error) === '') throw error
    throw new DriftlineError(
      'Refused',
      `Couldn’t delete the history (${errorCode(error)}). Nothing was changed. Check ${folder} and try again.`,
      { folder }
    )
  }
  finishHistoryDeletions(dataDir)
}

/** [WT-1] Histories of worktrees that read contents from this one get their own copies of them first. */
export async function ownContentsOfWorktrees(dataDir: string, id: string): Promise<void> {
  for (const file of sharingFiles(storeFile(dataDir, id))) {
    const store = openStore(file)
    try {
      await ownContents(store)
    } finally {
      store.close()
    }
  }
}

function sharingFiles(file: string): string[] {
  if (!existsSync(file)) return []
  const store = openStore(file)
  try {
    return worktreesSharing(store)
      .map((workspace) => historyBeside(file, workspace))
      .filter((each) => existsSync(each))
  } finally {
    store.close()
  }
}

/** A full disk does not keep a history from being deleted. */
function markDeleted(folder: string): void {
  try {
    writeFileSync(folder + DELETED, '', { mode: 0o600 })
  } catch (error) {
    if (!['ENOSPC', 'EDQUOT'].includes(errorCode(error))) throw error
  }
}

/** A person deleted this history. */
export function wasHistoryDeleted(dataDir: string, id: string): boolean {
  const folder = join(dataDir, 'w', id)
  return existsSync(folder + DELETED) && !existsSync(folder)
}

/** Never throws: a folder that cannot be deleted is tried again at the next start. */
export function finishHistoryDeletions(dataDir: string): void {
  try {
    for (const name of readdirSync(join(dataDir, 'w')))
      if (name.endsWith(DELETING)) removeTree(join(dataDir, 'w', name))
  } catch (error) {
    if (errorCode(error) === '') throw error
    if (!isNotFound(error)) log.warn(`a deleted history is still in ${dataDir} (${errorCode(error)})`)
  }
}
