/**
 * Which folders are recorded, with their settings, and which of them are open: each workspace is opened at most once in
 * this process. Owns the connection to app.db. Invariant: a change of the list, or of a setting that histories hold a
 * copy of, is one transaction in app.db, then the cards in the histories (folder-list.ts).
 */
import { join } from 'node:path'
import type { RebuiltList, WorkspaceId } from '../../../contract/workspace.ts'
import {
  type AppStore,
  bumpListRev,
  deleteFolder,
  deleteHistoryNote,
  deleteRebuiltList,
  deleteRemovedFolder,
  findFolderAt,
  insertFolder,
  insertRemovedFolder,
  openAppStore,
  readRebuiltList,
  readSetting,
  readSettings,
  recordedFolders,
  removedFolders,
  updateRoot,
  writeSetting
} from '../store/app-store.ts'
import { copyDatabase } from '../store/copy-database.ts'
import { newId } from '../store/ids.ts'
import { transact, type Writable } from '../store/sql.ts'
import { markWorktreeRemoved, putWorktree, setWorktreeLoss, type WorktreeRow } from '../store/worktree-table.ts'
import { createAgentFacts } from './agent-facts.ts'
import { createBundleReviews, type StartReview } from './bundle-reviews.ts'
import { alignFolderList, isCopied, putFolderCard, putRemovedCard, unlist } from './folder-list.ts'
import { createOpenedWorkspaces, type StartWorkspace } from './opened-workspaces.ts'
import { createRecordedFolders, type RecordedFolders, type Registered } from './recorded-folders.ts'
import { recordReleased } from './released-folders.ts'
import { deleteHistoryFolder, ownContentsOfWorktrees } from './remove-history.ts'
import type { OpenWorkspace } from './workspace.ts'

export type Registry = ReturnType<typeof createRegistry>

const NO_REVIEWS: StartReview = () => {
  throw new Error('no review can be opened here')
}

export function createRegistry(dataDir: string, start: StartWorkspace, startReview = NO_REVIEWS) {
  const store = openAppStore(join(dataDir, 'app.db'))
  const unlisted = alignFolderList(store, dataDir, Date.now())
  const folders = createRecordedFolders(store)
  const { refreshBoundaries, whenClosed, openedWith, ...workspaces } = createOpenedWorkspaces(
    store,
    dataDir,
    folders,
    start
  )
  const reviews = createBundleReviews(dataDir, startReview)
  return {
    ...folders,
    ...createFolderChanges(store, dataDir, folders, { refreshBoundaries, whenClosed }),
    ...createAgentFacts(store),
    /** Of a recorded folder, or of a review of a bundle. Throws NotAWorkspace. */
    find: (id: WorkspaceId): Registered => reviews.find(id) ?? folders.find(id),
    open: (id: WorkspaceId): OpenWorkspace => (isReview(id) ? reviews.open(id) : workspaces.open(id)),
    /** Recorded folders alone. */
    opened: workspaces.opened,
    reviews,
    /** A person gave up a lost history: what is there, or a new one, counts from now on. */
    forgetLostHistory: (id: WorkspaceId): void => transact(store, (tx) => deleteHistoryNote(tx, id)),
    setting: (key: string): string | null => readSetting(store, key),
    settings: (): Record<string, string> => readSettings(store),
    setSetting: (key: string, value: string): void => {
      transact(store, (tx) => {
        writeSetting(tx, key, value)
        if (isCopied(key)) bumpListRev(tx)
      })
      if (!isCopied(key)) return
      for (const row of recordedFolders(store)) putFolderCard(store, dataDir, row, openedWith(row.id)?.store ?? null)
    },
    /** Copies the list of folders and the settings into a new file. Returns its size, bytes. */
    copyList: (to: string): Promise<number> => copyDatabase(store, to),
    /** Histories that are in no list. */
    unlisted,
    /** The notice that the list of folders was made again, null without one. */
    rebuiltList: (): RebuiltList | null => readRebuiltList(store),
    /** A person has read it. */
    confirmRebuiltList: (): void => transact(store, (tx) => deleteRebuiltList(tx)),
    close: async (): Promise<void> => {
      await reviews.closeAll()
      await workspaces.close()
      store.close()
    }
  }
}

function isReview(id: WorkspaceId): boolean {
  return id.startsWith('bundle_')
}

/** Adds, removes and moves recorded folders. A folder is closed first where its history or its path changes. */
function createFolderChanges(
  store: AppStore,
  dataDir: string,
  { find, removed }: RecordedFolders,
  { refreshBoundaries, whenClosed }: Pick<ReturnType<typeof createOpenedWorkspaces>, 'refreshBoundaries' | 'whenClosed'>
) {
  const insertOnce = (tx: Writable<AppStore>, root: string, at: number): WorkspaceId => {
    const known = findFolderAt(tx, root)
    if (known) return known.id
    const former = removedFolders(tx).find((folder) => folder.root === root)
    const next = former?.id ?? newId('ws')
    deleteRemovedFolder(tx, next)
    insertFolder(tx, { id: next, root, addedAt: at })
    bumpListRev(tx)
    return next
  }
  return {
    /** A folder that was removed gets its former history. */
    register: (root: string, at: number): Registered => {
      const id = transact(store, (tx) => insertOnce(tx, root, at))
      refreshBoundaries()
      return find(id)
    },
    /** The same for a worktree, which may have been removed before. */
    registerWorktree: (
      root: string,
      worktree: Pick<WorktreeRow, 'main' | 'name' | 'branch'>,
      at: number
    ): Registered => {
      const id = transact(store, (tx) => {
        const own = insertOnce(tx, root, at)
        putWorktree(tx, { id: own, ...worktree })
        return own
      })
      refreshBoundaries()
      return find(id)
    },
    /** `head`: its last position with files. */
    markWorktreeRemoved: (id: WorkspaceId, at: number, head: number): void => {
      transact(store, (tx) => markWorktreeRemoved(tx, id, at, head))
      refreshBoundaries()
    },
    setWorktreeLoss: (id: WorkspaceId, lost: number): void => transact(store, (tx) => setWorktreeLoss(tx, id, lost)),
    /** It is opened again when it is needed. */
    closeFolder: (id: WorkspaceId): Promise<void> => whenClosed(id, () => {}),
    /**
     * With `deleteHistory` also for a folder removed before. Throws Refused, with nothing changed, if the history
     * cannot be deleted.
     */
    remove: async (
      requested: WorkspaceId,
      at: number,
      { deleteHistory }: { readonly deleteHistory: boolean }
    ): Promise<void> => {
      const { id, root } = removed().find((workspace) => workspace.id === requested) ?? find(requested)
      if (deleteHistory) await ownContentsOfWorktrees(dataDir, id)
      const released = await whenClosed(id, () => {
        // Before the row goes: a history without a row could never be deleted.
        if (deleteHistory) deleteHistoryFolder(dataDir, id)
        transact(store, (tx) => {
          if (deleteHistory) unlist(tx, id)
          else {
            deleteFolder(tx, id)
            insertRemovedFolder(tx, { id, root, removedAt: at })
            bumpListRev(tx)
          }
        })
        if (!deleteHistory) putRemovedCard(store, dataDir, { id, root, removedAt: at })
        return refreshBoundaries()
      })
      await recordReleased(released)
    },
    relocate: async (requested: WorkspaceId, root: string): Promise<Registered> => {
      const { id } = find(requested)
      const released = await whenClosed(id, () => {
        transact(store, (tx) => {
          updateRoot(tx, id, root)
          bumpListRev(tx)
        })
        return refreshBoundaries()
      })
      await recordReleased(released)
      return find(id)
    }
  }
}
