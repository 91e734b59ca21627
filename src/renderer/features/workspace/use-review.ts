/** What a person has looked at and kept of a diff: whole files, and single changes. Remembered for the newest diffs on this computer. */
import { useCallback, useMemo, useState } from 'react'
import type { Review } from '../diff/review.ts'

const KEY = 'driftline.viewed'
const MOST_DIFFS = 60

/** Diff, paths of viewed files, kept changes by path. */
type Stored = readonly (readonly [string, readonly string[], Readonly<Record<string, readonly string[]>>?])[]

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

const NONE: ReadonlySet<string> = new Set()

/** `scope` names the diff. */
export function useReview(scope: string): Review {
  const [all, setAll] = useState<Stored>(load)
  const entry = all.find(([key]) => key === scope)
  const change = useCallback(
    (edit: (viewed: Set<string>, kept: Record<string, readonly string[]>) => void) => {
      setAll((before) => {
        const [, paths = [], keys = {}] = before.find(([key]) => key === scope) ?? []
        const viewed = new Set(paths)
        const kept = { ...keys }
        edit(viewed, kept)
        const next: Stored = [[scope, [...viewed], kept] as const, ...before.filter(([key]) => key !== scope)].slice(
          0,
          MOST_DIFFS
        )
        localStorage.setItem(KEY, JSON.stringify(next))
        return next
      })
    },
    [scope]
  )
  return useMemo<Review>(() => {
    const [, paths = [], keys = {}] = entry ?? []
    const kept = new Map(Object.entries(keys).map(([path, list]) => [path, new Set(list)]))
    return {
      viewed: new Set(paths),
      kept: (path) => kept.get(path) ?? NONE,
      setViewed: (path, on) =>
        change((files) => {
          if (on) files.add(path)
          else files.delete(path)
        }),
      setKept: (path, key, on) =>
        change((files, changes) => {
          const now = new Set(changes[path] ?? [])
          if (on) now.add(key)
          else {
            now.delete(key)
            files.delete(path)
          }
          changes[path] = [...now]
        }),
      startOver: () =>
        change((files, changes) => {
          files.clear()
          for (const path of Object.keys(changes)) delete changes[path]
        })
    }
  }, [entry, change])
}
