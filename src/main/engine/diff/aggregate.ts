/** [LG-4] Composes a run's edits, or any window of the log, into one change per path. Pure. */
import type { Attribution, FileVersion } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'

/** One path that differs between two positions; `oldPath` is set when it was renamed from there. */
export interface PathChange {
  readonly path: string
  readonly oldPath?: string
  /** [LG-7] The path that its content came from within these edits, as recorded. */
  readonly movedFrom?: string
  readonly before: FileVersion
  readonly after: FileVersion
  readonly attribution: Attribution
  /** Others changed the path between the first and the last of these edits. */
  readonly interleaved: boolean
}

/** An edit of the window. `own` is false for edits of other writers: they are not composed, but noticed. */
export interface WindowEdit<Version = FileVersion> extends Pick<PathChange, 'path' | 'movedFrom' | 'attribution'> {
  readonly before: Version
  readonly after: Version
  readonly own: boolean
}

/**
 * One change per path from `edits` in log order: from the first `before` to the last `after` of the path's own edits. A
 * path whose two ends are provably the same is dropped; a foreign edit between the first and the last own one makes the
 * change `interleaved`. Sorted by path bytes. O(n log n).
 * The edits name their versions: `read` gets the names at the ends of each path, which it needs.
 */
export function composeChanges<Name>(
  edits: readonly WindowEdit<Name>[],
  read: (names: readonly Name[]) => (name: Name) => FileVersion
): PathChange[] {
  type Edit = WindowEdit<Name>
  const byPath = new Map<string, { first: Edit; last: Edit; attribution: Attribution; interleaved: boolean }>()
  /** Paths with a foreign edit after the first own one. It counts when another own edit follows. */
  const foreignSince = new Set<string>()
  /** New path -> old path, of the own renames. */
  const origins = new Map<string, string>()
  for (const edit of edits) {
    const { path, movedFrom, attribution, own } = edit
    const open = byPath.get(path)
    if (own && movedFrom !== undefined) origins.set(path, origins.get(movedFrom) ?? movedFrom)
    if (!own) {
      if (open) foreignSince.add(path)
    } else if (open) {
      open.last = edit
      open.attribution = strongerAttribution(open.attribution, attribution)
      open.interleaved = foreignSince.has(path)
    } else byPath.set(path, { first: edit, last: edit, attribution, interleaved: false })
  }
  const ends = [...byPath.values()].flatMap(({ first, last }) => [first.before, last.after])
  const versionOf = read(ends)
  return [...byPath]
    .map(([path, { first, last, attribution, interleaved }]): PathChange => {
      return { path, before: versionOf(first.before), after: versionOf(last.after), attribution, interleaved }
    })
    .filter(({ before, after }) => !isProvablySame(before, after))
    .map((change) => {
      const movedFrom = origins.get(change.path)
      return movedFrom === undefined || movedFrom === change.path ? change : { ...change, movedFrom }
    })
    .sort((a, b) => comparePaths(a.path, b.path))
}

const STRENGTH: Readonly<Record<Attribution, number>> = { declared: 3, shared: 2, inferred: 1, none: 0 }

/** The attribution of a path that has both: declared before shared before inferred before none. */
export function strongerAttribution(a: Attribution, b: Attribution): Attribution {
  return STRENGTH[b] > STRENGTH[a] ? b : a
}

/**
 * The order of paths in diffs, as git sorts: negative, zero or positive, like `Buffer.compare` of both paths in UTF-8,
 * but without allocating buffers.
 */
export function comparePaths(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    // Surrogates (U+10000 and up) sort below U+E000..U+FFFF in UTF-16, but above them in UTF-8.
    if (x !== y) return rank(x) - rank(y)
  }
  return a.length - b.length
}

function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
