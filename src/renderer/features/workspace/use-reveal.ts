/**
 * Selects a timeline row that may not exist yet: clears the filter, loads older entries and opens the run until the row
 * appears.
 */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Row, SelectableRow } from '../timeline/timeline-rows.ts'
import type { Timeline } from '../timeline/use-timeline.ts'

export interface RevealTarget {
  readonly entry: string
  /** One turn of the run. */
  readonly turn?: string
  /** Called with the row once it is selected. */
  readonly onSelected?: (row: SelectableRow) => void
}

interface Deps {
  readonly rows: readonly Row[]
  readonly timeline: Timeline
  readonly filtered: boolean
  readonly clearFilter: () => void
  readonly select: (row: SelectableRow, extend: boolean) => void
  /** Whether the turns of a run are loaded. */
  readonly hasTurns: (run: string) => boolean
}

export function useReveal(deps: Deps): (target: RevealTarget) => void {
  const [target, setTarget] = useState<RevealTarget | null>(null)
  const latest = useRef(deps)
  latest.current = deps
  const loading = useRef(false)
  const { rows } = deps

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new row may be the target.
  useEffect(() => {
    if (!target) return
    const now = latest.current
    const entry = now.rows.find((row) => row.kind === 'entry' && row.key === target.entry)
    if (entry?.kind !== 'entry') {
      if (now.filtered) return now.clearFilter()
      if (!now.timeline.pages?.more) return setTarget(null)
      if (loading.current) return
      loading.current = true
      void now.timeline.loadAll().finally(() => {
        loading.current = false
      })
      return
    }
    const select = (row: SelectableRow) => {
      now.select(row, false)
      setTarget(null)
      target.onSelected?.(row)
    }
    const single = entry.entry.kind !== 'run' || entry.entry.turns <= 1
    if (!target.turn || single) return select(entry)
    const turn = now.rows.find((row) => row.kind === 'turn' && row.turn?.id === target.turn)
    if (turn?.kind === 'turn') return select(turn)
    if (now.hasTurns(target.entry)) return select(entry)
    now.select(entry, false)
  }, [target, rows])

  return useCallback((next: RevealTarget) => setTarget(next), [])
}
