/** A run's Edits, or any window of the log, as one change per path (LG-4). Pure. */
import type { Attribution, FileVersion } from '../../../contract/log.ts'
import { surelySame } from '../log/same-version.ts'
import { comparePaths } from './path-order.ts'
import type { PathChange } from './types.ts'

/** An Edit of the window. `mine` is false for Edits that are not part of what is asked for. */
export interface WindowEdit {
  readonly path: string
  readonly before: FileVersion
  readonly after: FileVersion
  readonly mine: boolean
  readonly attribution: Attribution
}

/**
 * One change per path from `edits` in log order: the first `before` and the last `after` of the Edits that are `mine`.
 * Paths whose ends are equal vanish; a foreign Edit between the first and the last of mine makes it `interleaved`.
 * Sorted by path bytes.
 */
export function composeRun(edits: readonly WindowEdit[]): PathChange[] {
  const byPath = new Map<string, Composition>()
  for (const edit of edits) {
    const open = byPath.get(edit.path)
    if (!edit.mine) {
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
    if (!surelySame(before, after)) changes.push({ path, before, after, attribution, interleaved })
  }
  return changes.sort((a, b) => comparePaths(a.path, b.path))
}

interface Composition {
  readonly before: FileVersion
  after: FileVersion
  attribution: Attribution
  interleaved: boolean
  /** Stays true: a foreign Edit after mine counts once mine follows it. */
  foreignSince: boolean
}

const STRENGTH: Readonly<Record<Attribution, number>> = { declared: 3, shared: 2, inferred: 1, none: 0 }

/** What a path with both attributions has: declared before shared before inferred before none. */
export function strongerAttribution(a: Attribution, b: Attribution): Attribution {
  return STRENGTH[b] > STRENGTH[a] ? b : a
}
