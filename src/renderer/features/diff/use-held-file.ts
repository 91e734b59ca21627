/** Keeps what a pane says of the file before, while the diff of that file is on screen. */
import { useEffect, useRef, useState } from 'react'

/** How long a pane is still about the file before while the diff of the next one is loading, ms. */
const HOLD_MS = 200

/**
 * Whether the pane is still about the file before. `comparison`: what the file is a part of; in another one nothing is kept.
 * `path`: of the requested file, "" for none. `isCurrent`: its diff is loaded.
 */
export function useHeldFile(comparison: unknown, path: string, isCurrent: boolean): boolean {
  const shown = useRef({ comparison, path })
  const [late, setLate] = useState('')
  const isOther = shown.current.comparison === comparison && shown.current.path !== path
  const isHeld = isOther && !isCurrent && path !== '' && shown.current.path !== '' && late === ''
  if (!isHeld) shown.current = { comparison, path }
  useEffect(() => {
    if (!isHeld) return
    const timer = setTimeout(() => setLate(path), HOLD_MS)
    return () => clearTimeout(timer)
  }, [isHeld, path])
  useEffect(() => {
    if (isCurrent) setLate('')
  }, [isCurrent])
  return isHeld
}
