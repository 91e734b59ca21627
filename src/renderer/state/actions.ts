/**
 * The actions of an open workspace. Made once, so that a component that holds one is not rendered anew for it. Each part
 * reads the store when it is called, never when it is made.
 */
import { toErrorShape } from '../../contract/errors.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionDeps } from './action-deps.ts'
import { createNavigation } from './navigation.ts'
import { createPaneActions } from './pane-actions.ts'
import { createRequests } from './requests.ts'
import { createRestoreActions } from './restore-actions.ts'
import { createTimelineActions } from './timeline-actions.ts'

export type WorkspaceActions = ReturnType<typeof createActions>

export function createActions(given: Omit<ActionDeps, 'statusKey' | 'reportError'>) {
  const reportError = (error: unknown) => {
    const { message } = toErrorShape(error)
    given.toasts.show({ id: 'error', icon: 'warn', text: message })
    announce(message, 'assertive')
  }
  const deps = { ...given, reportError, statusKey: ['workspace.status', { workspace: given.id, check: false }] }
  const panes = createPaneActions(deps)
  return {
    reportError,
    ...panes,
    ...createTimelineActions(deps),
    ...createNavigation(deps, panes),
    ...createRestoreActions(deps),
    ...createRequests(deps)
  }
}
