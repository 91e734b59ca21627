/** Registers what the command table can do in the open workspace; refreshed with its state. */
import { useEffect, useRef } from 'react'
import { useCommandHub } from '../../commands/hub.tsx'
import type { WorkspaceCommands } from '../../commands/state.ts'
import { restoreAction, undoAction } from '../../model/row-actions.ts'
import { isLiveRun, runIdOf, sessionIdOf } from '../../model/row-targets.ts'
import {
  hasConversation,
  redoUnavailable,
  replayRangeOf,
  restoreUnavailable,
  undoUnavailable
} from '../../state/derived.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { nextPane } from '../../state/panes.ts'
import { NO_FILES } from '../../state/store.ts'
import { useAllFiles } from '../diff/all-files-switch.tsx'

export function useWorkspaceCommands(): void {
  const hub = useCommandHub()
  const open = useOpenWorkspace()
  const now = useAllFiles()
  const allFiles = useRef(now)
  allFiles.current = now
  useEffect(() => {
    const toggleAllFiles = () => allFiles.current.toggle()
    const register = () => hub.setWorkspace({ ...commandsOf(open), toggleAllFiles })
    register()
    const stop = open.store.subscribe(register)
    return () => {
      stop()
      hub.setWorkspace(null)
    }
  }, [hub, open])
}

function commandsOf({
  workspace,
  store,
  actions,
  handles
}: ReturnType<typeof useOpenWorkspace>): Omit<WorkspaceCommands, 'toggleAllFiles'> {
  const state = store.getState()
  const { selected } = state
  const node = selected && !selected.against ? selected.node : null
  const conversationUnavailable = hasConversation(state) ? null : 'the selected entry has no conversation'
  return {
    id: workspace.id,
    entries: state.timeline?.pages?.entries ?? [],
    files: state.diff?.files ?? NO_FILES,
    node: node && { restore: restoreAction(node), undo: undoAction(node, state) },
    greenUnavailable: state.status?.lastPass ? null : 'no test has passed here yet, as far as was recorded',
    replayUnavailable: replayRangeOf(state) ? null : 'select a run, or compare two entries, first',
    restoreUnavailable: restoreUnavailable(state),
    undoUnavailable: undoUnavailable(state),
    redoUnavailable: redoUnavailable(state),
    conversationUnavailable,
    resumeUnavailable: workspace.bundle ? 'a review of a bundle resumes nothing' : conversationUnavailable,
    findingsUnavailable: state.findings?.findings.length ? null : 'nothing stands out in the selected entry',
    review: () => handles.review.current,
    pair: state.pair && { swap: actions.swap, clear: actions.clearPair },
    restoreHere: () => node && actions.restoreRow(node),
    undoThis: () => node && actions.undoRow(node),
    openReplay: actions.openReplay,
    restoreGreen: () => actions.openPreview({ kind: 'restore', target: 'green' }),
    undoRestore: () => actions.undoOrRedo('undo'),
    redoRestore: () => actions.undoOrRedo('redo'),
    pin: () => store.setState({ dialog: 'pin' }),
    runUnavailable: runIdOf(node) === null ? 'select a run first' : null,
    exportUnavailable: node && isLiveRun(node) ? 'the run is still working' : null,
    describeRun: () => store.setState({ dialog: 'describe' }),
    exportRun: () => store.setState({ dialog: 'export' }),
    copyReport: () => {
      const run = runIdOf(node)
      if (run !== null) actions.copyReport(run)
    },
    copyPatch: actions.copyPatch,
    copyResume: () => {
      const session = sessionIdOf(selected?.node ?? null)
      if (session !== null) actions.copyResume(session)
    },
    findBreak: () => store.setState({ dialog: 'bisect' }),
    check: actions.check,
    showReview: () => store.setState({ review: sessionIdOf(selected?.node ?? null) ?? 'newest' }),
    showCoverage: () => store.setState({ dialog: 'coverage' }),
    stepFinding: actions.stepFinding,
    focusPane: actions.goTo,
    stepPane: (by) => actions.goTo(nextPane(document.activeElement, by)),
    toggleTimeline: actions.toggleTimeline,
    filterTimeline: actions.focusFilter,
    selectEntry: actions.selectEntry,
    selectFile: actions.showFile,
    openHit: actions.openHit
  }
}
