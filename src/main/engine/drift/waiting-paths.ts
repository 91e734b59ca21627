/**
 * Paths that changed and wait for a later check: ignored files for one that is not `live`, and what was reported since
 * the last position for the next position. Both in memory only: a new process scans.
 */
import type { Scope } from '../capture/reconcile.ts'
import type { Dirty } from '../watch/dirty-set.ts'

/** Paths, and folders with everything below them. */
type Named = Exclude<Dirty, 'all'>

/** More paths than this reported between two positions are left to the comparison in the background. */
const MAX_REPORTED = 50_000

export type PostponedPaths = ReturnType<typeof createPostponedPaths>

/** Ignored files that changed since the last check of another mode than `live`. */
export function createPostponedPaths(ignoresFile: (path: string) => boolean) {
  const postponed = new Set<string>()
  const withPostponed = ({ paths, trees }: Named): Named => ({ paths: new Set([...paths, ...postponed]), trees })
  return {
    /** `dirty` and what waits, which still waits. */
    with: withPostponed,
    /** `dirty` and what waited. */
    takeWith(dirty: Named): Named {
      const all = withPostponed(dirty)
      postponed.clear()
      return all
    },
    /** `dirty` without its ignored files, which wait from now on. */
    postpone({ paths, trees }: Named): Named {
      const now = new Set<string>()
      for (const path of paths) (ignoresFile(path) ? postponed : now).add(path)
      return { paths: now, trees }
    },
    clear: (): void => postponed.clear()
  }
}

export type ReportedPaths = ReturnType<typeof createReportedPaths>

/** What the watcher reported since the last position, in bounded memory. */
export function createReportedPaths() {
  const paths = new Set<string>()
  const trees = new Set<string>()
  const clear = (): void => {
    paths.clear()
    trees.clear()
  }
  return {
    add(more: Named): void {
      for (const path of more.paths) paths.add(path)
      for (const tree of more.trees) trees.add(tree)
      if (paths.size > MAX_REPORTED) paths.clear()
    },
    /** What was reported, with `dirty`, which is never left out; null = nothing. */
    takeWith(dirty: Named): Exclude<Scope, 'all'> | null {
      const taken = { paths: new Set([...paths, ...dirty.paths]), trees: new Set([...trees, ...dirty.trees]) }
      clear()
      return taken.paths.size === 0 && taken.trees.size === 0 ? null : taken
    },
    clear
  }
}
