/** Review state of a diff: viewed files and kept hunks. Stored in this browser for the newest diffs. */
import { useCallback, useMemo, useState } from 'react'
import type { Review } from '../diff/review.ts'

const KEY = 'driftline.viewed'
const MAX_DIFFS = 60

/** Diff key, paths of viewed files, keys of kept hunks by path. Newest diff first. */
type Stored = readonly (readonly [string, readonly string[], Readonly<Record<string, readonly string[]>>?])[]

function load(): Stored {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(parsed) ? (parsed as Stored) : []
  } catch (error) {
    // The stored value is not ours: start with none.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

const NONE: ReadonlySet<string> = new Set()

/** `scope` identifies the diff. */
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
          MAX_DIFFS
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
      reviewed: new Set(paths),
      kept: (path) => kept.get(path) ?? NONE,
      setReviewed: (path, on) =>
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
