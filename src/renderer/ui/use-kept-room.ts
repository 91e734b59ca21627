/** Room for something that is still loading. */
import { useRef } from 'react'

/**
 * Whether there is to be room for it: `isThere`, and as it was last while that is null, not known yet. What is below moves
 * only if the answer differs.
 */
export function useKeptRoom(isThere: boolean | null): boolean {
  const last = useRef(false)
  if (isThere !== null) last.current = isThere
  return last.current
}
