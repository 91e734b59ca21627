/** Named events, for programs that follow a workspace. */
import { cursorAt, cursorNow, refuseBeyond } from '../events/cursor.ts'
import { listEvents } from '../events/list-events.ts'
import type { WorkspaceHandlers } from './handler.ts'

export const EVENTS: WorkspaceHandlers<'events.list'> = {
  'events.list': ({ store, workspace }, { since, after, limit }) => {
    if (after) {
      refuseBeyond(store, after.edit)
      return listEvents(store, workspace.id, after, limit)
    }
    if (since === undefined) return { events: [], next: cursorNow(store), more: false }
    return listEvents(store, workspace.id, cursorAt(store, since), limit)
  }
}
