/**
 * Asks the engine for what the open workspace shows and puts the answers into its store. Draws nothing, so that an
 * answer renders only the panes whose part changed.
 * The chain in order: timeline and open run -> rows -> selected row -> comparison -> files -> file. All of it is
 * written to the store in one step before the paint: no pane ever shows a file of one comparison beside the rows of
 * another.
 */
import { notifyManager, replaceEqualDeep } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { HostPlace } from '../../../contract/hosts.ts'
import type { EntryDetail, TimelineEntry } from '../../../contract/timeline.ts'
import { READ_ONLY } from '../../../contract/words/bundles.ts'
import { hostAwayReason } from '../../../contract/words/hosts.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { queuedDoneText } from '../../../contract/words/queued-restores.ts'
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
import { hasColumn, isDrawerOpen, isFollowing, sideOf, tabOf } from '../../state/derived.ts'
import { watchLayout } from '../../state/layout.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { isOnItsWay } from '../../state/preload-comparison.ts'
import { type Selected, selectedIn } from '../../state/selection.ts'
import { NO_COUNTS, NO_PATHS, type RunFindings, type WorkspaceState, type WorkspaceStore } from '../../state/store.ts'
import { gapOf, shareByKey } from '../../state/timeline-pages.ts'
import { type Timeline, useTimeline } from '../../state/use-timeline.ts'
import { announce } from '../../ui/live-region.tsx'
import { useToday } from '../../ui/use-now.ts'
import { usePaused } from '../../ui/use-paused.ts'
import { useHistoryUpkeep } from '../history/use-file-history.ts'
import { wrapsTitle } from '../timeline/wrapped-titles.ts'
import { useToasts } from '../toast/toasts.tsx'
import { useAddress } from './use-address.ts'
import { useDiff } from './use-diff.ts'
import { useReveal } from './use-reveal.ts'

const FILTER_PAUSE_MS = 30
const NO_ENTRIES: readonly TimelineEntry[] = []

type Question = Params<'diff.files'>

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
  const wraps = useMemo(() => wrapsTitle(width), [width])
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

/** Follows a live run: shows the file it wrote last until the person selects something else. */
function useFollowing(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  const { actions } = useOpenWorkspace()
  const on = useWorkspaceState(isFollowing)
  const [newest, setNewest] = useState<string | null>(null)
  useEffect(() => {
    if (!on) return setNewest(null)
    return client.on('workspace.changed', ({ workspace: changed, paths }) => {
      const path = paths.at(-1)
      if (changed === workspace && path !== undefined) setNewest(path)
    })
  }, [client, workspace, on])
  // The change event can arrive before the list of files contains the file.
  const known = useWorkspaceState(
    ({ diff }) => newest !== null && diff?.files.some(({ path }) => path === newest) === true
  )
  useEffect(() => {
    if (known && newest !== null) actions.pickFile(newest)
  }, [known, newest, actions])
}

/** Announces the end of runs to screen readers; single edits are not announced. */
function useRunAnnouncements(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  useEffect(
    () =>
      client.on('run.ended', (run) => {
        if (run.workspace === workspace) announce(`“${run.title}” ended, ${plural(run.files, 'file')} changed.`)
      }),
    [client, workspace]
  )
}

/** Says that a queued restore was applied; one that is held is a banner. */
function useQueuedRestores(workspace: WorkspaceId): void {
  const { client } = useDriftline()
  const { actions } = useOpenWorkspace()
  const toasts = useToasts()
  useEffect(
    () =>
      client.on('restore.queue-ended', ({ workspace: of, queued, state, files }) => {
        if (of !== workspace || state === 'held') return
        const undo = { label: 'Undo', keys: 'Mod+Z', run: () => actions.undoOrRedo('undo') }
        const text = queuedDoneText(queued, state !== 'partial', files)
        const icon = state === 'partial' ? 'warn' : 'check'
        toasts.show({ id: 'restore', icon, text, ...(files > 0 ? { action: undo } : {}) })
      }),
    [client, workspace, actions, toasts]
  )
}

/**
 * Keys work as soon as a workspace is shown: the focus is on its selected entry, or on its files without a timeline. So it is
 * once a window of another width has taken away what had the focus.
 */
function useFocusWhenLost(): void {
  const { store, actions } = useOpenWorkspace()
  const ready = useWorkspaceState(
    (state) => state.selected !== null && !state.reveal && (hasColumn(state) || state.diff !== null)
  )
  const layout = useWorkspaceState((state) => state.layout)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new layout may have removed what had the focus.
  useEffect(() => {
    if (!ready || document.activeElement !== document.body) return
    const frame = requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return
      const state = store.getState()
      actions.goTo(state.layout === 'tabs' ? tabOf(state) : hasColumn(state) ? 'timeline' : sideOf(state))
    })
    return () => cancelAnimationFrame(frame)
  }, [ready, layout, store, actions])
}

/** Focus moves into the open drawer; Escape or a press outside closes it. */
function useDrawer(): void {
  const { handles, actions } = useOpenWorkspace()
  const open = useWorkspaceState(isDrawerOpen)
  useEffect(() => {
    if (!open) return
    const focused = document.activeElement
    const opener = focused === document.body ? document.querySelector('[data-timeline-toggle]') : focused
    requestAnimationFrame(() => handles.timeline.current?.focus())
    const press = (event: PointerEvent) => {
      if (event.target instanceof Element && !event.target.closest('.drawer, .menu, .head')) actions.closeDrawer()
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented) actions.closeDrawer()
    }
    window.addEventListener('keydown', key)
    window.addEventListener('pointerdown', press)
    return () => {
      window.removeEventListener('keydown', key)
      window.removeEventListener('pointerdown', press)
      if (opener instanceof HTMLElement && opener.isConnected && document.activeElement === document.body)
        opener.focus()
    }
  }, [open, handles, actions])
}

/** How long what was chosen before is shown while the next comparison is loading, ms. */
const HOLD_MS = 200

/**
 * The comparison before, for a moment, while the files of the next one and the text of the first are requested: all of it
 * is then drawn at once, and nothing is emptied in between.
 */
function useHeld(next: Question | null, selected: Selected | null): Question | null {
  const { queries } = useDriftline()
  const { store } = useOpenWorkspace()
  const shown = useRef(next)
  const [late, setLate] = useState<Question | null>(null)
  const [, checkAgain] = useReducer((count: number) => count + 1, 0)
  const isComing = next !== null && selected !== null && isOnItsWay(queries, next, selected, store.getState().picked)
  if (next === shown.current || !isComing || late === next || shown.current === null) shown.current = next
  const isHeld = shown.current !== next
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setLate(next), HOLD_MS)
    const check = notifyManager.batchCalls(checkAgain)
    const stop = queries.cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.state.fetchStatus === 'idle') check()
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isHeld, next, queries])
  return shown.current
}

/** What the panes show beside a comparison: of the newest one only, once it is shown. */
function useShownWith<T>(isNewest: boolean, newest: T): T {
  const last = useRef(newest)
  if (isNewest) last.current = newest
  return last.current
}

/** Returns the same objects until their content changes. */
function useEqual<T>(value: T): T {
  const last = useRef(value)
  last.current = replaceEqualDeep(last.current, value)
  return last.current
}
