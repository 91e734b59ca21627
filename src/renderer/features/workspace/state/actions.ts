/** What a person can do in an open workspace. Each part reads and writes the store. */
import type { ActionDeps } from './action-deps.ts'
import { createNavigation } from './navigation.ts'
import { createPaneActions } from './pane-actions.ts'
import { createRestoreActions } from './restore-actions.ts'

export type WorkspaceActions = ReturnType<typeof createActions>

export function createActions(deps: ActionDeps) {
  const panes = createPaneActions(deps)
  return { ...panes, ...createNavigation(deps, panes), ...createRestoreActions(deps) }
}
