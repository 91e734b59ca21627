/**
 * How up to date the log of one folder is: when it was last compared with the disk, and which paths changed since.
 * Chooses what a check has to compare. Invariants: dirty paths that were consumed but not compared make the next check
 * a scan; a position that did not scan makes a comparison of the whole folder due.
 */
import type { IgnoreRules } from '../capture/ignore-rules.ts'
import type { Scope } from '../capture/reconcile.ts'
import { isWithin, nameOf } from '../files/paths.ts'
import type { Dirty } from '../watch/dirty-set.ts'
import type { FolderWatch } from '../watch/watcher.ts'

/**
 * - `position`: a position is taken or a plan made (CK-2). A write through a memory mapping (mmap) causes no event, so
 *   a small folder is scanned; in a larger one every path reported since the last position is compared once more, and
 *   the whole folder later, in the background (comparison.ts).
 * - `present`: a client requests the current status. Only dirty paths are compared if the watcher has caught up.
 * - `live`: the watcher reported changes. As `present`, but git-ignored files wait for the next check of another mode,
 *   so that not every write of a busy log file is recorded.
 */
export type CheckMode = 'position' | 'present' | 'live'

/** A position scans a folder of up to this many paths: that takes about 10 ms. */
export const SMALL_FOLDER = 4096
/** More paths than this reported between two positions are left to the comparison in the background. */
const MAX_REPORTED = 50_000

export type DiskWatch = ReturnType<typeof createDiskWatch>

interface DiskWatchOptions {
  /** The watch on the folder; null while it is not watched, and every check is a scan then. */
  watch(): FolderWatch | null
  readonly rules: Pick<IgnoreRules, 'refresh' | 'ignoresFile'>
  /** ms UTC */
  now(): number
}

export function createDiskWatch({ watch, rules, now }: DiskWatchOptions) {
  let checkedAt: number | null = null
  /** When the last scan or comparison of the whole folder began, ms, and how many paths it compared. */
  let whole = { since: 0, paths: Number.POSITIVE_INFINITY }
  /** What the watcher had reported when the last scan began; 'all' = it did not vouch for that. */
  let reported: Dirty = 'all'
  /** Changes were compared one by one since the last scan. */
  let changedSinceScan = false
  /** Dirty paths were consumed while the snapshot was incomplete. */
  let mustScan = false
  /** Ignored files that changed since the last check of another mode than `live`. */
  const postponed = new Set<string>()
  const sincePosition = createReported()
  let onComparisonDue = (): void => {}

  const scopeOfScan = (snapshotComplete: boolean): Scope | null => {
    // A .gitignore may have changed.
    rules.refresh()
    watch()?.rulesChanged('')
    if (!snapshotComplete) mustScan = true
    if (!watch()) reported = 'all'
    return snapshotComplete ? 'all' : null
  }

  /** 'all' if rules changed: then a scan finds files of which no event can come. */
  const withPostponed = ({ paths, trees }: Exclude<Dirty, 'all'>): Dirty =>
    [...paths].some(decidesCoverage) ? 'all' : { paths: new Set([...paths, ...postponed]), trees }

  /** Ignored files wait in `live` mode; any other mode takes those that waited. */
  const sortOutIgnored = (paths: Set<string>, mode: CheckMode): void => {
    if (mode !== 'live') {
      for (const path of postponed) paths.add(path)
      postponed.clear()
      return
    }
    for (const path of paths) {
      if (!rules.ignoresFile(path)) continue
      paths.delete(path)
      postponed.add(path)
    }
  }

  return {
    /** When this process last compared the disk with the log, ms; null if nothing was recording until now. */
    get checkedAt() {
      return checkedAt
    },
    /** Changes that only a comparison of the whole folder finds were made after this time, ms; 0 = unknown. */
    get wholeSince() {
      return whole.since
    },
    /** The watcher reports every change. */
    isLive: () => watch()?.state().state === 'live',
    /** Calls `listener` when a position relies on a comparison in the background. */
    onComparisonDue: (listener: () => void): void => {
      onComparisonDue = listener
    },
    /**
     * Consumes the dirty paths and returns what to compare: them if the watcher vouches for them, else everything; null
     * = nothing. While the snapshot is incomplete only dirty paths: a scan would record files that are not copied yet as
     * changes. Call `recordChecked` or `requireScan` afterwards.
     */
    chooseScope: async (mode: CheckMode, snapshotComplete: boolean): Promise<Scope | null> => {
      const watcher = watch()
      if (!watcher || watcher.state().state === 'off') return scopeOfScan(snapshotComplete)
      const vouched = mode === 'live' ? watcher.state().state === 'live' : await watcher.barrier()
      const dirty = watcher.take()
      reported = checkedAt === null || dirty === 'all' ? 'all' : withPostponed(dirty)
      if (dirty === 'all' || !vouched || mustScan || checkedAt === null) return scopeOfScan(snapshotComplete)
      const { trees } = dirty
      const paths = new Set(dirty.paths)
      if ([...paths].some(decidesCoverage)) return scopeOfScan(snapshotComplete)
      sortOutIgnored(paths, mode)
      sincePosition.add(paths, trees)
      const isChanged = paths.size > 0 || trees.size > 0
      if (mode === 'position' && snapshotComplete) {
        if (whole.paths <= SMALL_FOLDER) return 'all'
        onComparisonDue()
        const scope = sincePosition.take()
        changedSinceScan ||= isChanged
        if (scope) return scope
      } else if (isChanged) {
        changedSinceScan = true
        return { paths, trees }
      }
      checkedAt = now()
      return null
    },
    /** `scope` was compared; that began at `startedAt`, ms. `changed`: the paths that differed, of `compared`. */
    recordChecked: (scope: Scope, startedAt: number, changed: readonly string[], compared: number): void => {
      checkedAt = now()
      if (scope !== 'all') return
      mustScan = false
      changedSinceScan = false
      postponed.clear()
      sincePosition.take()
      whole = { since: startedAt, paths: compared }
      const known = reported
      if (known === 'all') return
      watch()?.expectReports(
        changed.filter((path) => !known.paths.has(path) && ![...known.trees].some((tree) => isWithin(path, tree)))
      )
    },
    /** The same for a comparison in the background, whose `changed` paths no event had reported. */
    recordCompared: (startedAt: number, changed: readonly string[], compared: number): void => {
      changedSinceScan = false
      whole = { since: startedAt, paths: compared }
      watch()?.expectReports(changed)
    },
    /** [DR-6] Paths changed since the last scan, and the watcher may have missed others without knowing. */
    needsVerification: (): boolean => changedSinceScan && watch()?.showsLoss() === false,
    /** The chosen scope could not be compared completely. */
    requireScan: () => watch()?.requireScan(),
    /** Changes from now on are observed, although nothing was compared: an initial snapshot begins. */
    markRecording: () => {
      checkedAt = now()
    },
    /** Changes until the next check were made while nothing was recording. */
    markOffline: () => {
      checkedAt = null
    }
  }
}

/** What the watcher reported since the last position, in bounded memory. */
function createReported() {
  const paths = new Set<string>()
  const trees = new Set<string>()
  return {
    add(more: ReadonlySet<string>, moreTrees: ReadonlySet<string>): void {
      for (const path of more) paths.add(path)
      for (const tree of moreTrees) trees.add(tree)
      if (paths.size > MAX_REPORTED) paths.clear()
    },
    /** Returns and clears it; null = nothing. */
    take(): Exclude<Scope, 'all'> | null {
      if (paths.size === 0 && trees.size === 0) return null
      const taken = { paths: new Set(paths), trees: new Set(trees) }
      paths.clear()
      trees.clear()
      return taken
    }
  }
}

/** A changed ignore rule changes which folders are covered: only a scan finds those. */
function decidesCoverage(path: string): boolean {
  const name = nameOf(path)
  return name === '.gitignore' || name === 'CACHEDIR.TAG'
}
