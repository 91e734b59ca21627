/** What a person does with the timeline's rows: filter, select, compare, fold and follow them. */
import { callPath } from '../../contract/words/tool-calls.ts'
import type { ComparisonId } from '../model/comparisons.ts'
import type { EntryFilter } from '../model/entry-filter.ts'
import { diffQueryOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import type { ActionDeps } from './action-deps.ts'
import { chooseFile } from './file-navigation.ts'
import { comparisonPreloader } from './preload-comparison.ts'
import { extended, selectionOf } from './selection.ts'

export function createTimelineActions(deps: Pick<ActionDeps, 'id' | 'store' | 'queries'>) {
  const { store } = deps
  const get = store.getState
  const requestComparison = comparisonPreloader(deps)
  const preload = (row: SelectableRow) => void requestComparison(row)
  const selectAlone = (row: SelectableRow) => {
    preload(row)
    store.setState({ memory: selectionOf(row) })
  }
  const chooseFileOf = (row: SelectableRow) => {
    if (row.kind === 'call') chooseFile(store, diffQueryOf(row, null), callPath(row.call))
  }
  return {
    /** Requests what a row shows: a row that is pressed, or that the pointer reaches, is probably chosen next. */
    preload,
    setFilter: (filter: EntryFilter) => store.setState({ filter }),
    /** Selects a row; a tool call also selects its file. */
    selectRow: (row: SelectableRow) => {
      selectAlone(row)
      chooseFileOf(row)
    },
    /** Compares a row with the selected one. */
    extendSelection: (row: SelectableRow) => {
      store.setState(({ memory, selected }) => ({ memory: extended(memory ?? selected, row) }))
      chooseFileOf(row)
    },
    /**
     * [UI-9] Keeps the rows of the open run while the pointer is over the timeline: without them the row that is
     * clicked next would jump away.
     */
    lingerOpenRun: () => {
      const { open, detail, expanded, lingering } = get()
      if (!open || open.folded) return
      const others = lingering.filter(({ run }) => run !== open.run)
      store.setState({ lingering: [...others, { ...(detail ?? { turns: null }), run: open.run, expanded }] })
    },
    endLingering: () => {
      if (get().lingering.length > 0) store.setState({ lingering: [] })
    },
    setFolded: (row: SelectableRow, folded: boolean) => {
      if (row.kind === 'entry') {
        store.setState(({ lingering }) => ({ lingering: lingering.filter(({ run }) => run !== row.entry.id) }))
        if (row.entry.kind === 'run') store.setState({ open: { run: row.entry.id, folded } })
        return
      }
      const expanded = new Set(get().expanded)
      if (folded) expanded.delete(row.key)
      else expanded.add(row.key)
      store.setState({ expanded })
    },
    /** Shows or hides the runs of a conversation. What is selected stays, whether it is in the list or not. */
    setCollapsed: (key: string, hidden: boolean) => {
      const { memory, selected, collapsed } = get()
      const next = new Set(collapsed)
      if (hidden) next.add(key)
      else next.delete(key)
      store.setState({ collapsed: next, memory: memory ?? selected })
    },
    /** Keeps the current selection even if newer entries arrive. */
    holdSelection: () => {
      const { memory, selected } = get()
      if (!memory && selected) store.setState({ memory: selected })
    },
    /** Swaps the sides of a comparison of two rows. */
    swap: () => store.setState(({ memory }) => ({ memory: memory && { ...memory, swapped: !memory.swapped } })),
    /** Ends a comparison of two rows. */
    clearPair: () => {
      const { selected } = get()
      if (selected) selectAlone(selected.node)
    },
    compare: (id: ComparisonId) => {
      const { selected, pair } = get()
      if (!selected) return
      if (pair) selectAlone(selected.node)
      store.setState({ comparison: { key: selected.node.key, id } })
    },
    setFollow: (on: boolean) =>
      store.setState(({ selected }) => ({ followed: on ? (selected?.node.key ?? null) : null }))
  }
}
