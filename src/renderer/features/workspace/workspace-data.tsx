/**
 * Asks the engine for what the open workspace shows and puts the answers into its store. Draws nothing, so that an
 * answer renders only the panes whose part changed.
 * The chain in order: timeline and open run -> rows -> selected row -> comparison -> files -> file. All of it is
 * written to the store in one step before the paint: no pane ever shows a file of one comparison beside the rows of
 * another.
 */
import { replaceEqualDeep } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import type { HostPlace } from '../../../contract/hosts.ts'
import type { EntryDetail, TimelineEntry } from '../../../contract/timeline.ts'
import { READ_ONLY } from '../../../contract/words/bundles.ts'
import { hostAwayReason } from '../../../contract/words/hosts.ts'
import { pathsBeingWritten } from '../../../contract/words/tool-calls.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { ConnectionState } from '../../client/connection.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { openThreadsByPath } from '../../model/comment-counts.ts'
import { comparisonsFor } from '../../model/comparisons.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { layOutRail } from '../../model/rail.ts'
import { compareQueryOf, entryAbove, orderPair, runIdOf } from '../../model/row-targets.ts'
import { type OpenRun, type Row, timelineRows, toRailRow } from '../../model/timeline-rows.ts'
import { comparisonKey, firstFile, selectionOf, shownFile } from '../../state/comparison.ts'
import { watchLayout } from '../../state/layout.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { type Selected, selectedIn } from '../../state/selection.ts'
import { NO_COUNTS, NO_PATHS, type RunFindings, type WorkspaceState, type WorkspaceStore } from '../../state/store.ts'
import { gapOf, shareByKey } from '../../state/timeline-pages.ts'
import { type Timeline, useTimeline } from '../../state/use-timeline.ts'
import { useToday } from '../../ui/use-now.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { useShownWith } from '../../ui/use-shown-with.ts'
import { useHistoryUpkeep } from '../history/use-file-history.ts'
import { wrapsTitle } from '../timeline/wrapped-titles.ts'
import { useAddress } from './use-address.ts'
import { useDiff } from './use-diff.ts'
import { useQueuedRestores, useRunAnnouncements } from './use-end-messages.ts'
import { useDrawer, useFocusWhenLost } from './use-focus.ts'
import { useFollowing } from './use-following.ts'
import { useHeld } from './use-held.ts'
import { useReveal } from './use-reveal.ts'

const FILTER_PAUSE_MS = 30
const NO_ENTRIES: readonly TimelineEntry[] = []

export function WorkspaceData() {
  const { workspace, store } = useOpenWorkspace()
  const { id } = workspace
  const { phase, away } = useConnectionState()
  const status = useStatus(id)
  const filter = useWorkspaceState((state) => state.filter)
  const text = usePaused(filter.text.trim(), FILTER_PAUSE_MS)
  const timeline = useTimeline(id, { ...filter, text })
  const { rows, detail } = useRows(id, timeline)
  const more = timeline.pages?.more === true && !timeline.pages.oldest
  const rails = useEqual(useMemo(() => layOutRail(rows.map(toRailRow), { more }), [rows, more]))
  const selected = useSelected(rows)
  const run = runIdOf(selected?.node ?? null)
  useOpenRun(store, run)
  const next = useCompared(selected, rows)
  const nextQuestion = useEqual(next.query && { workspace: id, ...next.query })
  const question = useDeferredValue(useHeld(nextQuestion, selected))
  const { shown, compared, shownDetail } = useShownWith(question === nextQuestion, {
    shown: selected,
    compared: next,
    shownDetail: detail
  })
  const shownRun = runIdOf(shown?.node ?? null)
  const live = shown?.against === null && status?.activeRuns.some((active) => active.run === shownRun) === true

  const { diff, loading, error } = useDiff(question, live || question?.to === 'now')
  const selection = useEqual(shown && question ? selectionOf(id, question, shown) : null)
  const picked = useWorkspaceState((state) => state.picked)
  const file = diff && question ? shownFile(diff, question, picked) : null
  const writing = useMemo(() => (live ? pathsBeingWritten(shownDetail?.calls ?? []) : NO_PATHS), [live, shownDetail])

  const findings = useFindings(selection, live)
  const git = useQuery('git.changes', shownRun === null ? null : { workspace: id, run: shownRun }).data
  const commentCounts = useCommentCounts(selection, live)

  const search = useQuery('bisect.state', workspace.bundle ? null : { workspace: id }).data?.search ?? null

  const answers: Partial<WorkspaceState> = {
    search,
    offline: offlineReason(phase, away) ?? (workspace.bundle ? READ_ONLY : null),
    status,
    timeline,
    rows,
    rails,
    selected,
    shown,
    detail,
    shownDetail,
    live,
    writing,
    findings,
    gitChangedBy: git && git.changes.length > 0 ? shownRun : null,
    commentCounts,
    ...compared,
    query: question,
    selection,
    diff,
    diffLoading: loading,
    diffError: error,
    file
  }
  useLayoutEffect(() => store.setState(answers))

  // The file shown first stays selected when newer files arrive above it.
  const scope = question ? comparisonKey(question) : ''
  const firstPath = diff ? (firstFile(diff)?.path ?? null) : null
  useEffect(() => {
    // A file may have been picked for the comparison that is shown next.
    if (question !== nextQuestion) return
    if (firstPath !== null && picked?.scope !== scope) store.setState({ picked: { scope, path: firstPath } })
  }, [store, firstPath, scope, picked?.scope, question, nextQuestion])

  useAddress()
  useReveal(rows, timeline, text)
  useFollowing(id)
  useHistoryUpkeep()
  useRunAnnouncements(id)
  useQueuedRestores(id)
  useFocusWhenLost()
  useDrawer()
  useEffect(() => watchLayout((layout) => store.setState({ layout })), [store])
  return null
}

function offlineReason(phase: ConnectionState['phase'], away: HostPlace | undefined): string | null {
  if (phase === 'open') return null
  return away ? hostAwayReason(away) : 'no connection to the recorder'
}

const NO_COMMENTS: Readonly<Record<string, number>> = {}

/** The rows of the timeline, with those of the open run. */
function useRows(
  workspace: WorkspaceId,
  timeline: Timeline
): { readonly rows: readonly Row[]; readonly detail: EntryDetail | null } {
  const { open, expanded, lingering, collapsed } = useWorkspaceFields('open', 'expanded', 'lingering', 'collapsed')
  const shownRun = open && !open.folded ? open.run : null
  const { data } = useQuery('entry.show', shownRun === null ? null : { workspace, target: shownRun })
  const detail = data?.entry.id === shownRun ? data : null
  const openRun = useMemo<OpenRun | null>(() => {
    if (shownRun === null) return null
    return detail ? { ...detail, run: shownRun, expanded } : { run: shownRun, turns: null }
  }, [shownRun, detail, expanded])
  const { pages } = timeline
  const today = useToday()
  const width = useWorkspaceState((state) => state.timelineWidth)
  const comments = useQuery('comments.counts', { workspace }).data?.runs ?? NO_COMMENTS
  const wraps = useMemo(() => wrapsTitle(width, comments), [width, comments])
  const last = useRef<readonly Row[]>([])
  const rows = useMemo(() => {
    const { entries = NO_ENTRIES, oldest = NO_ENTRIES } = pages ?? {}
    const gap = pages ? gapOf(pages) : 0
    const next = timelineRows(entries, openRun, today, { lingering, collapsed, gap, oldest, wraps })
    return shareByKey(last.current, next, ({ key }) => key)
  }, [pages, openRun, today, lingering, collapsed, wraps])
  last.current = rows
  return { rows, detail }
}

function useSelected(rows: readonly Row[]): Selected | null {
  const memory = useWorkspaceState((state) => state.memory)
  const last = useRef<Selected | null>(null)
  const selected = useEqual(useMemo(() => selectedIn(rows, memory, last.current), [rows, memory]))
  last.current = selected
  return selected
}

/** The run whose rows are shown follows the selection. */
function useOpenRun(store: WorkspaceStore, run: string | null): void {
  useEffect(
    () =>
      store.setState(({ open }) => ({ open: run === null ? null : open?.run === run ? open : { run, folded: false } })),
    [store, run]
  )
}

/** What is compared: two rows, or the comparison chosen for the selected row. */
function useCompared(selected: Selected | null, rows: readonly Row[]) {
  const chosen = useWorkspaceState((state) => state.comparison)
  const comparisons = useEqual(
    useMemo(() => (selected ? comparisonsFor(selected.node, entryAbove(selected.node, rows)) : []), [selected, rows])
  )
  const id = chosen?.key === selected?.node.key ? chosen?.id : 'own'
  const compared = comparisons.find((comparison) => comparison.id === id) ?? comparisons[0] ?? null
  const pair = useEqual(
    useMemo(
      () => (selected?.against ? orderPair(selected.node, selected.against, selected.swapped, rows) : null),
      [selected, rows]
    )
  )
  const query = useMemo(() => (pair ? compareQueryOf(pair, rows) : (compared?.query ?? null)), [pair, rows, compared])
  return { comparisons, compared, pair, query }
}

/** What to look at first in the compared run, as far as it is written. */
function useFindings(selection: Selection | null, live: boolean): RunFindings | null {
  const run = selection?.drift ? undefined : selection?.run
  const request = selection && run !== undefined ? { workspace: selection.query.workspace, run } : null
  const { data } = useQuery('review.findings', request, { live })
  return data
}

/** The comments are those that the diff asks for, where they are at the end of the run. */
function useCommentCounts(selection: Selection | null, live: boolean): ReadonlyMap<string, number> {
  const run = selection?.drift ? undefined : selection?.run
  const request =
    selection && run !== undefined ? { workspace: selection.query.workspace, run, at: `${run}:end` } : null
  const { data } = useQuery('comments.list', request, { live })
  return useMemo(() => (data ? openThreadsByPath(data.comments) : NO_COUNTS), [data])
}

/** Poll interval of the status: a folder that disappears sends no event. */
const STATUS_EVERY_MS = 20_000

/** Status of the workspace. The disk is compared when the window gets the focus (DR-5). */
function useStatus(workspace: WorkspaceId) {
  const { client } = useDriftline()
  const { data, refetch } = useQuery('workspace.status', { workspace, check: false })
  useEffect(() => {
    // A failed check shows in the connection state or as the error of the reload.
    const check = () => void client.call('workspace.status', { workspace, check: true }).then(refetch, refetch)
    check()
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refetch()
    }, STATUS_EVERY_MS)
    window.addEventListener('focus', check)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', check)
    }
  }, [client, workspace, refetch])
  return data
}

/** Returns the same objects until their content changes. */
function useEqual<T>(value: T): T {
  const last = useRef(value)
  last.current = replaceEqualDeep(last.current, value)
  return last.current
}
