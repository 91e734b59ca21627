/**
 * Selects a timeline row that may not exist yet: clears the filter, loads older entries and opens the run until the row
 * appears.
 */
import { useEffect, useRef } from 'react'
import type { Row, SelectableRow } from '../timeline/timeline-rows.ts'
import type { Timeline } from '../timeline/use-timeline.ts'
import { useOpenWorkspace, useWorkspaceState } from './state/context.tsx'
import { isFiltered, NO_FILTER } from './state/store.ts'

/** `text`: the filter's text that the rows were requested with. */
export function useReveal(rows: readonly Row[], timeline: Timeline, text: string): void {
  const { store, actions } = useOpenWorkspace()
  const target = useWorkspaceState(({ reveal }) => reveal)
  const detail = useWorkspaceState((state) => state.detail)
  const loading = useRef(false)

  useEffect(() => {
    if (!target) return
    const { filter } = store.getState()
    // These rows are of an earlier filter: the entry may be missing from those that follow.
    if (filter.text.trim() !== text || !(timeline.current || timeline.error)) return
    const entry = rows.find((row) => row.kind === 'entry' && row.key === target.entry)
    if (entry?.kind !== 'entry') {
      if (isFiltered(filter)) return store.setState({ filter: NO_FILTER })
      if (!timeline.pages?.more) return store.setState({ reveal: null })
      if (loading.current) return
      loading.current = true
      void timeline.loadAll().finally(() => {
        loading.current = false
      })
      return
    }
    const select = (row: SelectableRow) => {
      store.setState({ reveal: null })
      actions.selectRow(row, false)
      target.onSelected?.(row)
    }
    const single = entry.entry.kind !== 'run' || entry.entry.turns <= 1
    if (!target.turn || single) return select(entry)
    const turn = rows.find((row) => row.kind === 'turn' && row.turn?.id === target.turn)
    if (turn?.kind === 'turn') return select(turn)
    if (detail?.entry.id === target.entry) return select(entry)
    actions.selectRow(entry, false)
  }, [target, rows, timeline, text, detail, store, actions])
}
