/**
 * Owns app.db: recorded and removed folders, settings, and when agents were last heard from. Opens each workspace at most once in
 * this process.
 */
import { basename, dirname, join, sep } from 'node:path'
import { DriftlineError } from '../../../contract/errors.ts'
import type { Workspace, WorkspaceId } from '../../../contract/workspace.ts'
import type { CreatedFiles } from '../agents/connect/created-files.ts'
import { APP_MIGRATIONS } from '../db/app-schema.ts'
import { migrate, type PrepareSchema } from '../db/migrate.ts'
import { openDatabase } from '../db/open.ts'
import { prepareCached, write } from '../db/transaction.ts'
import { newId } from '../ports/ids.ts'
import type { OpenWorkspace } from './recorder.ts'
import { deleteHistoryFolder } from './remove-history.ts'

export interface Registered extends Workspace {
  readonly addedAt: number
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
  readonly createdForAgents: CreatedFiles
  close(): Promise<void>
}

interface Row {
  id: string
  root: string
  added_at: number
}

export function createRegistry(
  dataDir: string,
  start: (workspace: Workspace, boundaries: Set<string>) => OpenWorkspace,
  prepare: PrepareSchema = migrate
): Registry {
  const db = openDatabase(join(dataDir, 'app.db'))
  prepare(db, APP_MIGRATIONS)
  const open = new Map<WorkspaceId, { workspace: OpenWorkspace; boundaries: Set<string> }>()
  let closing = false

  const list = (): Registered[] =>
    (prepareCached(db, 'SELECT * FROM workspace ORDER BY added_at DESC').all() as Row[]).map(toRegistered)
  const removed = (): Workspace[] =>
    (
      prepareCached(db, 'SELECT id, root FROM left_folder ORDER BY left_at DESC').all() as Pick<Row, 'id' | 'root'>[]
    ).map(toWorkspace)
  const find = (id: WorkspaceId): Registered => {
    const rows = prepareCached(db, 'SELECT * FROM workspace WHERE substr(id, 1, ?) = ?').all(id.length, id) as Row[]
    const row = rows.length === 1 ? rows[0] : rows.find((candidate) => candidate.id === id)
    if (!row)
      throw new DriftlineError('NotAWorkspace', 'That folder is not recorded. Add it to record it.', {
        workspace: id
      })
    return toRegistered(row)
  }
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
        const row = prepareCached(db, 'SELECT * FROM workspace WHERE root = ?').get(at) as Row | undefined
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
      const id = write(db, () => {
        const known = prepareCached(db, 'SELECT * FROM workspace WHERE root = ?').get(root) as Row | undefined
        if (known) return known.id
        const former = removed().find((workspace) => workspace.root === root)
        const next = former?.id ?? newId('ws')
        prepareCached(db, 'DELETE FROM left_folder WHERE id = ?').run(next)
        prepareCached(db, 'INSERT INTO workspace VALUES (?, ?, ?)').run(next, root, at)
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
        write(db, () => {
          prepareCached(db, 'DELETE FROM workspace WHERE id = ?').run(id)
          if (deleteHistory) {
            prepareCached(db, 'DELETE FROM left_folder WHERE id = ?').run(id)
            // Settings of this folder are deleted with its history.
            prepareCached(db, "DELETE FROM setting WHERE key LIKE '%/' || ?").run(id)
          } else prepareCached(db, 'INSERT OR IGNORE INTO left_folder VALUES (?, ?, ?)').run(id, root, at)
        })
        refreshBoundaries()
      })
    },
    relocate: async (requested, root) => {
      const { id } = find(requested)
      return whenClosed(id, () => {
        write(db, () => {
          prepareCached(db, 'UPDATE workspace SET root = ? WHERE id = ?').run(root, id)
        })
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
      const workspace = start({ id: registered.id, root: registered.root, name: registered.name }, boundaries)
      open.set(registered.id, { workspace, boundaries })
      return workspace
    },
    opened: () => [...open.values()].map((entry) => entry.workspace),
    setting: (key) =>
      (prepareCached(db, 'SELECT value FROM setting WHERE key = ?').get(key) as { value: string } | undefined)?.value ??
      null,
    settings: () =>
      Object.fromEntries(
        (prepareCached(db, 'SELECT key, value FROM setting').all() as { key: string; value: string }[]).map((row) => [
          row.key,
          row.value
        ])
      ),
    setSetting: (key, value) => {
      write(db, () => {
        prepareCached(
          db,
          'INSERT INTO setting VALUES (?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value'
        ).run(key, value)
      })
    },
    recordAgentEvent: (agent, at) => {
      const known = prepareCached(db, 'SELECT last_event_at AS at FROM agent WHERE id = ?').get(agent) as
        | { at: number }
        | undefined
      if (known && at - known.at < 60_000) return
      write(db, () => {
        prepareCached(
          db,
          'INSERT INTO agent VALUES (?, ?) ON CONFLICT(id) DO UPDATE SET last_event_at = excluded.last_event_at'
        ).run(agent, at)
      })
    },
    lastAgentEvents: () =>
      Object.fromEntries(
        (prepareCached(db, 'SELECT * FROM agent').all() as { id: string; last_event_at: number }[]).map((row) => [
          row.id,
          row.last_event_at
        ])
      ),
    recordAgentTest: (agent, nonce, at) => {
      write(db, () => {
        prepareCached(db, 'INSERT OR REPLACE INTO agent_test VALUES (?, ?, ?)').run(agent, nonce, at)
      })
    },
    agentTestAt: (agent, nonce) =>
      (
        prepareCached(db, 'SELECT at FROM agent_test WHERE agent = ? AND nonce = ?').get(agent, nonce) as
          | { at: number }
          | undefined
      )?.at ?? null,
    createdForAgents: {
      has: (path) => prepareCached(db, 'SELECT 1 FROM made WHERE path = ?').get(path) !== undefined,
      add: (path) => write(db, () => prepareCached(db, 'INSERT OR IGNORE INTO made VALUES (?)').run(path)),
      delete: (path) => write(db, () => prepareCached(db, 'DELETE FROM made WHERE path = ?').run(path))
    },
    close: async () => {
      closing = true
      await Promise.all([...open.keys()].map((id) => whenClosed(id, () => {})))
      db.close()
    }
  }
}

function toRegistered(row: Row): Registered {
  return { ...toWorkspace(row), addedAt: row.added_at }
}

function toWorkspace({ id, root }: Pick<Row, 'id' | 'root'>): Workspace {
  return { id, root, name: basename(root) || root }
}
