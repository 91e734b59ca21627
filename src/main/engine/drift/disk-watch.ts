/**
 * How up to date the log of one folder is: when it was last compared with the disk, and which paths changed since.
 * Chooses what a check has to compare. Invariants: dirty paths that were consumed but not compared make the next check
 * a scan; a position that did not scan makes a comparison of the whole folder due.
 */
import type { IgnoreRules } from '../capture/ignore-rules.ts'
import type { Scope } from '../capture/reconcile.ts'
import { isWithinAny, nameOf } from '../files/paths.ts'
import type { Dirty } from '../watch/dirty-set.ts'
import { type FirstScan, RULE_FILES } from '../watch/folder-events.ts'
import type { FolderWatch } from '../watch/watcher.ts'
import { createPostponedPaths, createReportedPaths, type PostponedPaths, type ReportedPaths } from './waiting-paths.ts'

/**
 * - `position`: a position is taken or a plan made (CK-2). A write through a memory mapping (mmap) causes no event, so
 *   a small folder is scanned; in a larger one every path reported since the last position is compared once more, and
 *   the whole folder later, in the background (comparison.ts).
 * - `present`: a client requests the current status. Only dirty paths are compared if the watcher has caught up.
 * - `live`: the watcher reported changes. As `present`, but not during a burst of events, and git-ignored files wait for the
 *   next check of another mode, so that not every write of a busy log file is recorded.
 */
export type CheckMode = 'position' | 'present' | 'live'

/** A position scans a folder of up to this many paths: that takes about 10 ms. */
export const SMALL_FOLDER = 4096

export type DiskWatch = ReturnType<typeof createDiskWatch>

interface DiskWatchOptions {
  /** The watch on the folder; null while it is not watched, and every check is a scan then. */
  watch(): FolderWatch | null
  readonly rules: Pick<IgnoreRules, 'refresh' | 'ignoresFile'>
  /** ms UTC */
  now(): number
}

/** What is known of the log of one folder: how much of the disk it was compared with, and when. */
interface Freshness {
  /** When the disk was last compared with the log, ms; null if nothing was recording until now. */
  checkedAt: number | null
  /** When the last scan or comparison of the whole folder began, ms (0 = unknown), and how many paths it compared. */
  whole: { readonly since: number; readonly paths: number }
  /** What the watcher had reported when the last scan began; 'all' = it did not vouch for that. */
  reported: Dirty
  /** Changes were compared one by one since the last scan. */
  changedSinceScan: boolean
  /**
   * An initial snapshot records names that were listed before. Until it has recorded all of them nothing is compared: that a path
   * is gone would leave no trace if its name, or one below it, is recorded later.
   */
  namesPending: boolean
  /** Dirty paths were consumed while the snapshot was incomplete. */
  mustScan: boolean
}

/** What a check compares. */
interface ChosenScope {
  readonly scope: Scope
  /** The scan begins the watch, and the caller has to end it; null if it does not. */
  readonly firstScan: FirstScan | null
}

/** What waits for a later check. */
interface Waiting {
  readonly ignored: PostponedPaths
  readonly sincePosition: ReportedPaths
}

export function createDiskWatch(options: DiskWatchOptions) {
  const { watch, rules, now } = options
  const fresh: Freshness = {
    checkedAt: null,
    whole: { since: 0, paths: Number.POSITIVE_INFINITY },
    reported: 'all',
    changedSinceScan: false,
    namesPending: false,
    mustScan: false
  }
  // [GT-12] The repository of a subfolder is kept from when it is there.
  const mayWait = (path: string): boolean => rules.ignoresFile(path) && nameOf(path) !== '.git'
  const waiting: Waiting = { ignored: createPostponedPaths(mayWait), sincePosition: createReportedPaths() }
  let onComparisonDue = (): void => {}

  /** A position compares all of a small folder, and of a large one what was reported since the last position. */
  const scopeOfReported = (dirty: Exclude<Dirty, 'all'>, isPosition: boolean): Scope | null => {
    if (isPosition && fresh.whole.paths <= SMALL_FOLDER) return 'all'
    const isChanged = dirty.paths.size > 0 || dirty.trees.size > 0
    fresh.changedSinceScan ||= isChanged
    if (fresh.namesPending) {
      fresh.mustScan ||= isChanged
      return null
    }
    if (isPosition) onComparisonDue()
    else waiting.sincePosition.add(dirty)
    const scope = isPosition ? waiting.sincePosition.takeWith(dirty) : isChanged ? dirty : null
    if (scope === null) fresh.checkedAt = now()
    return scope
  }

  return {
    /** When this process last compared the disk with the log, ms; null if nothing was recording until now. */
    get checkedAt() {
      return fresh.checkedAt
    },
    /** Changes that only a comparison of the whole folder finds were made after this time, ms; 0 = unknown. */
    get wholeSince() {
      return fresh.whole.since
    },
    /**
     * Whether an event reported a change of the path since the check before the last chosen scope; always true where the
     * watcher did not vouch for that.
     */
    wasReported: (path: string): boolean => isReported(fresh.reported, path),
    /** The watcher reports every change. */
    isLive: () => watch()?.state().state === 'live',
    /** Calls `listener` when a position relies on a comparison in the background. */
    onComparisonDue: (listener: () => void): void => {
      onComparisonDue = listener
    },
    /**
     * Consumes the dirty paths and returns what to compare: them if the watcher vouches for them, else everything; null
     * = nothing. While the snapshot is incomplete only dirty paths, and nothing before its names are recorded: a scan would record files
     * that are not copied yet as changes. Call `recordChecked` or `requireScan` afterwards.
     */
    chooseScope: async (mode: CheckMode, snapshotComplete: boolean): Promise<ChosenScope | null> => {
      // The walk would list what the scan lists again.
      const firstScan = mode !== 'live' && snapshotComplete ? (watch()?.beginScan() ?? null) : null
      if (firstScan) fresh.reported = 'all'
      const dirty = firstScan ? 'all' : await consumeDirty(options, fresh, waiting, mode)
      const isPosition = mode === 'position' && snapshotComplete
      const scope = dirty === 'all' ? scopeOfScan(options, fresh, snapshotComplete) : scopeOfReported(dirty, isPosition)
      return scope && { scope, firstScan }
    },
    /** `scope` was compared; that began at `startedAt`, ms. `changed`: the paths that differed, of `compared`. */
    recordChecked: (scope: Scope, startedAt: number, changed: readonly string[], compared: number): void => {
      fresh.checkedAt = now()
      if (scope !== 'all') return
      fresh.mustScan = false
      fresh.changedSinceScan = false
      waiting.ignored.clear()
      waiting.sincePosition.clear()
      fresh.whole = { since: startedAt, paths: compared }
      const known = fresh.reported
      if (known !== 'all') watch()?.expectReports(changed.filter((path) => !isReported(known, path)))
    },
    /** The same for a comparison in the background, whose `changed` paths no event had reported. */
    recordCompared: (startedAt: number, changed: readonly string[], compared: number): void => {
      fresh.changedSinceScan = false
      fresh.whole = { since: startedAt, paths: compared }
      watch()?.expectReports(changed)
    },
    /** [DR-6] Paths changed since the last scan, and the watcher may have missed others without knowing. */
    needsVerification: (): boolean => fresh.changedSinceScan && watch()?.showsLoss() === false,
    /** The chosen scope could not be compared completely. */
    requireScan: () => watch()?.requireScan(),
    /**
     * An initial snapshot begins. Null unless the watcher reports every change of what the snapshot has read, which then need not
     * be compared with the disk: `recordSnapshot`. `scan`: the snapshot begins the watch, and has to end it.
     */
    beginSnapshot: async (): Promise<{ readonly scan: FirstScan | null } | null> => {
      fresh.namesPending = true
      const watcher = watch()
      if (!watcher?.showsLoss()) return null
      const scan = watcher.beginScan()
      if (!scan && !(await watcher.barrier())) return null
      // The snapshot reads what changed before, also ignore rules.
      if (!scan) watcher.take()
      refreshRules(options)
      fresh.mustScan = false
      return { scan }
    },
    /** It has recorded all names, or ended before. */
    endNames: () => {
      fresh.namesPending = false
    },
    /**
     * The snapshot is complete; `paths`: how many it found, null where that has to be compared. Returns false then, or if changes since it began were
     * consumed: the next check compares everything then.
     */
    recordSnapshot: (startedAt: number, paths: number | null): boolean => {
      if (paths === null) fresh.mustScan = true
      else if (!fresh.mustScan) fresh.whole = { since: startedAt, paths }
      return !fresh.mustScan
    },
    /** Changes from now on are observed, although nothing was compared: an initial snapshot begins. */
    markRecording: () => {
      fresh.checkedAt = now()
    },
    /** Changes until the next check were made while nothing was recording. */
    markOffline: () => {
      fresh.checkedAt = null
    }
  }
}

/** Takes what the watcher reported and what waited; 'all' if that may not be everything, so that a scan is needed. */
async function consumeDirty(
  { watch }: DiskWatchOptions,
  fresh: Freshness,
  { ignored }: Waiting,
  mode: CheckMode
): Promise<Dirty> {
  const watcher = watch()
  if (!watcher) return 'all'
  const vouched = mode === 'live' ? watcher.state().state === 'live' : await watcher.barrier()
  // A scan takes everything: what it finds would else look unreported.
  const isScan = fresh.checkedAt === null || !vouched || fresh.mustScan
  const dirty = watcher.take(mode === 'live' && !isScan)
  // If rules changed, a scan finds files of which no event can come.
  const isBlind = fresh.checkedAt === null || dirty === 'all' || [...dirty.paths].some(decidesCoverage)
  fresh.reported = isBlind ? 'all' : ignored.with(dirty)
  if (isBlind || isScan) return 'all'
  return mode === 'live' ? ignored.postpone(dirty) : ignored.takeWith(dirty)
}

function scopeOfScan(options: DiskWatchOptions, fresh: Freshness, snapshotComplete: boolean): Scope | null {
  refreshRules(options)
  if (!snapshotComplete) fresh.mustScan = true
  if (!options.watch()) fresh.reported = 'all'
  return snapshotComplete ? 'all' : null
}

/** A .gitignore may have changed. */
function refreshRules({ watch, rules }: DiskWatchOptions): void {
  rules.refresh()
  watch()?.rulesChanged('')
}

function isReported(reported: Dirty, path: string): boolean {
  return reported === 'all' || reported.paths.has(path) || isWithinAny(path, reported.trees)
}

/** A changed ignore rule changes which folders are covered: only a scan finds those. */
function decidesCoverage(path: string): boolean {
  return RULE_FILES.includes(nameOf(path))
}
