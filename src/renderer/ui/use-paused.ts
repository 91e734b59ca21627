/** A value that changes often, such as typed text, once it has not changed for a while. */
import { useEffect, useState } from 'react'

/** An empty value at once. */
export function usePaused(value: string, ms: number): string {
  const [paused, setPaused] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), value === '' ? 0 : ms)
    return () => clearTimeout(timer)
  }, [value, ms])
  return paused
}
