/** What a person can do in an open workspace. Each part reads and writes the store. */
import type { Client } from '../../../../contract/api.ts'
import type { WorkspaceId } from '../../../../contract/workspace.ts'
import type { Queries } from '../../../client/queries.ts'
import type { Toasts } from '../../toast/toasts.tsx'
import type { PaneHandles } from './context.tsx'
import { createNavigation, type Navigation } from './navigation.ts'
import { createPaneActions, type PaneActions } from './pane-actions.ts'
import { createRestoreActions, type RestoreActions } from './restore-actions.ts'
import type { WorkspaceStore } from './store.ts'

export interface ActionDeps {
  readonly id: WorkspaceId
  readonly store: WorkspaceStore
  readonly handles: PaneHandles
  readonly client: Client
  readonly queries: Queries
  readonly toasts: Toasts
}

export interface WorkspaceActions extends Navigation, PaneActions, RestoreActions {}

export function createActions(deps: ActionDeps): WorkspaceActions {
  const panes = createPaneActions(deps)
  return { ...panes, ...createNavigation(deps, panes), ...createRestoreActions(deps) }
}
