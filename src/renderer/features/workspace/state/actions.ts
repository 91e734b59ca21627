/** What a person can do in an open workspace. Each part reads and writes the store. */
import type { ActionDeps } from './action-deps.ts'
import { createNavigation, type Navigation } from './navigation.ts'
import { createPaneActions, type PaneActions } from './pane-actions.ts'
import { createRestoreActions, type RestoreActions } from './restore-actions.ts'

export interface WorkspaceActions extends Navigation, PaneActions, RestoreActions {}

export function createActions(deps: ActionDeps): WorkspaceActions {
  const panes = createPaneActions(deps)
  return { ...panes, ...createNavigation(deps, panes), ...createRestoreActions(deps) }
}
