/**
 * How up to date the log of one folder is: when it was last compared with the disk, and which paths changed since.
 * Chooses what a check has to compare. Invariant: dirty paths that were consumed but not compared make the next check a
 * scan.
 */
import type { IgnoreRules } from '../capture/ignore-rules.ts'
import type { Scope } from '../capture/reconcile.ts'
import { isWithin, nameOf } from '../files/paths.ts'
import type { Dirty } from '../watch/dirty-set.ts'
import type { FolderWatch } from '../watch/watcher.ts'

/**
 * - `position`: a position is taken or a plan made. The folder is always scanned (CK-2), because a write through a
 *   memory mapping (mmap) or through another hard link causes no event.
 * - `present`: a client requests the current status. Only dirty paths are compared if the watcher has caught up.
 * - `live`: the watcher reported changes. As `present`, but git-ignored files wait for the next check of another mode,
 *   so that not every write of a busy log file is recorded.
 */
export type CheckMode = 'position' | 'present' | 'live'

export type DiskWatch = ReturnType<typeof createDiskWatch>

/** `watch`: the watch on the folder; null while it is not watched, and every check is a scan then. `now`: ms UTC. */
export function createDiskWatch({
  watch,
  rules,
  now
}: {
  watch(): FolderWatch | null
  readonly rules: Pick<IgnoreRules, 'refresh' | 'ignoresFile'>
  now(): number
}) {
  let checkedAt: number | null = null
  let lastScanMs = 0
  /** What the watcher had reported when the last scan began; 'all' = it did not vouch for that. */
  let reported: Dirty = 'all'
  /** Changes were compared one by one since the last scan. */
  let changedSinceScan = false
  /** Dirty paths were consumed while the snapshot was incomplete. */
  let mustScan = false
  /** Ignored files that changed since the last check of another mode than `live`. */
  const postponed = new Set<string>()

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

  return {
    /** When this process last compared the disk with the log, ms; null if nothing was recording until now. */
    get checkedAt() {
      return checkedAt
    },
    /** Duration of the last scan, ms. */
    get lastScanMs() {
      return lastScanMs
    },
    /** The watcher reports every change. */
    isLive: () => watch()?.state().state === 'live',
    /**
     * Consumes the dirty paths and returns what to compare: them if the watcher vouches for them and no position is
     * taken, else everything; null = nothing. While the snapshot is incomplete only dirty paths: a scan would record
     * files that are not copied yet as changes. Call `recordChecked` or `requireScan` afterwards.
     */
    chooseScope: async (mode: CheckMode, snapshotComplete: boolean): Promise<Scope | null> => {
      const watcher = watch()
      if (!watcher || watcher.state().state === 'off') return scopeOfScan(snapshotComplete)
      const vouched = mode === 'live' ? watcher.state().state === 'live' : await watcher.barrier()
      const dirty = watcher.take()
      reported = checkedAt === null || dirty === 'all' ? 'all' : withPostponed(dirty)
      if (dirty === 'all' || !vouched || mustScan || checkedAt === null) return scopeOfScan(snapshotComplete)
      const paths = new Set(dirty.paths)
      if ([...paths].some(decidesCoverage)) return scopeOfScan(snapshotComplete)
      if (mode === 'live') {
        for (const path of paths) {
          if (!rules.ignoresFile(path)) continue
          paths.delete(path)
          postponed.add(path)
        }
      } else {
        for (const path of postponed) paths.add(path)
        postponed.clear()
      }
      if (mode === 'position' && snapshotComplete) return 'all'
      if (paths.size > 0 || dirty.trees.size > 0) {
        changedSinceScan = true
        return { paths, trees: dirty.trees }
      }
      checkedAt = now()
      return null
    },
    /** `scope` was compared; the comparison began at `startedAt`, ms. `changed`: the paths that differed. */
    recordChecked: (scope: Scope, startedAt: number, changed: readonly string[]): void => {
      checkedAt = now()
      if (scope !== 'all') return
      mustScan = false
      changedSinceScan = false
      postponed.clear()
      lastScanMs = checkedAt - startedAt
      const known = reported
      if (known === 'all') return
      watch()?.expectReports(
        changed.filter((path) => !known.paths.has(path) && ![...known.trees].some((tree) => isWithin(path, tree)))
      )
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

/** A changed ignore rule changes which folders are covered: only a scan finds those. */
function decidesCoverage(path: string): boolean {
  const name = nameOf(path)
  return name === '.gitignore' || name === 'CACHEDIR.TAG'
}
