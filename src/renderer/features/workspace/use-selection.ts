/** What is selected: one row of the timeline, or two to compare; kept in step with the rows as they change. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { NodeRow, Row } from '../timeline/rows.ts'

export interface Selected {
  readonly node: NodeRow
  /** The other end of a comparison. */
  readonly other: NodeRow | null
  /** The newer of the two comes first. */
  readonly swapped: boolean
}

interface Kept {
  readonly key: string
  readonly otherKey: string | null
  readonly swapped: boolean
  /** The rows as last seen, for when a filter hides them. */
  readonly node: NodeRow
  readonly other: NodeRow | null
}

export interface SelectionState {
  readonly selected: Selected | null
  /** Stays with what is selected now, even when something newer arrives. */
  hold(): void
  select(row: NodeRow, extend: boolean): void
  /** Turns a comparison of two rows round. */
  swap(): void
}

/** Until the reader chooses, or reads what is shown, the newest entry is selected. */
export function useSelection(rows: readonly Row[]): SelectionState {
  const [kept, setKept] = useState<Kept | null>(null)

  const shown = useRef<Selected | null>(null)

  const selected = useMemo<Selected | null>(() => {
    if (!kept) {
      const first = rows.find((row) => row.kind === 'entry')
      return first?.kind === 'entry' ? { node: first, other: null, swapped: false } : shown.current
    }
    return {
      node: nodeIn(rows, kept.key) ?? kept.node,
      other: kept.otherKey === null ? null : (nodeIn(rows, kept.otherKey) ?? kept.other),
      swapped: kept.swapped
    }
  }, [rows, kept])

  useEffect(() => {
    shown.current = selected
  }, [selected])

  const hold = useCallback(() => setKept((before) => before ?? (shown.current ? keep(shown.current.node) : null)), [])
  const select = useCallback(
    (row: NodeRow, extend: boolean) => {
      setKept((before) => {
        const base = before ?? (selected ? keep(selected.node) : null)
        if (!extend || !base || base.key === row.key) return keep(row)
        return { ...base, otherKey: row.key, other: row, swapped: false }
      })
    },
    [selected]
  )

  const swap = useCallback(() => setKept((before) => before && { ...before, swapped: !before.swapped }), [])

  return { selected, hold, select, swap }
}

function keep(node: NodeRow): Kept {
  return { key: node.key, otherKey: null, swapped: false, node, other: null }
}

function nodeIn(rows: readonly Row[], key: string): NodeRow | null {
  const row = rows.find((candidate) => candidate.key === key)
  return row && row.kind !== 'day' ? row : null
}
