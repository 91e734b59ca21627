/** Notifies queries that their data may be stale: after an engine event, a gap in revisions (WR-1), or a reconnect. */
import type { EngineEvents } from '../../contract/api.ts'
import type { Connection } from './connection.ts'

export type ChangeName = EngineEvents['workspace.changed']['kinds'][number]

export interface Change {
  /** null: anything may have changed (gap or reconnect). */
  readonly kinds: readonly ChangeName[] | null
  readonly paths: readonly string[]
}

export interface Changes {
  /** `workspace` null: reconnects and changes of the workspace list. */
  listen(workspace: string | null, listener: (change: Change) => void): () => void
}

const EVERYTHING: Change = { kinds: null, paths: [] }

export function createChanges(connection: Connection): Changes {
  const listeners = new Map<string, Set<(change: Change) => void>>()
  const revs = new Map<string, number>()
  let generation = connection.state().generation
  const notify = (workspace: string, change: Change) => {
    for (const listener of [...(listeners.get(workspace) ?? [])]) listener(change)
  }

  connection.client.on('workspace.changed', (event) => {
    const last = revs.get(event.workspace)
    if (last !== undefined && event.rev < last) return
    revs.set(event.workspace, event.rev)
    const gap = last !== undefined && event.rev > last + 1
    notify(event.workspace, gap ? EVERYTHING : { kinds: event.kinds, paths: event.paths })
  })
  connection.client.on('workspaces.changed', () => notify('', EVERYTHING))
  connection.subscribe(() => {
    const next = connection.state().generation
    if (next === generation) return
    const again = generation > 0
    generation = next
    if (!again) return
    revs.clear()
    for (const workspace of listeners.keys()) notify(workspace, EVERYTHING)
  })

  return {
    listen(workspace, listener) {
      const key = workspace ?? ''
      const set = listeners.get(key) ?? new Set()
      listeners.set(key, set)
      set.add(listener)
      return () => set.delete(listener)
    }
  }
}
