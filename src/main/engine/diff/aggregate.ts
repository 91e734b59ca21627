/** [LG-4] Composes a run's Edits, or any window of the log, into one change per path. Pure. */
import type { Attribution, FileVersion } from '../../../contract/log.ts'
import { isProvablySame } from '../log/same-version.ts'
import { comparePaths } from './path-order.ts'
import type { PathChange } from './types.ts'

/** An Edit of the window. `own` is false for Edits of other writers: they are not composed, but noticed. */
export interface WindowEdit {
  readonly path: string
  readonly before: FileVersion
  readonly after: FileVersion
  readonly own: boolean
  readonly attribution: Attribution
}

/**
 * One change per path from `edits` in log order: from the first `before` to the last `after` of the path's own Edits. A path
 * whose two ends are provably the same is dropped; a foreign Edit between the first and the last own one makes the change
 * `interleaved`. Sorted by path bytes. O(n log n).
 */
export function composeChanges(edits: readonly WindowEdit[]): PathChange[] {
  const byPath = new Map<string, Composition>()
  for (const edit of edits) {
    const open = byPath.get(edit.path)
    if (!edit.own) {
      if (open) open.foreignSince = true
    } else if (open) {
      open.after = edit.after
      open.interleaved = open.foreignSince
      open.attribution = strongerAttribution(open.attribution, edit.attribution)
    } else {
      byPath.set(edit.path, {
        before: edit.before,
        after: edit.after,
        attribution: edit.attribution,
        interleaved: false,
        foreignSince: false
      })
    }
  }
  const changes: PathChange[] = []
  for (const [path, { before, after, attribution, interleaved }] of byPath) {
    if (!isProvablySame(before, after)) changes.push({ path, before, after, attribution, interleaved })
  }
  return changes.sort((a, b) => comparePaths(a.path, b.path))
}

interface Composition {
  readonly before: FileVersion
  after: FileVersion
  attribution: Attribution
  interleaved: boolean
  /** A foreign Edit followed the first own one. It counts when another own Edit follows. */
  foreignSince: boolean
}

const STRENGTH: Readonly<Record<Attribution, number>> = { declared: 3, shared: 2, inferred: 1, none: 0 }

/** The attribution of a path that has both: declared before shared before inferred before none. */
export function strongerAttribution(a: Attribution, b: Attribution): Attribution {
  return STRENGTH[b] > STRENGTH[a] ? b : a
}
