/** Pairs a deleted file with an added one of the same or similar content, so that a move reads as a move. */
import { strongerAttribution } from './aggregate.ts'
import { baseName, comparePaths } from './path-order.ts'
import type { PathChange } from './types.ts'

/** Below this a deleted and an added file are two files. */
const SIMILAR_ENOUGH = 0.6
/** More deleted or added files than this are only compared with files of the same name. */
const COMPARE_ALL_UP_TO = 200
/** Each deleted file is compared with at most this many added ones, the likeliest first. */
const CANDIDATES = 10

type Similarity = (deleted: PathChange, added: PathChange) => number

/**
 * Replaces each pair of a deleted and an added file by one change with `oldPath`; modes stay as they are on each side.
 * Equal content pairs first, within it equal base names, then path order. With `similarity` (0 to 1), the rest pairs
 * from 0.6 on, best first; it is called at most ten times per deleted file. Empty files never pair. Sorted by path.
 */
export function pairRenames(changes: readonly PathChange[], similarity?: Similarity): PathChange[] {
  const sorted = [...changes].sort((a, b) => comparePaths(a.path, b.path))
  const deleted = sorted.filter((change) => change.after.kind === 'absent' && isMovable(change.before))
  const added = sorted.filter((change) => change.before.kind === 'absent' && isMovable(change.after))
  const pairs = pairEqual(deleted, added)
  if (similarity) pairSimilar(deleted, added, pairs, similarity)
  if (pairs.size === 0) return sorted
  const moved = new Set(pairs.values())
  return sorted
    .filter((change) => !moved.has(change))
    .map((change) => {
      const from = pairs.get(change)
      return from ? asRename(from, change) : change
    })
}

function isMovable(version: PathChange['before']): boolean {
  return version.kind === 'file' && version.size > 0 && version.hash !== null
}

/** Added change -> the deleted change it comes from. */
type Pairs = Map<PathChange, PathChange>

function pairEqual(deleted: readonly PathChange[], added: readonly PathChange[]): Pairs {
  const pairs: Pairs = new Map()
  const sources = Map.groupBy(deleted, (change) => change.before.hash)
  for (const [hash, targets] of Map.groupBy(added, (change) => change.after.hash)) {
    const same = sources.get(hash)
    if (!same) continue
    const named = Map.groupBy(same, (change) => baseName(change.path))
    const used = new Set<PathChange>()
    const rest: PathChange[] = []
    for (const target of targets) {
      const source = named.get(baseName(target.path))?.shift()
      if (source) {
        pairs.set(target, source)
        used.add(source)
      } else rest.push(target)
    }
    const free = same.filter((source) => !used.has(source))
    for (const [i, source] of free.slice(0, rest.length).entries()) pairs.set(rest[i]!, source)
  }
  return pairs
}

function pairSimilar(
  deleted: readonly PathChange[],
  added: readonly PathChange[],
  pairs: Pairs,
  similarity: Similarity
): void {
  const taken = new Set(pairs.values())
  const sources = deleted.filter((change) => !taken.has(change))
  const targets = added.filter((change) => !pairs.has(change))
  const byName = Map.groupBy(targets, (change) => baseName(change.path))
  const compareAll = sources.length <= COMPARE_ALL_UP_TO && targets.length <= COMPARE_ALL_UP_TO
  const scored: { from: PathChange; to: PathChange; score: number; sameName: boolean }[] = []
  for (const from of sources) {
    const pool = compareAll ? targets : (byName.get(baseName(from.path)) ?? []).slice(0, COMPARE_ALL_UP_TO)
    for (const to of likeliest(from, pool)) {
      const score = similarity(from, to)
      if (score >= SIMILAR_ENOUGH) scored.push({ from, to, score, sameName: likeness(from, to) >= 2 })
    }
  }
  // The sort is stable and the input sorted by path, so ties go by path.
  scored.sort((x, y) => y.score - x.score || Number(y.sameName) - Number(x.sameName))
  for (const { from, to } of scored) {
    if (taken.has(from) || pairs.has(to)) continue
    pairs.set(to, from)
    taken.add(from)
  }
}

/** Files that can be similar by their sizes: same name first, then same extension, then nearest in size. */
function likeliest(from: PathChange, pool: readonly PathChange[]): PathChange[] {
  const distance = (to: PathChange): number => Math.abs(to.after.size - from.before.size)
  return pool
    .filter((to) => {
      const sizes = [from.before.size, to.after.size]
      return Math.min(...sizes) >= Math.max(...sizes) * (SIMILAR_ENOUGH / 2)
    })
    .sort((x, y) => likeness(from, y) - likeness(from, x) || distance(x) - distance(y))
    .slice(0, CANDIDATES)
}

function likeness(from: PathChange, to: PathChange): number {
  const oldName = baseName(from.path)
  const newName = baseName(to.path)
  if (oldName === newName) return 2
  return extension(oldName) === extension(newName) ? 1 : 0
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function asRename(from: PathChange, to: PathChange): PathChange {
  return {
    path: to.path,
    oldPath: from.path,
    before: from.before,
    after: to.after,
    attribution: strongerAttribution(from.attribution, to.attribution),
    interleaved: from.interleaved || to.interleaved
  }
}
