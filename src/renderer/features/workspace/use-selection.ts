/** What is selected: one row of the timeline, or two to compare; kept in step with the rows as they change. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Row, SelectableRow } from '../timeline/timeline-rows.ts'

export interface Selected {
  readonly node: SelectableRow
  /** The other end of a comparison. */
  readonly against: SelectableRow | null
  /** The newer of the two comes first. */
  readonly swapped: boolean
}

interface SelectionMemory {
  readonly key: string
  readonly againstKey: string | null
  readonly swapped: boolean
  /** The rows as last seen, for when a filter hides them. */
  readonly node: SelectableRow
  readonly other: SelectableRow | null
}

export interface SelectionState {
  readonly selected: Selected | null
  /** Stays with what is selected now, even when something newer arrives. */
  holdSelection(): void
  select(row: SelectableRow, extend: boolean): void
  /** Turns a comparison of two rows round. */
  swap(): void
}

/** Until the reader chooses, or reads what is shown, the newest entry is selected. */
export function useSelection(rows: readonly Row[]): SelectionState {
  const [kept, setKept] = useState<SelectionMemory | null>(null)

  const shown = useRef<Selected | null>(null)

  const selected = useMemo<Selected | null>(() => {
    if (!kept) {
      const first = rows.find((row) => row.kind === 'entry')
      return first?.kind === 'entry' ? { node: first, against: null, swapped: false } : shown.current
    }
    return {
      node: nodeIn(rows, kept.key) ?? kept.node,
      against: kept.againstKey === null ? null : (nodeIn(rows, kept.againstKey) ?? kept.other),
      swapped: kept.swapped
    }
  }, [rows, kept])

  useEffect(() => {
    shown.current = selected
  }, [selected])

  const holdSelection = useCallback(
    () => setKept((before) => before ?? (shown.current ? remember(shown.current.node) : null)),
    []
  )
  const select = useCallback(
    (row: SelectableRow, extend: boolean) => {
      setKept((before) => {
        const base = before ?? (selected ? remember(selected.node) : null)
        if (!extend || !base || base.key === row.key) return remember(row)
        return { ...base, againstKey: row.key, other: row, swapped: false }
      })
    },
    [selected]
  )

  const swap = useCallback(() => setKept((before) => before && { ...before, swapped: !before.swapped }), [])

  return { selected, holdSelection, select, swap }
}

function remember(node: SelectableRow): SelectionMemory {
  return { key: node.key, againstKey: null, swapped: false, node, other: null }
}

function nodeIn(rows: readonly Row[], key: string): SelectableRow | null {
  const row = rows.find((candidate) => candidate.key === key)
  return row && row.kind !== 'day' ? row : null
}
