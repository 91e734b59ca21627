/** Which files of a diff a person has ticked as viewed; remembered for the newest diffs on this computer. */
import { useCallback, useState } from 'react'

const KEY = 'driftline.viewed'
const MOST_DIFFS = 60

type Stored = readonly (readonly [string, readonly string[]])[]

function load(): Stored {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(parsed) ? (parsed as Stored) : []
  } catch (error) {
    // Someone else's text under our key: start over.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

/** `scope` names the diff. */
export function useViewed(scope: string): { viewed: ReadonlySet<string>; toggle: (path: string) => void } {
  const [all, setAll] = useState<Stored>(load)
  const viewed = new Set(all.find(([key]) => key === scope)?.[1] ?? [])
  const toggle = useCallback(
    (path: string) => {
      setAll((before) => {
        const now = new Set(before.find(([key]) => key === scope)?.[1] ?? [])
        if (!now.delete(path)) now.add(path)
        const next: Stored = [[scope, [...now]] as const, ...before.filter(([key]) => key !== scope)].slice(
          0,
          MOST_DIFFS
        )
        localStorage.setItem(KEY, JSON.stringify(next))
        return next
      })
    },
    [scope]
  )
  return { viewed, toggle }
}
