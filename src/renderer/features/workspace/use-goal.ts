/** Selecting what may not be on screen yet: older entries are loaded and a run is opened until its row is there. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { NodeRow, Row } from '../timeline/rows.ts'
import type { Timeline } from '../timeline/use-timeline.ts'

export interface Goal {
  readonly entry: string
  /** One turn of the run. */
  readonly turn?: string
  /** Told the row once it is selected. */
  readonly done?: (row: NodeRow) => void
}

interface Deps {
  readonly rows: readonly Row[]
  readonly timeline: Timeline
  readonly filtered: boolean
  readonly clearFilter: () => void
  readonly select: (row: NodeRow, extend: boolean) => void
  /** Turns of the open run are known. */
  readonly detailed: (run: string) => boolean
}

export function useGoal(deps: Deps): (goal: Goal) => void {
  const [goal, setGoal] = useState<Goal | null>(null)
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
    const reach = (row: NodeRow) => {
      now.select(row, false)
      setGoal(null)
      goal.done?.(row)
    }
    const single = entry.entry.kind !== 'run' || entry.entry.turns <= 1
    if (!goal.turn || single) return reach(entry)
    const turn = now.rows.find((row) => row.kind === 'turn' && row.turn?.id === goal.turn)
    if (turn?.kind === 'turn') return reach(turn)
    if (now.detailed(goal.entry)) return reach(entry)
    now.select(entry, false)
  }, [goal, rows])

  return useCallback((next: Goal) => setGoal(next), [])
}
