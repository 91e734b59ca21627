/**
 * Keeps the list of folders (app.db) and the copies of it in the histories (folder-card.ts) alike. app.db is right, unless
 * a history holds a later change or is not listed: then app.db was lost or replaced by an older copy, and what
 * the histories say is listed again (ST-6).
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import { settingOf } from '../../../contract/settings.ts'
import type { RebuiltList } from '../../../contract/workspace.ts'
import { ifExists } from '../files/fs-errors.ts'
import { lstatSignature } from '../files/signature.ts'
import { stampOf } from '../files/stamp.ts'
import { log } from '../ports/log.ts'
import {
  type AppStore,
  deleteFolder,
  deleteHistoryNote,
  deleteRemovedFolder,
  deleteSettingsOf,
  deleteStamp,
  type FolderRow,
  findFolderAt,
  insertFolder,
  insertRemovedFolder,
  type RemovedFolderRow,
  readListRev,
  readSettings,
  recordedFolders,
  removedFolders,
  replaceSettings,
  stampsAtRest,
  writeListRev,
  writeRebuiltList,
  writeStamps
} from '../store/app-store.ts'
import { type FolderCard, putCard, putClosedCard, readClosedCard } from '../store/folder-card.ts'
import { type Readable, transact, type Writable } from '../store/sql.ts'
import { deleteWorktree } from '../store/worktree-table.ts'
import { wasHistoryDeleted } from './remove-history.ts'
import { storeFile } from './store-file.ts'

/** A history that app.db does not know and that does not say which folder it is of. */
export interface UnlistedHistory {
  /** Absolute path of its file. */
  readonly file: string
  /** Why it cannot be read: a code of SQLite or of the system; null if it can. */
  readonly unreadable: string | null
}

interface FoundCard {
  readonly id: string
  readonly card: FolderCard
}

/**
 * Aligns the two at the start, before any history is open. Costs the same for each history, whatever it holds, and for one that is
 * kept without a folder two stats while it does not change.
 */
export function alignFolderList(store: AppStore, dataDir: string, now: number): readonly UnlistedHistory[] {
  unlistDeleted(store, dataDir)
  const rev = readListRev(store)
  const recorded = new Map(recordedFolders(store).map((row) => [row.id, row]))
  const removed = new Map(removedFolders(store).map((row) => [row.id, row]))
  const stamps = stampsAtRest(store)
  const agreeing = new Map<string, string>()
  const later: FoundCard[] = []
  const unlisted: UnlistedHistory[] = []
  for (const id of historyIds(dataDir)) {
    const file = storeFile(dataDir, id)
    const stamp = stamps.has(id) ? stampOfHistory(file, now) : null
    if (stamp !== null && stamp === stamps.get(id)) continue
    const found = readClosedCard(file)
    if (found === null) continue
    const card = 'card' in found ? found.card : null
    const isListed = recorded.has(id) || removed.has(id)
    if (card && (card.rev > rev || !isListed)) later.push({ id, card })
    else if (!isListed) unlisted.push({ file, unreadable: 'unreadable' in found ? found.unreadable : null })
    else if ('card' in found) {
      const isRenewed = renewCard(store, dataDir, card, recorded.get(id) ?? null, removed.get(id) ?? null)
      if (!isRenewed && stamp !== null) agreeing.set(id, stamp)
    }
  }
  noteStamps(store, agreeing)
  if (later.length > 0) {
    const isNew = recorded.size + removed.size === 0 && rev === 0
    const why = isNew ? 'lost' : later.some(({ card }) => card.rev > rev) ? 'older' : 'found'
    transact(store, (tx) => listAgain(tx, later, why, now))
    log.warn(`the list of folders was made again from the histories: ${later.length} of them (${why})`)
  }
  return unlisted
}

/** With the same stamp a closed history has the same card. Reading that changes the times of an empty -wal file. */
function stampOfHistory(file: string, now: number): string | null {
  const stats = [file, `${file}-wal`].flatMap((path) => lstatSignature(path) ?? [])
  return stampOf(
    stats.filter(({ size }) => size > 0),
    now
  )
}

/** Of cards that agree with app.db: any other is read again until it does. */
function noteStamps(store: AppStore, stamps: ReadonlyMap<string, string>): void {
  if (stamps.size === 0) return
  try {
    transact(store, (tx) => writeStamps(tx, stamps))
  } catch (error) {
    // [RC-4] A full or read-only disk. These cards are read again.
    if (!(error instanceof DriftlineError)) throw error
    log.warn('app.db could not note the stats of kept histories')
  }
}

/** Completes interrupted deletions of histories, and repeats those that are later than app.db. */
function unlistDeleted(store: AppStore, dataDir: string): void {
  const listed = [...recordedFolders(store), ...removedFolders(store)].map(({ id }) => id)
  const deleted = listed.filter((id) => wasHistoryDeleted(dataDir, id))
  if (deleted.length === 0) return
  transact(store, (tx) => {
    for (const id of deleted) unlist(tx, id)
  })
}

/** A folder whose history was deleted. Settings of the folder go with its history. */
export function unlist(tx: Writable<AppStore>, id: string): void {
  deleteFolder(tx, id)
  deleteRemovedFolder(tx, id)
  deleteHistoryNote(tx, id)
  deleteStamp(tx, id)
  deleteWorktree(tx, id)
  deleteSettingsOf(tx, id)
}

/** A card is missing or old in a history of a version without cards, and after an interrupted change. False if it is neither. */
function renewCard(
  store: AppStore,
  dataDir: string,
  card: FolderCard | null,
  recorded: FolderRow | null,
  removed: RemovedFolderRow | null
): boolean {
  const isMissing = recorded !== null && card === null
  const isOld = removed !== null && card?.removedAt == null
  if (isMissing) putFolderCard(store, dataDir, recorded, null)
  if (isOld) putRemovedCard(store, dataDir, removed)
  return isMissing || isOld
}

function historyIds(dataDir: string): string[] {
  return (ifExists(() => readdirSync(join(dataDir, 'w'))) ?? []).filter((name) => /^ws_[0-9a-z]+$/.test(name))
}

function listAgain(tx: Writable<AppStore>, later: FoundCard[], why: RebuiltList['why'], at: number): void {
  const rev = readListRev(tx)
  // Of two histories of the same folder the later one is recorded; the other is kept as that of a removed folder.
  later.sort((a, b) => a.card.rev - b.card.rev || a.card.addedAt - b.card.addedAt)
  for (const { id, card } of later) {
    deleteFolder(tx, id)
    deleteRemovedFolder(tx, id)
    const { root, addedAt, removedAt } = card
    const sameFolder = findFolderAt(tx, root)
    if (removedAt !== null) insertRemovedFolder(tx, { id, root, removedAt })
    else if (sameFolder && card.rev <= rev) insertRemovedFolder(tx, { id, root, removedAt: at })
    else {
      if (sameFolder) {
        deleteFolder(tx, sameFolder.id)
        insertRemovedFolder(tx, { id: sameFolder.id, root, removedAt: at })
      }
      insertFolder(tx, { id, root, addedAt })
    }
    replaceSettings(
      tx,
      (key) => isOwn(key, id),
      only(card.settings, (key) => isOwn(key, id))
    )
  }
  const newest = later.at(-1)?.card
  if (newest && why !== 'found') replaceSettings(tx, isShared, only(newest.settings, isShared))
  writeListRev(tx, Math.max(rev, newest?.rev ?? 0) + 1)
  const folders = later.filter(({ card }) => card.removedAt === null).length
  writeRebuiltList(tx, { why, at, folders, removed: later.length - folders })
}

// ---- the settings that histories hold a copy of: without them, excluded files would be recorded again.

/** Of what is recorded and how long it is kept, for all folders. */
function isShared(key: string): boolean {
  return isCopied(key) && !key.includes('/')
}

function isOwn(key: string, workspace: string): boolean {
  return isCopied(key) && key.endsWith(`/${workspace}`)
}

/** Whether histories hold a copy of the setting with this stored key. */
export function isCopied(key: string): boolean {
  return /^(capture|history)\./.test(settingOf(key) ?? '')
}

function only(values: Readonly<Record<string, string>>, isWanted: (key: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter(([key]) => isWanted(key)))
}

// ---- writing cards

/** Writes what app.db says of a recorded folder to its history, which is open as `history`, or closed. */
export function putFolderCard(
  store: AppStore,
  dataDir: string,
  { id, root, addedAt }: FolderRow,
  history: Readable | null
): void {
  const card = cardOf(store, id, { root, addedAt, removedAt: null })
  if (history === null) return void putClosedCard(storeFile(dataDir, id), card)
  try {
    putCard(history, card)
  } catch (error) {
    // A full or read-only disk. The next start writes it.
    if (!(error instanceof DriftlineError)) throw error
    log.warn(`the history of ${root} could not note its folder`)
  }
}

/** The same for a removed folder, whose history is closed. */
export function putRemovedCard(store: AppStore, dataDir: string, { id, root, removedAt }: RemovedFolderRow): void {
  putClosedCard(storeFile(dataDir, id), cardOf(store, id, { root, addedAt: removedAt, removedAt }))
}

function cardOf(store: AppStore, id: string, row: Pick<FolderCard, 'root' | 'addedAt' | 'removedAt'>): FolderCard {
  const settings = only(readSettings(store), (key) => isShared(key) || isOwn(key, id))
  return { ...row, settings, rev: readListRev(store) }
}
