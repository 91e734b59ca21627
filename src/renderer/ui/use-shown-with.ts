/** What belongs to something on screen changes together with it. */
import { useRef } from 'react'

/** `newest` while that is on screen, else what it was when it was last. */
export function useShownWith<T>(isOnScreen: boolean, newest: T): T {
  const last = useRef(newest)
  if (isOnScreen) last.current = newest
  return last.current
}
