/**
 * The current time for components that show it. One timer serves all of them and stops with the last; a tick renders
 * only the components whose second or minute changed.
 */
import { useCallback, useState, useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of [...listeners]) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

const never = () => () => {}

/** The first value is exact; later ones are whole seconds or minutes, as the component is drawn again. */
export function useNow(updated: 'second' | 'minute' | 'never'): number {
  const isShown = updated !== 'never'
  const step = updated === 'second' ? 1000 : 60_000
  const [start] = useState(() => Date.now())
  const tick = useSyncExternalStore(
    isShown ? subscribe : never,
    useCallback(() => (isShown ? Math.floor(Date.now() / step) : 0), [step, isShown])
  )
  return Math.max(start, tick * step)
}

/** The start of the current day. */
export function useToday(): number {
  return useSyncExternalStore(subscribe, () => new Date().setHours(0, 0, 0, 0))
}
