/** Registers what the command table can do on this screen; refreshed after every render. */
import { type RefObject, useEffect, useLayoutEffect } from 'react'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useCommandHub } from '../../commands/hub.tsx'
import type { ReviewCommands, WorkspaceCommands } from '../../commands/state.ts'
import { restoreAction, undoAction } from '../timeline/row-actions.ts'
import type { TimelineHandle } from '../timeline/timeline.tsx'
import type { SelectableRow } from '../timeline/timeline-rows.ts'
import type { ComparedPair } from './compare-menu.ts'
import { nextPane } from './panes.ts'
import type { Navigation } from './use-navigation.ts'
import type { Panes } from './use-panes.ts'
import type { RestoreActions } from './use-restore-actions.ts'
import type { WorkspaceModel } from './use-workspace.ts'
import type { WorkspaceDialog } from './workspace-dialogs.tsx'

interface CommandDeps {
  readonly workspace: WorkspaceId
  readonly model: WorkspaceModel
  readonly panes: Panes
  readonly restoreActions: RestoreActions
  readonly navigation: Navigation
  readonly pair: ComparedPair | null
  readonly session: string | null
  /** Why nothing can be written now, null if it can. */
  readonly offline: string | null
  readonly timeline: RefObject<TimelineHandle | null>
  readonly review: RefObject<ReviewCommands | null>
  readonly restore: (row: SelectableRow) => void
  readonly undo: (row: SelectableRow) => void
  readonly openDialog: (dialog: WorkspaceDialog) => void
}

export function useWorkspaceCommands(deps: CommandDeps): void {
  const hub = useCommandHub()
  useLayoutEffect(() => hub.setWorkspace(commandsOf(deps)))
  useEffect(() => () => hub.setWorkspace(null), [hub])
}

function commandsOf(deps: CommandDeps): WorkspaceCommands {
  const { model, panes, restoreActions, navigation, offline, timeline, restore, undo, openDialog } = deps
  const { status, selected } = model
  const node = selected && !selected.against ? selected.node : null
  const restoreNode = node && restoreAction(node)
  const undoNode = node && undoAction(node, status)
  return {
    id: deps.workspace,
    entries: model.timeline.pages?.entries ?? [],
    files: model.diff.diff?.files ?? [],
    node: restoreNode &&
      undoNode && {
        restoreTitle: restoreNode.label,
        restoreUnavailable: restoreNode.disabledReason,
        undoTitle: undoNode.label,
        undoUnavailable: undoNode.disabledReason
      },
    undoUnavailable: offline ?? restoreActions.undoUnavailable,
    redoUnavailable: offline ?? restoreActions.redoUnavailable,
    conversationUnavailable: deps.session === null ? 'the selected entry has no conversation' : null,
    review: () => deps.review.current,
    pair: deps.pair,
    restoreHere: () => node && restore(node),
    undoThis: () => node && undo(node),
    undoRestore: () => restoreActions.undoOrRedo('undo'),
    redoRestore: () => restoreActions.undoOrRedo('redo'),
    pin: () => openDialog('pin'),
    check: restoreActions.check,
    showCoverage: () => openDialog('coverage'),
    focusPane: panes.goTo,
    stepPane: (by) => panes.goTo(nextPane(document.activeElement, by)),
    toggleTimeline: panes.toggleTimeline,
    filterTimeline: () => {
      panes.goTo('timeline')
      // At once if the timeline is visible, so that the next letter is not a timeline key; else after the next paint.
      timeline.current?.focusFilter()
      requestAnimationFrame(() => timeline.current?.focusFilter())
    },
    selectEntry: navigation.selectEntry,
    selectFile: navigation.showFile,
    openHit: navigation.openHit
  }
}
