/**
 * Facts that follow from the state of a workspace. Pure. They are computed by whoever reads them: a stored copy could
 * disagree with what it follows from.
 */
import type { FileChange } from '../../contract/diff.ts'
import type { Pane } from '../commands/state.ts'
import type { ReplayRange } from '../model/replay.ts'
import { isTurn, runIdOf, sessionIdOf } from '../model/row-targets.ts'
import { turnOf } from '../model/timeline-rows.ts'
import type { Side } from './layout.ts'
import type { WorkspaceState } from './store.ts'

/** The session of the shown row, null without one and in comparisons. */
export function sessionOf({ shown }: WorkspaceState): string | null {
  return shown && !shown.against ? sessionIdOf(shown.node) : null
}

export function hasConversation(state: WorkspaceState): boolean {
  return sessionOf(state) !== null
}

/** Content of the pane between timeline and diff. */
export function sideOf(state: WorkspaceState): Side {
  if (!hasConversation(state)) return 'files'
  return state.layout === 'tabs' ? (state.tab === 'conversation' ? 'conversation' : 'files') : state.sizes.side
}

/** The visible pane in the layout with tabs. */
export function tabOf(state: WorkspaceState): Pane {
  return state.tab === 'conversation' && !hasConversation(state) ? 'files' : state.tab
}

/** Whether the timeline is a column. */
export function hasColumn({ layout, sizes }: WorkspaceState): boolean {
  return layout === 'wide' && sizes.timelineShown
}

export function isDrawerOpen({ layout, drawer }: WorkspaceState): boolean {
  return drawer && layout === 'medium'
}

/** Whether the selected live run is followed. */
export function isFollowing({ live, followed, selected }: WorkspaceState): boolean {
  return live && selected !== null && followed === selected.node.key
}

/** Why no restore or undo is possible now, whatever it is of; null if it is, or if only the engine knows. */
export function restoreUnavailable({ offline, status }: Pick<WorkspaceState, 'offline' | 'status'>): string | null {
  if (offline !== null) return offline
  if (status?.interruptedRestore) return 'finish or undo the interrupted restore first'
  return status?.disk.low ? 'the disk that stores the history is nearly full' : null
}

/** Why there is nothing to undo or redo; null if there is, or if only the engine knows. */
export function undoUnavailable(state: WorkspaceState): string | null {
  const { status, pendingRestores } = state
  return restoreUnavailable(state) ?? (status?.undo || pendingRestores > 0 ? null : 'no restore to undo')
}

export function redoUnavailable(state: WorkspaceState): string | null {
  const { status, pendingRestores } = state
  return restoreUnavailable(state) ?? (status?.redo || pendingRestores > 0 ? null : 'no undo to redo')
}

/** The files of the comparison; null while it is loading, and during a replay, whose moments have other ones. */
export function listedFiles({ diff, replay }: WorkspaceState): readonly FileChange[] | null {
  return replay ? null : (diff?.files ?? null)
}

/** What a replay shows: the two compared positions, else the selected run or turn; null for other entries. */
export function replayRangeOf({ selected, pair, query }: WorkspaceState): ReplayRange | null {
  if (pair) return query?.to === undefined ? null : { target: query.target, to: query.to }
  const node = selected?.node ?? null
  const target = node && isTurn(node) ? (turnOf(node)?.id ?? null) : runIdOf(node)
  return target === null ? null : { target, to: null }
}
