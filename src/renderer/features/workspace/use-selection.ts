/** The selection: one row of the timeline, or two to compare. Follows the rows as they change. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Row, SelectableRow } from '../timeline/timeline-rows.ts'

export interface Selected {
  readonly node: SelectableRow
  /** Second row of a comparison, null if one row is selected. */
  readonly against: SelectableRow | null
  /** The newer row is the left side. */
  readonly swapped: boolean
}

interface SelectionMemory {
  readonly key: string
  readonly againstKey: string | null
  readonly swapped: boolean
  /** The rows as last shown, used while a filter hides them. */
  readonly node: SelectableRow
  readonly other: SelectableRow | null
}

export interface SelectionState {
  readonly selected: Selected | null
  /** Keeps the current selection even if newer entries arrive. */
  holdSelection(): void
  select(row: SelectableRow, extend: boolean): void
  /** Swaps the sides of a comparison. */
  swap(): void
}

/** The newest entry is selected until the person selects or uses something. */
export function useSelection(rows: readonly Row[]): SelectionState {
  const [memory, setMemory] = useState<SelectionMemory | null>(null)

  const shown = useRef<Selected | null>(null)

  const selected = useMemo<Selected | null>(() => {
    if (!memory) {
      const first = rows.find((row) => row.kind === 'entry')
      return first?.kind === 'entry' ? { node: first, against: null, swapped: false } : shown.current
    }
    return {
      node: nodeIn(rows, memory.key) ?? memory.node,
      against: memory.againstKey === null ? null : (nodeIn(rows, memory.againstKey) ?? memory.other),
      swapped: memory.swapped
    }
  }, [rows, memory])

  useEffect(() => {
    shown.current = selected
  }, [selected])

  const holdSelection = useCallback(
    () => setMemory((before) => before ?? (shown.current ? remember(shown.current.node) : null)),
    []
  )
  const select = useCallback(
    (row: SelectableRow, extend: boolean) => {
      setMemory((before) => {
        const base = before ?? (selected ? remember(selected.node) : null)
        if (!extend || !base || base.key === row.key) return remember(row)
        return { ...base, againstKey: row.key, other: row, swapped: false }
      })
    },
    [selected]
  )

  const swap = useCallback(() => setMemory((before) => before && { ...before, swapped: !before.swapped }), [])

  return { selected, holdSelection, select, swap }
}

function remember(node: SelectableRow): SelectionMemory {
  return { key: node.key, againstKey: null, swapped: false, node, other: null }
}

function nodeIn(rows: readonly Row[], key: string): SelectableRow | null {
  const row = rows.find((candidate) => candidate.key === key)
  return row && row.kind !== 'day' ? row : null
}
