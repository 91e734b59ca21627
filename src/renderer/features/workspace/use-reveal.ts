/** Selecting what may not be on screen yet: older entries are loaded and a run is opened until its row is there. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Row, SelectableRow } from '../timeline/timeline-rows.ts'
import type { Timeline } from '../timeline/use-timeline.ts'

export interface RevealTarget {
  readonly entry: string
  /** One turn of the run. */
  readonly turn?: string
  /** Told the row once it is selected. */
  readonly onSelected?: (row: SelectableRow) => void
}

interface Deps {
  readonly rows: readonly Row[]
  readonly timeline: Timeline
  readonly filtered: boolean
  readonly clearFilter: () => void
  readonly select: (row: SelectableRow, extend: boolean) => void
  /** Turns of the open run are known. */
  readonly hasTurns: (run: string) => boolean
}

export function useReveal(deps: Deps): (goal: RevealTarget) => void {
  const [goal, setGoal] = useState<RevealTarget | null>(null)
  const latest = useRef(deps)
  latest.current = deps
  const loading = useRef(false)
  const { rows } = deps

  // biome-ignore lint/correctness/useExhaustiveDependencies: rows that come are what a goal waits for.
  useEffect(() => {
    if (!goal) return
    const now = latest.current
    const entry = now.rows.find((row) => row.kind === 'entry' && row.key === goal.entry)
    if (entry?.kind !== 'entry') {
      if (now.filtered) return now.clearFilter()
      if (!now.timeline.pages?.more) return setGoal(null)
      if (loading.current) return
      loading.current = true
      void now.timeline.loadAll().finally(() => {
        loading.current = false
      })
      return
    }
    const reach = (row: SelectableRow) => {
      now.select(row, false)
      setGoal(null)
      goal.onSelected?.(row)
    }
    const single = entry.entry.kind !== 'run' || entry.entry.turns <= 1
    if (!goal.turn || single) return reach(entry)
    const turn = now.rows.find((row) => row.kind === 'turn' && row.turn?.id === goal.turn)
    if (turn?.kind === 'turn') return reach(turn)
    if (now.hasTurns(goal.entry)) return reach(entry)
    now.select(entry, false)
  }, [goal, rows])

  return useCallback((next: RevealTarget) => setGoal(next), [])
}
