/** The current time, updated every second while something live is shown, else every minute. */
import { useEffect, useState } from 'react'

export function useNow(everySecond: boolean): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everySecond ? 1000 : 60_000)
    return () => clearInterval(timer)
  }, [everySecond])
  return now
}
