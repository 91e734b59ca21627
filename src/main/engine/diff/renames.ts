/**
 * Detects renames: pairs a deleted file with an added one of equal or similar content, like git's `diffcore-rename`.
 */
import { nameOf } from '../files/paths.ts'
import type { Store } from '../store/open-store.ts'
import { comparePaths, type PathChange, strongerAttribution } from './aggregate.ts'
import { readContent } from './describe-changes.ts'
import { lineKey, splitLines } from './lines.ts'

/** Larger contents are paired only if their hashes are equal, bytes. */
const COMPARE_LIMIT = 512 * 1024

/** Lists, totals and patches all use this function, so they agree on renames. */
export function withRenames(store: Store, changes: readonly PathChange[]): PathChange[] {
  return pairRenames(changes, (deleted, added) => {
    if (Math.max(deleted.before.size, added.after.size) > COMPARE_LIMIT) return 0
    const [before, after] = [readContent(store, deleted.before), readContent(store, added.after)]
    return before && after ? contentSimilarity(before, after) : 0
  })
}

/** Minimum similarity of a pair. */
const SIMILAR_ENOUGH = 0.6
/** With more deleted or added files, only files with the same name are compared. */
const COMPARE_ALL_UP_TO = 200
/** Each deleted file is compared with at most this many added ones, the most likely first. */
const CANDIDATES = 10

type Similarity = (deleted: PathChange, added: PathChange) => number

/**
 * Replaces each pair of a deleted and an added file by one change with `oldPath`; modes are kept on each side. Equal
 * contents are paired first, among them equal base names, then in path order. With `similarity` (0 to 1) the others are
 * paired, best first; it is called at most `CANDIDATES` times per deleted file. Empty files are never paired. Sorted by
 * path.
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
  const { size } = from.before
  const distance = (to: PathChange): number => Math.abs(to.after.size - size)
  return pool
    .filter((to) => Math.min(to.after.size, size) >= Math.max(to.after.size, size) * (SIMILAR_ENOUGH / 2))
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
    ...to,
    oldPath: from.path,
    before: from.before,
    attribution: strongerAttribution(from.attribution, to.attribution),
    interleaved: from.interleaved || to.interleaved
  }
}

/**
 * The share of the larger content, in bytes, that consists of lines both have, in any order: 0 to 1. O(size). Content
 * without line feeds is one line, so binary files are similar only if they are equal.
 */
export function contentSimilarity(before: Uint8Array, after: Uint8Array): number {
  const larger = Math.max(before.length, after.length)
  if (larger === 0) return 1
  const unmatched = new Map<string, number>()
  const [old, now] = [splitLines(before), splitLines(after)]
  if (old.unit !== now.unit) return 0
  for (let line = 0; line < old.count; line++) {
    const key = lineKey(old, line)
    unmatched.set(key, (unmatched.get(key) ?? 0) + 1)
  }
  let common = 0
  for (let line = 0; line < now.count; line++) {
    const key = lineKey(now, line)
    const copies = unmatched.get(key) ?? 0
    if (copies === 0) continue
    unmatched.set(key, copies - 1)
    common += now.starts[line + 1]! - now.starts[line]!
  }
  return common / larger
}
