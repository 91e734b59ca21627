/** The rows of the timeline: keyboard, selection and row actions. */
import { replaceEqualDeep } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { isCommandKey } from '../../commands/dispatch.ts'
import { paneAction } from '../../commands/pane-keys.ts'
import type { EntryFilter } from '../../model/entry-filter.ts'
import { undoButtonLabel } from '../../model/row-actions.ts'
import { extendedTo } from '../../model/row-targets.ts'
import { searchMark } from '../../model/searched-rows.ts'
import {
  isSelectable,
  listShape,
  type Row,
  rowHeight,
  type SelectableRow,
  type TreePosition,
  treePositions
} from '../../model/timeline-rows.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import type { Timeline } from '../../state/use-timeline.ts'
import type { KeyPress } from '../../ui/keys.ts'
import { useListKeys } from '../../ui/use-list-keys.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { type RowActions, TimelineRow } from './timeline-row.tsx'
import type { TimelineFocus } from './use-timeline-focus.ts'

/** Whose menu is open, and where. */
export interface OpenRowMenu {
  readonly row: SelectableRow
  readonly anchor: DOMRect
}

type OnRowMenu = (menu: OpenRowMenu) => void

interface TimelineTreeProps {
  readonly focus: TimelineFocus
  readonly onMenu: OnRowMenu
}

const UNKNOWN_POSITION: TreePosition = { level: 1, size: -1, position: 1 }

export function TimelineTree({ focus, onMenu }: TimelineTreeProps) {
  const { workspace } = useOpenWorkspace()
  const { list, at } = focus
  const { rows, rails, status, gitChangedBy, filter, search } = useWorkspaceFields(
    'rows',
    'rails',
    'status',
    'gitChangedBy',
    'filter',
    'search'
  )
  const selected = useWorkspaceState((state) => state.selected?.node.key ?? null)
  const compared = useWorkspaceState((state) => state.selected?.against?.key ?? null)
  const loadOlder = useWorkspaceState(({ timeline }) => timeline?.loadOlder)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const positions = usePositions(rows)
  const comments = useQuery('comments.counts', { workspace: workspace.id }).data?.runs
  const moves = useMoves(focus)
  const rowActions = useRowActions(focus, moves, onMenu)
  const keys = useRowKeys(focus, moves, onMenu)
  const { letterKeys } = usePreferences()
  const onKeyDown = useListKeys({
    list: listShape(rows),
    at,
    letters: letterKeys,
    isReserved: (event) => letterKeys && isCommandKey(event, 'timeline'),
    onMove: moves.onMove,
    ...keys
  })

  useListWidth(list)
  // A changed filter makes a new list, which starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed filter scrolls.
  useLayoutEffect(() => {
    const element = list.current?.element
    if (element) element.scrollTop = 0
  }, [filter, list])

  return (
    <VirtualList
      ref={list}
      role="tree"
      label="Timeline"
      multiselectable
      className="tl-list"
      items={rows}
      keyOf={(row) => row.key}
      heightOf={rowHeight}
      alwaysRendered={[at]}
      onKeyDown={onKeyDown}
      renderRow={(row, index) => (
        <TimelineRow
          row={row}
          index={index}
          rail={rails[index]}
          place={positions[index] ?? UNKNOWN_POSITION}
          selected={row.key === selected}
          searched={row.kind === 'entry' ? searchMark(search, row.entry) : null}
          comments={(row.kind === 'entry' && comments?.[row.entry.id]) || 0}
          compared={row.key === compared}
          focusable={index === at}
          root={status?.workspace.root ?? workspace.root}
          undoLabel={undoButtonLabel(row, { status, gitChangedBy })}
          unavailable={unavailable}
          actions={rowActions}
          onGap={loadOlder}
        />
      )}
    />
  )
}

/** Tells the store how wide the list is: titles that are wider than a row have two lines. */
function useListWidth(list: TimelineFocus['list']): void {
  const { store } = useOpenWorkspace()
  useLayoutEffect(() => {
    const element = list.current?.element
    if (!element) return
    const measure = () => store.setState({ timelineWidth: element.clientWidth })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [store, list])
}

function usePositions(rows: readonly Row[]): readonly (TreePosition | undefined)[] {
  const total = useWorkspaceState(({ timeline }) => timeline?.pages?.total ?? 0)
  const last = useRef<ReturnType<typeof treePositions> | undefined>(undefined)
  const positions = useMemo(() => replaceEqualDeep(last.current, treePositions(rows, total)), [rows, total])
  last.current = positions
  return positions
}

type Moves = ReturnType<typeof useMoves>

/** How the tab stop moves, with the selection. */
function useMoves({ at, setKey, focusRow }: TimelineFocus) {
  const { store, actions } = useOpenWorkspace()
  const select = (row: SelectableRow, extend: boolean) =>
    extend ? actions.extendSelection(row) : actions.selectRow(row)
  const onMove = (to: number, extend: boolean) => {
    goToEnd.cancel()
    const { rows, selected } = store.getState()
    const index = extend && selected ? extendedTo(selected.node, rows, at, to) : to
    const row = rows[index]
    if (!row) return
    setKey(row.key)
    focusRow(index)
    if (isSelectable(row)) select(row, extend)
  }
  const goToEnd = useGoToEnd((index) => onMove(index, false))
  return { onMove, select, goToEnd }
}

/** What rows do: always the same object. */
function useRowActions({ setKey, focusRow }: TimelineFocus, { select, goToEnd }: Moves, onMenu: OnRowMenu): RowActions {
  const { store, actions } = useOpenWorkspace()
  const { host } = useDriftline()
  const [rowActions] = useState<RowActions>(() => ({
    pick: (row, index, extend) => {
      goToEnd.cancel()
      if (store.getState().layout === 'wide') actions.lingerOpenRun()
      setKey(row.key)
      focusRow(index)
      select(row, extend)
      // The timeline is alone or covers the other panes: a click leads on to them.
      if (store.getState().layout !== 'wide' && !extend) actions.enterSelection()
    },
    onFocusRow: (row) => setKey(row.key),
    // On another machine the files of a run are a round trip away, and its first diff another one.
    onNear: (row) => host !== null && actions.preload(row),
    onPress: actions.preload,
    menu: (row, anchor) => onMenu({ row, anchor }),
    collapse: actions.setFolded,
    collapseConversation: actions.setCollapsed,
    onFocusKey: setKey,
    restore: actions.restoreRow,
    undo: actions.undoRow,
    bisect: (row) => {
      actions.selectRow(row)
      store.setState({ dialog: 'bisect' })
    }
  }))
  return rowActions
}

/** What keys do with the row at the tab stop. */
function useRowKeys({ list, at }: TimelineFocus, { goToEnd }: Moves, onMenu: OnRowMenu) {
  const { store, actions } = useOpenWorkspace()
  const { letterKeys } = usePreferences()
  const openMenu = (row: SelectableRow) => {
    const element = list.current?.element?.querySelector(`[data-index="${at}"]`)
    if (element) onMenu({ row, anchor: element.getBoundingClientRect() })
  }
  const onExpand = (expand: boolean) => {
    const { rows, selected } = store.getState()
    const row = rows[at]
    if (row?.kind === 'conversation') return actions.setCollapsed(row.key, !expand)
    if (!isSelectable(row)) return
    if (row.kind === 'entry' && row.key !== selected?.node.key) actions.selectRow(row)
    actions.setFolded(row, !expand)
  }
  const onKey = (event: KeyPress): boolean => {
    const { rows, selected, filter } = store.getState()
    const row = rows[at]
    const action = paneAction('timeline', event, letterKeys)
    if (!action) return false
    if (row?.kind === 'conversation' && (action === 'enter' || action === 'select')) {
      actions.setCollapsed(row.key, row.open)
      return true
    }
    if (action === 'end') {
      goToEnd.start()
      return true
    }
    if (!isSelectable(row)) return action !== 'clear'
    switch (action) {
      case 'enter':
        actions.selectRow(row)
        actions.enterSelection()
        return true
      case 'select':
        actions.selectRow(row)
        return true
      case 'menu':
        openMenu(row)
        return true
      case 'clear':
        if (filter.text) actions.setFilter({ ...filter, text: '' })
        else if (selected?.against) actions.selectRow(row)
        // With nothing to clear, Escape is left to the surrounding panes.
        else return false
        return true
    }
  }
  return { onExpand, onKey }
}

/**
 * The End key: `start` waits for the oldest entries, then moves to the last row. Other entries may arrive first, so it
 * watches what is loaded and not the next change. A changed filter is another list and cancels it, as another move does.
 */
function useGoToEnd(goTo: (index: number) => void): { readonly start: () => void; readonly cancel: () => void } {
  const { store } = useOpenWorkspace()
  const latest = useRef(goTo)
  latest.current = goTo
  const { rows, timeline, filter } = useWorkspaceFields('rows', 'timeline', 'filter')
  /** The filter of the list whose end is wanted. */
  const [wantedIn, setWantedIn] = useState<EntryFilter | null>(null)
  const cancel = useCallback(() => setWantedIn(null), [])
  useEffect(() => {
    if (wantedIn === null) return
    if (wantedIn !== filter) cancel()
    else if (hasEnd(timeline)) latest.current(rows.length - 1)
  }, [wantedIn, filter, timeline, rows, cancel])
  const start = () => {
    const state = store.getState()
    const goToLast = () => latest.current(store.getState().rows.length - 1)
    if (hasEnd(state.timeline)) return goToLast()
    setWantedIn(state.filter)
    void state.timeline?.loadOldest().then((loaded) => {
      if (!loaded) goToLast()
    })
  }
  return { start, cancel }
}

/** Whether the last row is the oldest entry. */
function hasEnd(timeline: Timeline | null): boolean {
  return !timeline?.pages?.more || timeline.pages.oldest !== undefined
}
