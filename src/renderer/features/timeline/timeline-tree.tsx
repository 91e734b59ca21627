/** The rows of the timeline: keyboard, selection and row actions. */
import { replaceEqualDeep } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { usePreferences } from '../../app/preferences.tsx'
import { isTextField } from '../../ui/keys.ts'
import { useTypeAhead } from '../../ui/use-type-ahead.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { useOpenWorkspace, useWorkspaceState } from '../workspace/state/context.tsx'
import { undoButtonLabel } from './row-actions.ts'
import { isSelectable } from './row-targets.ts'
import { type TimelineMove, timelineMove, typeAhead } from './timeline-keys.ts'
import { type RowActions, TimelineRow, type TreePosition } from './timeline-row.tsx'
import { type Row, rowHeight, type SelectableRow } from './timeline-rows.ts'
import { treePositions } from './tree-positions.ts'
import type { TimelineFocus } from './use-timeline-focus.ts'

/** The anchor of the open row menu. */
export interface RowMenu {
  readonly row: SelectableRow
  readonly anchor: DOMRect
}

interface TimelineTreeProps {
  readonly focus: TimelineFocus
  readonly onMenu: (menu: RowMenu) => void
}

const UNKNOWN_POSITION: TreePosition = { level: 1, size: -1, position: 1 }
/** Letters that are commands in a selected row: restore, undo, pin, swap. */
const COMMAND_LETTERS = 'rupxRUPX'

export function TimelineTree({ focus, onMenu }: TimelineTreeProps) {
  const { workspace } = useOpenWorkspace()
  const { list, at } = focus
  const rows = useWorkspaceState((state) => state.rows)
  const rails = useWorkspaceState((state) => state.rails)
  const status = useWorkspaceState((state) => state.status)
  const selected = useWorkspaceState((state) => state.selected?.node.key ?? null)
  const compared = useWorkspaceState((state) => state.selected?.against?.key ?? null)
  const loadOlder = useWorkspaceState(({ timeline }) => timeline?.loadOlder)
  const positions = usePositions(rows)
  const { rowActions, goTo, perform } = useRowActions(focus, onMenu)
  const onKeyDown = useTreeKeys(at, goTo, perform)

  // A changed filter makes a new list, which starts at its top.
  const filter = useWorkspaceState((state) => state.filter)
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
      alwaysRendered={at}
      onKeyDown={onKeyDown}
      {...(loadOlder ? { onNearEnd: loadOlder } : {})}
      renderRow={(row, index) => (
        <TimelineRow
          row={row}
          index={index}
          rail={rails[index]}
          place={positions[index] ?? UNKNOWN_POSITION}
          selected={row.key === selected}
          compared={row.key === compared}
          focusable={index === at}
          root={status?.workspace.root ?? workspace.root}
          undoLabel={undoButtonLabel(row, status)}
          actions={rowActions}
        />
      )}
    />
  )
}

function usePositions(rows: readonly Row[]): readonly (TreePosition | undefined)[] {
  const total = useWorkspaceState(({ timeline }) => timeline?.pages?.total ?? 0)
  const last = useRef<ReturnType<typeof treePositions> | undefined>(undefined)
  const positions = useMemo(() => replaceEqualDeep(last.current, treePositions(rows, total)), [rows, total])
  last.current = positions
  return positions
}

/** What rows and keys do. `rowActions` stays the same object. */
function useRowActions({ list, at, setKey, focusRow }: TimelineFocus, onMenu: (menu: RowMenu) => void) {
  const { store, actions } = useOpenWorkspace()
  const goTo = (index: number, extend: boolean) => {
    const row = store.getState().rows[index]
    if (!isSelectable(row)) return
    setKey(row.key)
    focusRow(index)
    actions.selectRow(row, extend)
  }
  const goToEnd = useGoToEnd((index) => goTo(index, false))
  const [rowActions] = useState<RowActions>(() => ({
    pick: (row, index, extend) => {
      setKey(row.key)
      focusRow(index)
      actions.selectRow(row, extend)
      // One pane is shown at a time: a click opens the next one.
      if (store.getState().layout === 'tabs' && !extend) actions.enterSelection()
    },
    onFocusRow: (row) => setKey(row.key),
    menu: (row, anchor) => onMenu({ row, anchor }),
    collapse: actions.setFolded,
    restore: actions.restoreRow,
    undo: actions.undoRow
  }))
  const openMenu = (row: SelectableRow) => {
    const element = list.current?.element?.querySelector(`[data-index="${at}"]`)
    if (element) onMenu({ row, anchor: element.getBoundingClientRect() })
  }
  const perform = (move: TimelineMove) => {
    const { rows, selected, filter } = store.getState()
    const row = rows[at]
    if ('to' in move) return goTo(move.to, move.extend)
    if (!isSelectable(row)) return
    if ('collapse' in move) {
      if (row.kind === 'entry' && row.key !== selected?.node.key) actions.selectRow(row, false)
      return actions.setFolded(row, move.collapse)
    }
    switch (move.do) {
      case 'enter':
        actions.selectRow(row, false)
        return actions.enterSelection()
      case 'select':
        return actions.selectRow(row, false)
      case 'menu':
        return openMenu(row)
      case 'clear':
        if (filter.text) actions.setFilter({ ...filter, text: '' })
        else if (selected?.against) actions.selectRow(row, false)
        return
      case 'end':
        goToEnd()
    }
  }
  return { rowActions, goTo, perform }
}

/** Keys of the tree; letters that are no commands jump to a row. */
function useTreeKeys(
  at: number,
  goTo: (index: number, extend: boolean) => void,
  perform: (move: TimelineMove) => void
) {
  const { store } = useOpenWorkspace()
  const { letterKeys } = usePreferences()
  const typeAheadState = useTypeAhead()
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
    const { rows, filter, selected } = store.getState()
    const pending = typeAheadState.pending()
    const move = pending && event.key.length === 1 ? null : timelineMove(rows, at, event, letterKeys)
    // With nothing to clear, Escape is left to the surrounding panes.
    if (move && 'do' in move && move.do === 'clear' && !filter.text && !selected?.against) return
    if (move) {
      event.preventDefault()
      return perform(move)
    }
    // Command letters are left to the command table; other letters jump to a row.
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key)
    if (!isLetter || event.metaKey || event.ctrlKey || event.altKey) return
    if (!pending && letterKeys && COMMAND_LETTERS.includes(event.key)) return
    // A longer prefix may still match the focused row.
    const found = typeAhead(rows, pending ? at - 1 : at, typeAheadState.append(event.key))
    event.preventDefault()
    if (found !== null) goTo(found, false)
  }
}

/** Returns the function for the End key: loads all entries first, then moves to the last row. */
function useGoToEnd(goTo: (index: number) => void): () => void {
  const { store } = useOpenWorkspace()
  const latest = useRef(goTo)
  latest.current = goTo
  const rows = useWorkspaceState((state) => state.rows)
  /** The rows to be followed by more. */
  const [shorter, setShorter] = useState<readonly Row[] | null>(null)
  useEffect(() => {
    if (shorter === null || shorter === rows) return
    setShorter(null)
    latest.current(rows.length - 1)
  }, [shorter, rows])
  return () => {
    const { rows: before, timeline } = store.getState()
    const goToLast = () => latest.current(store.getState().rows.length - 1)
    if (!timeline?.pages?.more) return goToLast()
    void timeline.loadAll().then((added) => (added ? setShorter(before) : goToLast()))
  }
}
