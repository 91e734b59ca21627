/**
 * Pairs a deleted file with an added one: as the log recorded it [LG-7], else by equal or similar content, like git's
 * `diffcore-rename`.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import type { FileVersion } from '../../../contract/log.ts'
import { nameOf } from '../files/paths.ts'
import type { Store } from '../store/open-store.ts'
import { comparePaths, type PathChange, strongerAttribution } from './aggregate.ts'
import { readContent } from './describe-changes.ts'
import { lineKey, splitLines } from './lines.ts'

/** Larger contents are paired only if their hashes are equal, bytes. */
const COMPARE_LIMIT = 512 * 1024

/** Lists, totals and patches all use this function, so they agree on renames. */
export function withRenames(store: Store, changes: readonly PathChange[]): PathChange[] {
  return pairRenames(changes, similarityIn(store))
}

/** How alike what a path was and what another path is are; 0 for contents over the limit or not stored. */
export function similarityIn(store: Store): Similarity<RenameSide> {
  return (deleted, added) => {
    if (Math.max(deleted.before.size, added.after.size) > COMPARE_LIMIT) return 0
    const [before, after] = [readOrNothing(store, deleted.before), readOrNothing(store, added.after)]
    return before && after ? contentSimilarity(before, after) : 0
  }
}

/** [RS-18] A damaged content is like none: recording must not fail, and whoever shows the content reports the damage. */
function readOrNothing(store: Store, version: FileVersion): Buffer | null {
  try {
    return readContent(store, version)
  } catch (error) {
    if (error instanceof DriftlineError && error.code === 'StoreDamaged') return null
    throw error
  }
}

/** Minimum similarity of a pair. */
const SIMILAR_ENOUGH = 0.6
/** The same for the same inode number. It proves nothing alone: a new file often gets the number of a deleted one. */
const SAME_FILE_ENOUGH = 0.3
/** With more deleted or added files, only files with the same name are compared. */
const COMPARE_ALL_UP_TO = 200
/** Each deleted file is compared with at most this many added ones, the most likely first. */
const CANDIDATES = 10

/** A path before and after its change. */
export interface RenameSide extends Pick<PathChange, 'path' | 'before' | 'after' | 'movedFrom'> {
  /** Inode numbers on the disk, where they are known. */
  readonly inoBefore?: number | null
  readonly inoAfter?: number | null
}
/** 0 to 1. */
type Similarity<C extends RenameSide> = (deleted: C, added: C) => number

/** Replaces each pair of a deleted and an added file by one change with `oldPath`; modes are kept. Sorted by path. */
export function pairRenames(changes: readonly PathChange[], similarity?: Similarity<PathChange>): PathChange[] {
  const sorted = [...changes].sort((a, b) => comparePaths(a.path, b.path))
  const pairs = findRenames(sorted, similarity)
  if (pairs.size === 0) return sorted
  const moved = new Set(pairs.values())
  return sorted
    .filter((change) => !moved.has(change))
    .map((change) => {
      const from = pairs.get(change)
      return from ? asRename(from, change) : change
    })
}

/**
 * Added change -> the deleted change it is paired with. In this order: as recorded; the same file (inode number) with the
 * same bytes; equal contents, among them equal base names, then in path order; with `similarity` the same file with a
 * similar text, then similar texts, best first. The same file may also replace another one, as in a swap, or be replaced,
 * as in a rotation of logs; not by a similar text, which leaves a backup beside the file. `similarity` is called at most
 * `CANDIDATES` times per deleted or replaced file. Empty files are paired only as recorded. `sorted`: by path.
 */
export function findRenames<C extends RenameSide>(sorted: readonly C[], similarity?: Similarity<C>): Map<C, C> {
  const pairs = pairRecorded(sorted)
  const moved = new Set<RenameSide['inoBefore']>(sorted.map(({ inoBefore }) => inoBefore))
  const isCandidate = (change: C): boolean => !staysAtItsName(change, moved, similarity)
  pairSameFile(sorted, pairs, (from, to) => from.before.hash === to.after.hash && isCandidate(from))
  const deleted = sorted.filter(({ before, after }) => after.kind === 'absent' && isMovable(before))
  const added = sorted.filter(({ before, after }) => before.kind === 'absent' && isMovable(after))
  const free = (): [C[], C[]] => {
    const used = new Set(pairs.values())
    return [deleted.filter((change) => !used.has(change)), added.filter((change) => !pairs.has(change))]
  }
  pairEqual(...free(), pairs)
  if (!similarity) return pairs
  pairSameFile(sorted, pairs, (from, to) => similarity(from, to) >= SAME_FILE_ENOUGH && isCandidate(from))
  pairSimilar(...free(), pairs, similarity)
  return pairs
}

function pairRecorded<C extends RenameSide>(changes: readonly C[]): Map<C, C> {
  const pairs = new Map<C, C>()
  const deleted = new Map(changes.filter(({ after }) => after.kind === 'absent').map((change) => [change.path, change]))
  for (const target of changes) {
    if (target.movedFrom === undefined || target.before.kind !== 'absent') continue
    const source = deleted.get(target.movedFrom)
    if (source && deleted.delete(source.path)) pairs.set(target, source)
  }
  return pairs
}

function pairSameFile<C extends RenameSide>(
  changes: readonly C[],
  pairs: Map<C, C>,
  isAlike: (from: C, to: C) => boolean
): void {
  const used = new Set(pairs.values())
  const byIno = new Map(changes.map((change) => [change.inoBefore, change]))
  for (const target of changes) {
    const source = typeof target.inoAfter === 'number' ? byIno.get(target.inoAfter) : undefined
    if (!source || source === target || used.has(source) || pairs.has(target)) continue
    if (!isMovable(source.before) || !isMovable(target.after) || !isAlike(source, target)) continue
    pairs.set(target, source)
    used.add(source)
  }
}

/**
 * Editors and `sed -i.bak` move a file aside and write its next version under its name: it was not renamed, it has a
 * backup. What came to the name from another path, as in a swap, is no next version. `moved`: the inode numbers that the
 * paths had.
 */
function staysAtItsName<C extends RenameSide>(
  change: C,
  moved: ReadonlySet<RenameSide['inoBefore']>,
  similarity?: Similarity<C>
): boolean {
  if (!isMovable(change.after) || !similarity) return false
  const isArrival = typeof change.inoAfter === 'number' && moved.has(change.inoAfter)
  return !isArrival && similarity(change, change) >= SIMILAR_ENOUGH
}

function isMovable(version: PathChange['before']): boolean {
  return version.kind === 'file' && version.size > 0 && version.hash !== null
}

function pairEqual<C extends RenameSide>(deleted: readonly C[], added: readonly C[], pairs: Map<C, C>): void {
  const sources = Map.groupBy(deleted, (change) => change.before.hash)
  for (const [hash, targets] of Map.groupBy(added, (change) => change.after.hash)) {
    const same = sources.get(hash)
    if (!same) continue
    const named = Map.groupBy(same, (change) => nameOf(change.path))
    const used = new Set<C>()
    const rest: C[] = []
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
}

function pairSimilar<C extends RenameSide>(
  deleted: readonly C[],
  added: readonly C[],
  pairs: Map<C, C>,
  similarity: Similarity<C>
): void {
  const paired = new Set<C>()
  const byName = Map.groupBy(added, (change) => nameOf(change.path))
  const compareAll = deleted.length <= COMPARE_ALL_UP_TO && added.length <= COMPARE_ALL_UP_TO
  const scored: { from: C; to: C; score: number; sameName: boolean }[] = []
  for (const from of deleted) {
    const pool = compareAll ? added : (byName.get(nameOf(from.path)) ?? []).slice(0, COMPARE_ALL_UP_TO)
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
function likelyTargets<C extends RenameSide>(from: C, pool: readonly C[]): C[] {
  const { size } = from.before
  const distance = (to: C): number => Math.abs(to.after.size - size)
  return pool
    .filter((to) => Math.min(to.after.size, size) >= Math.max(to.after.size, size) * (SIMILAR_ENOUGH / 2))
    .sort((x, y) => nameLikeness(from, y) - nameLikeness(from, x) || distance(x) - distance(y))
    .slice(0, CANDIDATES)
}

function nameLikeness(from: RenameSide, to: RenameSide): number {
  const oldName = nameOf(from.path)
  const newName = nameOf(to.path)
  if (oldName === newName) return 2
  return extension(oldName) === extension(newName) ? 1 : 0
}

function extension(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function asRename(from: PathChange, { movedFrom: _, ...to }: PathChange): PathChange {
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
