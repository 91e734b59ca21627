/** Escape, where nothing else handles it. */
import { useLayoutEffect, useRef } from 'react'
import { isModalOpen } from './dialog.tsx'

/** Calls `onEscape` for an Escape that nothing else handled; null handles none. */
export function useEscape(onEscape: (() => void) | null): void {
  const latest = useRef(onEscape)
  latest.current = onEscape
  // Before the paint, as all keys: whoever sees the pane can leave it.
  useLayoutEffect(() => {
    const listener = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !event.defaultPrevented && !isModalOpen()) latest.current?.()
    }
    window.addEventListener('keydown', listener)
    return () => window.removeEventListener('keydown', listener)
  }, [])
}
