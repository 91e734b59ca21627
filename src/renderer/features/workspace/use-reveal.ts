/**
 * Selects a timeline row that may not be loaded yet: clears the filter, loads entries and opens the run until the row
 * appears. Each new list of rows is one step nearer; rows that were requested with an earlier filter count for nothing.
 * It gives up when the whole timeline has been searched.
 */
import { useEffect, useRef } from 'react'
import { isFiltered, NO_FILTER } from '../../model/entry-filter.ts'
import type { Row, SelectableRow } from '../../model/timeline-rows.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { NO_PATHS } from '../../state/store.ts'
import type { Timeline } from '../../state/use-timeline.ts'

/** `text`: the filter's text that the rows were requested with. */
export function useReveal(rows: readonly Row[], timeline: Timeline, text: string): void {
  const { store, actions } = useOpenWorkspace()
  const target = useWorkspaceState(({ reveal }) => reveal)
  const detail = useWorkspaceState((state) => state.detail)
  /** What is being looked for, and how. */
  const search = useRef<{ readonly target: typeof target; readonly find: Timeline['find'] } | null>(null)

  useEffect(() => {
    if (!target) return
    const { filter } = store.getState()
    // These rows are of an earlier filter: the entry may be missing from those that follow.
    if (filter.text.trim() !== text || !(timeline.current || timeline.error)) return
    const entry = rows.find((row) => row.kind === 'entry' && row.key === target.entry)
    if (entry?.kind !== 'entry') {
      // The conversation that it belongs to may be collapsed.
      const isLoaded = timeline.pages?.entries.some(({ id }) => id === target.entry)
      if (isLoaded && store.getState().collapsed.size > 0) return store.setState({ collapsed: NO_PATHS })
      if (isFiltered(filter)) return store.setState({ filter: NO_FILTER })
      const { find } = timeline
      if (search.current?.target === target && search.current.find === find) return
      search.current = { target, find }
      // What names the entry, such as a banner, may be shown before the timeline has it.
      void find(target.entry)
        .catch(() => false)
        .then((found) => {
          if (found || search.current?.find !== find) return
          store.setState(({ reveal }) => (reveal === target ? { reveal: null } : {}))
        })
      return
    }
    const select = (row: SelectableRow) => {
      store.setState({ reveal: null })
      actions.selectRow(row)
      target.onSelected?.(row)
    }
    const single = entry.entry.kind !== 'run' || entry.entry.turns <= 1
    if (!target.turn || single) return select(entry)
    const turn = rows.find((row) => row.kind === 'turn' && row.turn?.id === target.turn)
    if (turn?.kind === 'turn') return select(turn)
    if (detail?.entry.id === target.entry) return select(entry)
    actions.selectRow(entry)
  }, [target, rows, timeline, text, detail, store, actions])
}
