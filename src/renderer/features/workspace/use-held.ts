/** Keeps the comparison before on screen until the next one can be drawn as a whole. */
import { notifyManager } from '@tanstack/react-query'
import { useEffect, useReducer, useRef, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import { useDriftline } from '../../client/context.tsx'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { isOnItsWay } from '../../state/preload-comparison.ts'
import type { Selected } from '../../state/selection.ts'

type Comparison = Params<'diff.files'>

/** How long what was chosen before is shown while the next comparison is loading, ms. */
const HOLD_MS = 200

/**
 * The comparison before, for a moment, while the files of the next one and the text of the first are requested: all of it
 * is then drawn at once, and nothing is emptied in between.
 */
export function useHeld(next: Comparison | null, selected: Selected | null): Comparison | null {
  const { queries } = useDriftline()
  const { store } = useOpenWorkspace()
  const shown = useRef(next)
  const [late, setLate] = useState<Comparison | null>(null)
  const [, checkAgain] = useReducer((count: number) => count + 1, 0)
  const isComing = next !== null && selected !== null && isOnItsWay(queries, next, selected, store.getState().picked)
  if (next === shown.current || !isComing || late === next || shown.current === null) shown.current = next
  const isHeld = shown.current !== next
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setLate(next), HOLD_MS)
    const check = notifyManager.batchCalls(checkAgain)
    const stop = queries.cache.getQueryCache().subscribe(({ type, query }) => {
      if (type === 'updated' && query.state.fetchStatus === 'idle') check()
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [isHeld, next, queries])
  return shown.current
}
