/** What the actions of an open workspace work with. */
import type { QueryKey } from '@tanstack/react-query'
import type { RefObject } from 'react'
import type { Client } from '../../contract/api.ts'
import type { WorkspaceId } from '../../contract/workspace.ts'
import type { Queries } from '../client/queries.ts'
import type { ReviewCommands } from '../commands/state.ts'
import type { Toasts } from '../features/toast/toasts.tsx'
import type { WorkspaceStore } from './store.ts'

/** The timeline's own focus targets. */
export interface TimelineHandle {
  focus(): void
  focusFilter(): void
}

/** Panes that register themselves while they are on screen. */
export interface PaneHandles {
  readonly timeline: RefObject<TimelineHandle | null>
  readonly review: RefObject<ReviewCommands | null>
}

export interface ActionDeps {
  readonly id: WorkspaceId
  readonly store: WorkspaceStore
  readonly handles: PaneHandles
  readonly client: Client
  readonly queries: Queries
  readonly toasts: Toasts
  /** Key of the query that holds the workspace's status. */
  readonly statusKey: QueryKey
  /** Shows and announces an error. */
  readonly reportError: (error: unknown) => void
}
