/**
 * Which folders are recorded, with their settings, and which of them are open: each workspace is opened at most once in
 * this process. Owns the connection to app.db.
 */
import { basename, dirname, join, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { RebuiltList, Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import {
  agentTestAt,
  bumpListRev,
  deleteCreatedFile,
  deleteFolder,
  deleteHistoryNote,
  deleteRebuiltList,
  deleteRemovedFolder,
  deleteSettingsOf,
  type FolderRow,
  findFolderAt,
  foldersWithIdPrefix,
  insertCreatedFile,
  insertFolder,
  insertRemovedFolder,
  isCreatedFile,
  lastAgentEvent,
  lastAgentEvents,
  openAppStore,
  readHistoryNote,
  readRebuiltList,
  readSetting,
  readSettings,
  recordedFolders,
  removedFolders,
  updateRoot,
  writeAgentTest,
  writeLastAgentEvent,
  writeSetting
} from '../store/app-store.ts'
import { newId } from '../store/ids.ts'
import { transact } from '../store/sql.ts'
import { alignFolderList, isCopied, putFolderCard, putRemovedCard } from './folder-list.ts'
import { noteHistory, requireHistoryFile, requireWholeHistory } from './lost-history.ts'
import { deleteHistoryFolder } from './remove-history.ts'
import { storeFile } from './store-file.ts'
import type { OpenWorkspace } from './workspace.ts'

export interface Registered extends Workspace {
  readonly addedAt: number
}

/** What the registry knows about a workspace that is opened. */
export interface Opening {
  readonly workspace: Workspace
  /** Recorded folders inside, kept up to date by the registry; git worktrees are added. */
  readonly boundaries: Set<string>
  /** A setting of the app, null when unset. */
  setting(key: string): string | null
  /** Throws HistoryLost if the history ends at `lastSeq`, but held more before. */
  checkHistory(lastSeq: number): void
  /** The history may hold more now. Cheap: most calls do nothing. */
  noteHistory(workspace: OpenWorkspace): void
}

export type Registry = ReturnType<typeof createRegistry>

const CLOSING = 'Driftline is closing. Recorded history is safe. Open Driftline again, then retry.'

/** An agent's last event is written at most this often, ms. */
const AGENT_EVENT_INTERVAL_MS = 60_000

export function createRegistry(dataDir: string, start: (opening: Opening) => OpenWorkspace) {
  const store = openAppStore(join(dataDir, 'app.db'))
  const open = new Map<WorkspaceId, { workspace: OpenWorkspace; boundaries: Set<string> }>()
  let closing = false
  const unlisted = alignFolderList(store, dataDir, Date.now())

  const list = (): Registered[] => recordedFolders(store).map(toRegistered)
  /** Folders that were removed without their history, newest first. */
  const removed = (): Workspace[] => removedFolders(store).map(toWorkspace)
  /** By id or a unique prefix. Throws NotAWorkspace. */
  const find = (id: WorkspaceId): Registered => {
    const rows = foldersWithIdPrefix(store, id)
    const row = rows.length === 1 ? rows[0] : rows.find((candidate) => candidate.id === id)
    if (!row)
      throw new DriftlineError('NotAWorkspace', 'That folder is not recorded. Add it to record it.', { workspace: id })
    return toRegistered(row)
  }
  const setting = (key: string): string | null => readSetting(store, key)
  /** Recorded folders inside this one, and our own data if it is inside. */
  const boundariesOf = (root: string): string[] =>
    [...list().map((workspace) => workspace.root), dataDir]
      .filter((folder) => folder !== root && folder.startsWith(root === sep ? sep : root + sep))
      .map((folder) => folder.slice(root === sep ? 1 : root.length + 1).replaceAll(sep, '/'))
  const refreshBoundaries = (): void => {
    for (const { workspace, boundaries } of open.values()) {
      boundaries.clear()
      for (const boundary of boundariesOf(workspace.root)) boundaries.add(boundary)
    }
  }
  const noteEnd = (workspace: OpenWorkspace, due: 'soon' | 'now'): void =>
    noteHistory(store, workspace.workspace.id, workspace.store.records.lastSeq(), workspace.now(), due)
  /** Closes the workspace, then runs `act`. A loop, because another caller may open it again while it closes. */
  const whenClosed = async <T>(id: WorkspaceId, act: () => T): Promise<T> => {
    for (let entry = open.get(id); entry; entry = open.get(id)) {
      open.delete(id)
      noteEnd(entry.workspace, 'now')
      await entry.workspace.close()
    }
    return act()
  }

  return {
    list,
    removed,
    find,
    /** The workspace that contains an absolute path, the innermost if they are nested, and the path inside it. */
    findContaining: (path: string): { workspace: Registered; inside: string } | null => {
      for (let at = path; ; at = dirname(at)) {
        const row = findFolderAt(store, at)
        if (row)
          return {
            workspace: toRegistered(row),
            inside: path
              .slice(at.length)
              .replace(/^[/\\]/, '')
              .replaceAll(sep, '/')
          }
        if (dirname(at) === at) return null
      }
    },
    /** A folder that was removed gets its former history. */
    register: (root: string, at: number): Registered => {
      const id = transact(store, (tx) => {
        const known = findFolderAt(tx, root)
        if (known) return known.id
        const former = removedFolders(tx).find((folder) => folder.root === root)
        const next = former?.id ?? newId('ws')
        deleteRemovedFolder(tx, next)
        insertFolder(tx, { id: next, root, addedAt: at })
        bumpListRev(tx)
        return next
      })
      refreshBoundaries()
      return find(id)
    },
    /**
     * With `deleteHistory` also for a folder removed before. Throws Refused, with nothing changed, if the history
     * cannot be deleted.
     */
    remove: async (requested: WorkspaceId, deleteHistory: boolean, at: number): Promise<void> => {
      const { id, root } = removed().find((workspace) => workspace.id === requested) ?? find(requested)
      await whenClosed(id, () => {
        // Before the row goes: a history without a row could never be deleted.
        if (deleteHistory) deleteHistoryFolder(dataDir, id)
        transact(store, (tx) => {
          deleteFolder(tx, id)
          if (deleteHistory) {
            deleteRemovedFolder(tx, id)
            deleteHistoryNote(tx, id)
            // Settings of this folder are deleted with its history.
            deleteSettingsOf(tx, id)
          } else {
            insertRemovedFolder(tx, { id, root, removedAt: at })
            bumpListRev(tx)
          }
        })
        if (!deleteHistory) putRemovedCard(store, dataDir, { id, root, removedAt: at })
        refreshBoundaries()
      })
    },
    relocate: async (requested: WorkspaceId, root: string): Promise<Registered> => {
      const { id } = find(requested)
      return whenClosed(id, () => {
        transact(store, (tx) => {
          updateRoot(tx, id, root)
          bumpListRev(tx)
        })
        refreshBoundaries()
        return find(id)
      })
    },
    /** The open workspace; opens it if needed. */
    open: (id: WorkspaceId): OpenWorkspace => {
      const registered = find(id)
      const known = open.get(registered.id)
      if (known) return known.workspace
      if (closing) throw new DriftlineError('Disconnected', CLOSING)
      const boundaries = new Set(boundariesOf(registered.root))
      const note = readHistoryNote(store, registered.id)
      const file = storeFile(dataDir, registered.id)
      requireHistoryFile(registered.root, file, note)
      const workspace = start({
        workspace: toWorkspace(registered),
        boundaries,
        setting,
        checkHistory: (lastSeq) => requireWholeHistory(registered.root, file, note, lastSeq),
        noteHistory: (grown) => noteEnd(grown, 'soon')
      })
      noteEnd(workspace, 'soon')
      putFolderCard(store, dataDir, registered, workspace.store)
      open.set(registered.id, { workspace, boundaries })
      return workspace
    },
    /** A person gave up a lost history: what is there, or a new one, counts from now on. */
    forgetLostHistory: (id: WorkspaceId): void => transact(store, (tx) => deleteHistoryNote(tx, id)),
    opened: (): OpenWorkspace[] => [...open.values()].map((entry) => entry.workspace),
    setting,
    settings: (): Record<string, string> => readSettings(store),
    setSetting: (key: string, value: string): void => {
      transact(store, (tx) => {
        writeSetting(tx, key, value)
        if (isCopied(key)) bumpListRev(tx)
      })
      if (!isCopied(key)) return
      for (const row of recordedFolders(store))
        putFolderCard(store, dataDir, row, open.get(row.id)?.workspace.store ?? null)
    },
    /** Histories that are in no list. */
    unlisted,
    /** The notice that the list of folders was made again, null without one. */
    rebuiltList: (): RebuiltList | null => readRebuiltList(store),
    /** A person has read it. */
    confirmRebuiltList: (): void => transact(store, (tx) => deleteRebuiltList(tx)),
    /** An agent sent an event; stored at most once a minute. */
    recordAgentEvent: (agent: string, at: number): void => {
      const last = lastAgentEvent(store, agent)
      if (last !== null && at - last < AGENT_EVENT_INTERVAL_MS) return
      transact(store, (tx) => writeLastAgentEvent(tx, agent, at))
    },
    /** When each agent last sent an event, ms UTC. */
    lastAgentEvents: () => lastAgentEvents(store),
    /** The event of a connection test arrived. */
    recordAgentTest: (agent: string, nonce: string, at: number): void =>
      transact(store, (tx) => writeAgentTest(tx, agent, nonce, at)),
    /** When the event of that test arrived, ms UTC; null if it has not. */
    agentTestAt: (agent: string, nonce: string): number | null => agentTestAt(store, agent, nonce),
    /** Files and folders that connecting an agent created, by absolute path. */
    createdForAgents: {
      has: (path: string): boolean => isCreatedFile(store, path),
      add: (path: string): void => transact(store, (tx) => insertCreatedFile(tx, path)),
      delete: (path: string): void => transact(store, (tx) => deleteCreatedFile(tx, path))
    },
    close: async (): Promise<void> => {
      closing = true
      await Promise.all([...open.keys()].map((id) => whenClosed(id, () => {})))
      store.close()
    }
  }
}

function toRegistered(row: FolderRow): Registered {
  return { ...toWorkspace(row), addedAt: row.addedAt }
}

function toWorkspace({ id, root }: Pick<FolderRow, 'id' | 'root'>): Workspace {
  return { id, root, name: basename(root) || root }
}
