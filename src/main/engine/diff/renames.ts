/** Detects renames: pairs a deleted file with an added one of equal or similar content, like git's `diffcore-rename`. */

import { nameOf } from '../files/paths.ts'
import { strongerAttribution } from './aggregate.ts'
import { comparePaths } from './path-order.ts'
import type { PathChange } from './types.ts'

/** Minimum similarity of a pair. */
const SIMILAR_ENOUGH = 0.6
/** With more deleted or added files, only files with the same name are compared. */
const COMPARE_ALL_UP_TO = 200
/** Each deleted file is compared with at most this many added ones, the most likely first. */
const CANDIDATES = 10

type Similarity = (deleted: PathChange, added: PathChange) => number

/**
 * Replaces each pair of a deleted and an added file by one change with `oldPath`; modes are kept on each side. Equal contents
 * are paired first, among them equal base names, then in path order. With `similarity` (0 to 1) the others are paired, best
 * first; it is called at most `CANDIDATES` times per deleted file. Empty files are never paired. Sorted by path.
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

/** Added change -> the deleted change it is paired with. */
type Pairs = Map<PathChange, PathChange>

function pairEqual(deleted: readonly PathChange[], added: readonly PathChange[]): Pairs {
  const pairs: Pairs = new Map()
  const sources = Map.groupBy(deleted, (change) => change.before.hash)
  for (const [hash, targets] of Map.groupBy(added, (change) => change.after.hash)) {
    const same = sources.get(hash)
    if (!same) continue
    const named = Map.groupBy(same, (change) => nameOf(change.path))
    const used = new Set<PathChange>()
    const rest: PathChange[] = []
    for (const target of targets) {
      const source = named.get(nameOf(target.path))?.shift()
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
  const paired = new Set(pairs.values())
  const sources = deleted.filter((change) => !paired.has(change))
  const targets = added.filter((change) => !pairs.has(change))
  const byName = Map.groupBy(targets, (change) => nameOf(change.path))
  const compareAll = sources.length <= COMPARE_ALL_UP_TO && targets.length <= COMPARE_ALL_UP_TO
  const scored: { from: PathChange; to: PathChange; score: number; sameName: boolean }[] = []
  for (const from of sources) {
    const pool = compareAll ? targets : (byName.get(nameOf(from.path)) ?? []).slice(0, COMPARE_ALL_UP_TO)
    for (const to of likelyTargets(from, pool)) {
      const score = similarity(from, to)
      if (score >= SIMILAR_ENOUGH) scored.push({ from, to, score, sameName: nameLikeness(from, to) >= 2 })
    }
  }
  // The sort is stable and the input is sorted by path, so ties are resolved by path.
  scored.sort((x, y) => y.score - x.score || Number(y.sameName) - Number(x.sameName))
  for (const { from, to } of scored) {
    if (paired.has(from) || pairs.has(to)) continue
    pairs.set(to, from)
    paired.add(from)
  }
}

/** The added files whose size allows enough similarity: same name first, then same extension, then closest size. */
function likelyTargets(from: PathChange, pool: readonly PathChange[]): PathChange[] {
  const distance = (to: PathChange): number => Math.abs(to.after.size - from.before.size)
  return pool
    .filter((to) => {
      const sizes = [from.before.size, to.after.size]
      return Math.min(...sizes) >= Math.max(...sizes) * (SIMILAR_ENOUGH / 2)
    })
    .sort((x, y) => nameLikeness(from, y) - nameLikeness(from, x) || distance(x) - distance(y))
    .slice(0, CANDIDATES)
}

function nameLikeness(from: PathChange, to: PathChange): number {
  const oldName = nameOf(from.path)
  const newName = nameOf(to.path)
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
