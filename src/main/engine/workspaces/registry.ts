/**
 * Which folders are recorded, with their settings, and which of them are open: each workspace is opened at most once in this
 * process. Owns the connection to app.db.
 */
import { basename, dirname, join, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import type { PrepareSchema } from '../db/migrate.ts'
import {
  agentTestAt,
  lastAgentEvent,
  lastAgentEvents,
  writeAgentTest,
  writeLastAgentEvent
} from '../store/app/agent-events.ts'
import { deleteCreatedFile, insertCreatedFile, isCreatedFile } from '../store/app/created-files.ts'
import { openAppStore } from '../store/app/open-app-store.ts'
import {
  deleteFolder,
  deleteRemovedFolder,
  type FolderRow,
  findFolderAt,
  foldersWithIdPrefix,
  insertFolder,
  insertRemovedFolder,
  type RemovedFolderRow,
  recordedFolders,
  removedFolders,
  updateRoot
} from '../store/app/recorded-folders.ts'
import { deleteSettingsOf, readSetting, readSettings, writeSetting } from '../store/app/settings.ts'
import { newId } from '../store/ids.ts'
import { transact } from '../store/sql.ts'
import { deleteHistoryFolder } from './remove-history.ts'
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
}

export interface Registry {
  list(): Registered[]
  /** By id or a unique prefix. Throws NotAWorkspace. */
  find(id: WorkspaceId): Registered
  /** The workspace that contains an absolute path, the innermost if they are nested, and the path inside it. */
  findContaining(path: string): { workspace: Registered; inside: string } | null
  /** Folders that were removed without their history, newest first. */
  removed(): Workspace[]
  /** A folder that was removed gets its former history. */
  register(root: string, at: number): Registered
  /** With `deleteHistory` also for a folder removed before. Throws Refused, with nothing changed, if the history cannot be deleted. */
  remove(id: WorkspaceId, deleteHistory: boolean, at: number): Promise<void>
  relocate(id: WorkspaceId, root: string): Promise<Registered>
  /** The open workspace; opens it if needed. */
  open(id: WorkspaceId): OpenWorkspace
  opened(): OpenWorkspace[]
  setting(key: string): string | null
  settings(): Record<string, string>
  setSetting(key: string, value: string): void
  /** An agent sent an event; stored at most once a minute. */
  recordAgentEvent(agent: string, at: number): void
  /** When each agent last sent an event, ms UTC. */
  lastAgentEvents(): Record<string, number>
  /** The event of a connection test arrived. */
  recordAgentTest(agent: string, nonce: string, at: number): void
  /** When the event of that test arrived, ms UTC; null if it has not. */
  agentTestAt(agent: string, nonce: string): number | null
  /** Files and folders that connecting an agent created, by absolute path. */
  readonly createdForAgents: { has(path: string): boolean; add(path: string): void; delete(path: string): void }
  close(): Promise<void>
}

/** An agent's last event is written at most this often, ms. */
const AGENT_EVENT_INTERVAL_MS = 60_000

export function createRegistry(
  dataDir: string,
  start: (opening: Opening) => OpenWorkspace,
  prepare?: PrepareSchema
): Registry {
  const store = openAppStore(join(dataDir, 'app.db'), prepare)
  const open = new Map<WorkspaceId, { workspace: OpenWorkspace; boundaries: Set<string> }>()
  let closing = false

  const list = (): Registered[] => recordedFolders(store).map(toRegistered)
  const removed = (): Workspace[] => removedFolders(store).map(toWorkspace)
  const find = (id: WorkspaceId): Registered => {
    const rows = foldersWithIdPrefix(store, id)
    const row = rows.length === 1 ? rows[0] : rows.find((candidate) => candidate.id === id)
    if (!row)
      throw new DriftlineError('NotAWorkspace', 'That folder is not recorded. Add it to record it.', {
        workspace: id
      })
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
  /** Closes the workspace, then runs `act`. A loop, because another caller may open it again while it closes. */
  const whenClosed = async <T>(id: WorkspaceId, act: () => T): Promise<T> => {
    for (let entry = open.get(id); entry; entry = open.get(id)) {
      open.delete(id)
      await entry.workspace.close()
    }
    return act()
  }

  return {
    list,
    removed,
    find,
    findContaining: (path) => {
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
    register: (root, at) => {
      const id = transact(store, (tx) => {
        const known = findFolderAt(tx, root)
        if (known) return known.id
        const former = removedFolders(tx).find((folder) => folder.root === root)
        const next = former?.id ?? newId('ws')
        deleteRemovedFolder(tx, next)
        insertFolder(tx, { id: next, root, addedAt: at })
        return next
      })
      refreshBoundaries()
      return find(id)
    },
    remove: async (requested, deleteHistory, at) => {
      const { id, root } = removed().find((workspace) => workspace.id === requested) ?? find(requested)
      await whenClosed(id, () => {
        // Before the row goes: a history without a row could never be deleted.
        if (deleteHistory) deleteHistoryFolder(dataDir, id)
        transact(store, (tx) => {
          deleteFolder(tx, id)
          if (deleteHistory) {
            deleteRemovedFolder(tx, id)
            // Settings of this folder are deleted with its history.
            deleteSettingsOf(tx, id)
          } else insertRemovedFolder(tx, { id, root }, at)
        })
        refreshBoundaries()
      })
    },
    relocate: async (requested, root) => {
      const { id } = find(requested)
      return whenClosed(id, () => {
        transact(store, (tx) => updateRoot(tx, id, root))
        refreshBoundaries()
        return find(id)
      })
    },
    open: (id) => {
      const registered = find(id)
      const known = open.get(registered.id)
      if (known) return known.workspace
      if (closing)
        throw new DriftlineError(
          'Disconnected',
          'Driftline is closing. Recorded history is safe. Open Driftline again, then retry.'
        )
      const boundaries = new Set(boundariesOf(registered.root))
      const workspace = start({ workspace: toWorkspace(registered), boundaries, setting })
      open.set(registered.id, { workspace, boundaries })
      return workspace
    },
    opened: () => [...open.values()].map((entry) => entry.workspace),
    setting,
    settings: () => readSettings(store),
    setSetting: (key, value) => transact(store, (tx) => writeSetting(tx, key, value)),
    recordAgentEvent: (agent, at) => {
      const last = lastAgentEvent(store, agent)
      if (last !== null && at - last < AGENT_EVENT_INTERVAL_MS) return
      transact(store, (tx) => writeLastAgentEvent(tx, agent, at))
    },
    lastAgentEvents: () => lastAgentEvents(store),
    recordAgentTest: (agent, nonce, at) => transact(store, (tx) => writeAgentTest(tx, agent, nonce, at)),
    agentTestAt: (agent, nonce) => agentTestAt(store, agent, nonce),
    createdForAgents: {
      has: (path) => isCreatedFile(store, path),
      add: (path) => transact(store, (tx) => insertCreatedFile(tx, path)),
      delete: (path) => transact(store, (tx) => deleteCreatedFile(tx, path))
    },
    close: async () => {
      closing = true
      await Promise.all([...open.keys()].map((id) => whenClosed(id, () => {})))
      store.close()
    }
  }
}

function toRegistered(row: FolderRow): Registered {
  return { ...toWorkspace(row), addedAt: row.addedAt }
}

function toWorkspace({ id, root }: RemovedFolderRow): Workspace {
  return { id, root, name: basename(root) || root }
}
