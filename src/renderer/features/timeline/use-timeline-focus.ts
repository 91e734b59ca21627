/**
 * The tab stop of the timeline: the row that had the focus last, else the selected one, else the first. It is held by
 * key: rows move while a run is live, and Tab must return to the same one.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { isSelectable, type Row } from '../../model/timeline-rows.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreservedFocus } from '../../ui/preserved-focus.ts'
import type { VirtualListHandle } from '../../ui/virtual-list.tsx'

export type TimelineFocus = ReturnType<typeof useTimelineFocus>

const indexOf = (rows: readonly Row[], key: string | null) =>
  key === null ? -1 : rows.findIndex((row) => row.key === key)

function tabStop(rows: readonly Row[], key: string | null, selected: string | null): number {
  const firstSelectable = rows.findIndex(isSelectable)
  return [indexOf(rows, key), indexOf(rows, selected), firstSelectable].find((index) => index >= 0) ?? 0
}

export function useTimelineFocus() {
  const { store } = useOpenWorkspace()
  const list = useRef<VirtualListHandle>(null)
  const [key, setKey] = useState<string | null>(null)
  const rows = useWorkspaceState((state) => state.rows)
  const selected = useWorkspaceState((state) => state.selected?.node.key ?? null)
  const at = useMemo(() => tabStop(rows, key, selected), [rows, key, selected])
  const latest = useRef(at)
  latest.current = at
  const preserved = usePreservedFocus(list, at, rows)
  // The newest entry, shown because nothing was chosen, takes no focus.
  const chosen = useWorkspaceState(({ memory }) => (memory === null ? null : selected))
  // What Back or Forward choose has the focus, if the entry before had it: the next key is about what is shown.
  useEffect(() => {
    const index = indexOf(store.getState().rows, chosen)
    const focused = document.activeElement?.closest<HTMLElement>('[data-key]')
    if (index < 0 || !focused || focused.dataset.key === chosen || !list.current?.element?.contains(focused)) return
    setKey(chosen)
    list.current.focusRow(index)
  }, [store, chosen])
  const focusSelected = useCallback(() => {
    const state = store.getState()
    const index = indexOf(state.rows, state.selected?.node.key ?? null)
    list.current?.focusRow(index >= 0 ? index : latest.current)
  }, [store])
  return {
    list,
    /** Index of the tab stop. */
    at,
    /** Handlers of the pane's element. */
    preserved,
    /** Makes a row the tab stop. */
    setKey,
    focusRow: useCallback((index: number) => list.current?.focusRow(index), []),
    /** Focuses the selected row. */
    focusSelected,
    focusCurrent: useCallback(() => list.current?.focusRow(latest.current), [])
  }
}
