/** State of the workspace screen: status, timeline rows, selection, and the diff of the selection. */

import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, TimelineEntry } from '../../../contract/timeline.ts'
import { plural } from '../../../contract/words/numbers.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useConnectionState, useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { announce } from '../../ui/live-region.tsx'
import { useNow } from '../../ui/use-now.ts'
import { type Comparison, type ComparisonId, comparisonsFor } from '../timeline/comparisons.ts'
import { layOutRail, type RailSegment } from '../timeline/rail.ts'
import { compareQueryOf, entryAbove, orderPair, runIdOf } from '../timeline/row-targets.ts'
import type { KindFilter } from '../timeline/timeline-head.tsx'
import { type OpenRun, type Row, type SelectableRow, timelineRows, toRailRow } from '../timeline/timeline-rows.ts'
import { type Timeline, useTimeline } from '../timeline/use-timeline.ts'
import type { ComparisonChoice } from './compare-menu.ts'
import { type DiffState, useDiff } from './use-diff.ts'
import { type RevealTarget, useReveal } from './use-reveal.ts'
import { type Selected, useSelection } from './use-selection.ts'

export interface Filter {
  readonly text: string
  readonly kinds: KindFilter
}

export interface WorkspaceModel {
  readonly status: WorkspaceStatus | null
  /** Reloads the status; not every finding of a check sends an event. */
  refreshStatus(): void
  readonly timeline: Timeline
  readonly rows: readonly Row[]
  readonly rails: readonly RailSegment[]
  readonly selected: Selected | null
  /** Two compared rows: left side, right side. */
  readonly pair: readonly [SelectableRow, SelectableRow] | null
  select(row: SelectableRow, extend: boolean): void
  swap(): void
  /** Keeps the current selection even if newer entries arrive. */
  holdSelection(): void
  fold(row: SelectableRow, folded: boolean): void
  /** Selects an entry or one of its turns by id; loads missing rows. */
  goTo(goal: RevealTarget): void
  /** Details of the open run. */
  readonly detail: EntryDetail | null
  /** Available and chosen comparisons of the selected row. */
  readonly compared: ComparisonChoice
  readonly question: Params<'diff.files'> | null
  readonly diff: DiffState
  /** Whether the selected run is live. */
  readonly live: boolean
  readonly now: number
  readonly filter: Filter
  setFilter(filter: Filter): void
}

const FILTER_PAUSE_MS = 60

export function useWorkspace(workspace: WorkspaceId): WorkspaceModel {
  const [filter, setFilter] = useState<Filter>({ text: '', kinds: 'all' })
  const text = usePaused(filter.text.trim(), FILTER_PAUSE_MS)
  const timeline = useTimeline(workspace, text, filter.kinds === 'all' ? null : filter.kinds)
  const { status, refresh } = useStatus(workspace)
  useRunAnnouncements(workspace)
  const entries = timeline.pages?.entries ?? NO_ENTRIES
  const someLive = entries.some((entry) => entry.kind === 'run' && entry.state === 'live')
  const { downSince } = useConnectionState()
  const now = useNow(someLive || (status?.activeRuns.length ?? 0) > 0 || downSince !== null)
  const day = new Date(now).toDateString()

  // The open run follows the selection, and the selection needs the rows: the run lags one render behind.
  const [open, setOpen] = useState<{ readonly run: string; readonly folded: boolean } | null>(null)
  const [expanded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const detail = useQuery('entry.show', open && !open.folded ? { workspace, target: open.run } : null)
  const openRun = useMemo<OpenRun | null>(
    () =>
      open && !open.folded
        ? detail.data?.entry.id === open.run
          ? { ...detail.data, run: open.run, expanded }
          : { run: open.run, turns: null }
        : null,
    [open, detail.data, expanded]
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows contain day names, so they depend on the day, not on the second.
  const rows = useMemo(() => timelineRows(entries, openRun, now), [entries, openRun, day])
  const more = timeline.pages?.more ?? false
  const rails = useMemo(() => layOutRail(rows.map(toRailRow), { more }), [rows, more])

  const { selected, select, swap, holdSelection } = useSelection(rows)
  const goTo = useReveal({
    rows,
    timeline,
    filtered: filter.text !== '' || filter.kinds !== 'all',
    clearFilter: () => setFilter({ text: '', kinds: 'all' }),
    select,
    hasTurns: (id) => openRun?.run === id && openRun.turns !== null
  })
  const run = runIdOf(selected?.node ?? null)
  useEffect(
    () => setOpen((before) => (run === null ? null : before?.run === run ? before : { run, folded: false })),
    [run]
  )

  // The comparison belongs to one row; the next row starts with its own changes.
  const [chosenComparison, setChosenComparison] = useState<{ readonly key: string; readonly id: ComparisonId } | null>(
    null
  )
  const key = selected?.node.key ?? ''
  const choices = useMemo<readonly Comparison[]>(
    () => (selected ? comparisonsFor(selected.node, entryAbove(selected.node, rows)) : []),
    [selected, rows]
  )
  const chosenId = chosenComparison?.key === key ? chosenComparison.id : 'own'
  const chosen = choices.find(({ id }) => id === chosenId) ?? choices[0] ?? null
  const pair = useMemo(
    () => (selected?.against ? orderPair(selected.node, selected.against, selected.swapped, rows) : null),
    [selected, rows]
  )
  const comparison = useMemo(() => (pair ? compareQueryOf(pair, rows) : (chosen?.query ?? null)), [pair, rows, chosen])
  const question = useDeferredValue(useStable(comparison ? { workspace, ...comparison } : null))
  const live = selected?.against === null && status?.activeRuns.some((active) => active.run === run) === true
  const diff = useDiff(question, live || question?.to === 'now')

  return {
    status,
    refreshStatus: refresh,
    timeline,
    rows,
    rails,
    selected,
    pair,
    select,
    swap,
    holdSelection,
    fold: (row, folded) => {
      if (row.kind === 'entry') {
        if (row.entry.kind === 'run') setOpen({ run: row.entry.id, folded })
        return
      }
      setUnfolded((before) => {
        const next = new Set(before)
        if (folded) next.delete(row.key)
        else next.add(row.key)
        return next
      })
    },
    goTo,
    detail: openRun?.turns ? detail.data : null,
    compared: { choices, chosen, choose: (id) => setChosenComparison({ key, id }) },
    question,
    diff,
    live,
    now,
    filter,
    setFilter
  }
}

const NO_ENTRIES: readonly TimelineEntry[] = []

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

/** Poll interval of the status: a folder that disappears sends no event. */
const STATUS_EVERY_MS = 20_000

/** Status of the workspace. The disk is compared when the window gets the focus (DR-5). */
function useStatus(workspace: WorkspaceId): { status: WorkspaceStatus | null; refresh: () => void } {
  const { client } = useDriftline()
  const query = useQuery('workspace.status', { workspace, check: false })
  const { refetch } = query
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
  return { status: query.data, refresh: refetch }
}

/** Returns the same object until its content changes. */
function useStable<T>(value: T): T {
  const text = JSON.stringify(value)
  // biome-ignore lint/correctness/useExhaustiveDependencies: equal text means equal content.
  return useMemo(() => value, [text])
}

/** The value once it has not changed for `ms`; an empty value at once. */
function usePaused(value: string, ms: number): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return paused
}
