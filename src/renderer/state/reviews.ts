/**
 * Review state of diffs: reviewed files and kept hunks. Owns the part of it that is stored in this browser, for the
 * newest diffs only, because a review is of no use once its diff is forgotten. It is unknown to the engine: to keep a
 * hunk changes neither the disk nor the log.
 */

import type { FileChange } from '../../contract/diff.ts'

/** The review state of one diff. */
export interface Review {
  readonly reviewed: ReadonlySet<string>
  /** Keys of the kept hunks of a file. */
  kept(path: string): ReadonlySet<string>
  setReviewed(paths: readonly string[], on: boolean): void
  /** The file was undone, and is reviewed until that is reverted. */
  setUndone(path: string): void
  /** A part of the file was undone and the rest is decided: it is reviewed while `restore` is the last that undid a part. */
  setDecided(path: string, restore: string): void
  /** Keeps a hunk, or no longer; the latter also makes its file unreviewed. */
  setKept(path: string, key: string, on: boolean): void
  startOver(): void
}

const KEY = 'driftline.viewed'
const MAX_DIFFS = 60

/**
 * Diff key, paths of reviewed files, keys of kept hunks by path, paths of files that are reviewed while they are undone,
 * and by the path of a file the restore while which it is reviewed.
 */
type StoredReview = readonly [
  string,
  readonly string[],
  Readonly<Record<string, readonly string[]>>?,
  (readonly string[])?,
  Readonly<Record<string, string>>?
]
/** Newest diff first. */
export type StoredReviews = readonly StoredReview[]

export function loadReviews(): StoredReviews {
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(parsed) ? (parsed as StoredReviews) : []
  } catch (error) {
    // The stored value is not ours: start with none.
    if (error instanceof SyntaxError) return []
    throw error
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The parts of a stored review, while one of them changes. */
interface EditedReview {
  readonly reviewed: Set<string>
  kept: Record<string, readonly string[]>
  readonly undone: Set<string>
  readonly decided: Map<string, string>
}

/** The review of one diff, of which `files` are known. `write` stores a change of all reviews. */
export function reviewOf(
  stored: StoredReview | undefined,
  scope: string,
  files: readonly Pick<FileChange, 'path' | 'undoneBy' | 'partlyUndoneBy'>[],
  write: (change: (all: StoredReviews) => StoredReviews) => void
): Review {
  const [, paths = [], keys = {}, undone = [], decided = {}] = stored ?? []
  const kept = new Map(Object.entries(keys).map(([path, list]) => [path, new Set(list)]))
  const isFinished = ({ path, undoneBy, partlyUndoneBy }: (typeof files)[number]): boolean =>
    undoneBy === undefined
      ? partlyUndoneBy !== undefined && decided[path] === partlyUndoneBy
      : undone.includes(path) || path in decided
  const change = (edit: (review: EditedReview) => void) =>
    write((all) => {
      const [, before = [], keysBefore = {}, undoneBefore = [], decidedBefore = {}] =
        all.find(([key]) => key === scope) ?? []
      const edited = {
        reviewed: new Set(before),
        kept: { ...keysBefore },
        undone: new Set(undoneBefore),
        decided: new Map(Object.entries(decidedBefore))
      }
      edit(edited)
      const first = [
        scope,
        [...edited.reviewed],
        edited.kept,
        [...edited.undone],
        Object.fromEntries(edited.decided)
      ] as const
      const next: StoredReviews = [first, ...all.filter(([key]) => key !== scope)].slice(0, MAX_DIFFS)
      localStorage.setItem(KEY, JSON.stringify(next))
      return next
    })
  return {
    reviewed: new Set([...paths, ...files.filter(isFinished).map(({ path }) => path)]),
    kept: (path) => kept.get(path) ?? NONE,
    setReviewed: (paths, on) =>
      change(({ reviewed, undone, decided }) => {
        for (const path of paths) {
          if (on) reviewed.add(path)
          else reviewed.delete(path)
          undone.delete(path)
          decided.delete(path)
        }
      }),
    setUndone: (path) => change(({ undone }) => void undone.add(path)),
    setDecided: (path, restore) => change(({ decided }) => void decided.set(path, restore)),
    setKept: (path, key, on) =>
      change((review) => {
        const now = new Set(review.kept[path] ?? [])
        if (on) now.add(key)
        else {
          now.delete(key)
          review.reviewed.delete(path)
          review.decided.delete(path)
        }
        review.kept[path] = [...now]
      }),
    startOver: () =>
      change((review) => {
        review.reviewed.clear()
        review.undone.clear()
        review.decided.clear()
        review.kept = {}
      })
  }
}
