/** Says who must fetch again: after an event of the engine, after a gap in revisions (WR-1), after a reconnect. */
import type { EngineEvents } from '../../contract/api.ts'
import type { Connection } from './connection.ts'

export type ChangeName = EngineEvents['workspace.changed']['kinds'][number]

export interface Change {
  /** null: anything may have changed (a gap or a reconnect). */
  readonly kinds: readonly ChangeName[] | null
  readonly paths: readonly string[]
}

export interface Changes {
  /** `workspace` null hears of reconnects and of the list of workspaces. */
  listen(workspace: string | null, listener: (change: Change) => void): () => void
}

const EVERYTHING: Change = { kinds: null, paths: [] }

export function createChanges(connection: Connection): Changes {
  const listeners = new Map<string, Set<(change: Change) => void>>()
  const revs = new Map<string, number>()
  let generation = connection.state().generation
  const tell = (workspace: string, change: Change) => {
    for (const listener of [...(listeners.get(workspace) ?? [])]) listener(change)
  }

  connection.client.on('workspace.changed', (event) => {
    const last = revs.get(event.workspace)
    if (last !== undefined && event.rev < last) return
    revs.set(event.workspace, event.rev)
    const gap = last !== undefined && event.rev > last + 1
    tell(event.workspace, gap ? EVERYTHING : { kinds: event.kinds, paths: event.paths })
  })
  connection.client.on('workspaces.changed', () => tell('', EVERYTHING))
  connection.subscribe(() => {
    const next = connection.state().generation
    if (next === generation) return
    const again = generation > 0
    generation = next
    if (!again) return
    revs.clear()
    for (const workspace of listeners.keys()) tell(workspace, EVERYTHING)
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
