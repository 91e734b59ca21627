/**
 * Compares the disk with the log and records the differences (DR-1): edits of live runs, or outside edits in the open drift.
 * Every position (CK-2), preview and status is taken after this. Call inside the workspace's lock.
 */
import { recordLateResults } from '../agents/late-tool-results.ts'
import { coverageState } from '../capture/coverage.ts'
import { isFolderPresent, recordDisk } from '../capture/presence.ts'
import type { Reconciled, Scope } from '../capture/reconcile.ts'
import { write } from '../db/transaction.ts'
import { isDiskFull } from '../files/disk-space.ts'
import { nameOf, parentOf } from '../files/paths.ts'
import { describeCheckout } from '../git/git-head.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { DriftCause } from './drifts.ts'
import { recordChanges } from './record.ts'

/**
 * - `position`: a position is taken or a plan made. The folder is always scanned (CK-2), because a write through a memory mapping
 *   (mmap) or through another hard link causes no event.
 * - `present`: a client requests the current status. Only dirty paths are compared if the watcher has caught up.
 * - `live`: the watcher reported changes. As `present`, but git-ignored files wait for the next check of another mode, so that
 *   not every write of a busy log file is recorded.
 */
export type CheckMode = 'position' | 'present' | 'live'

const NOTHING: Reconciled = {
  edits: [],
  notes: { listed: [], unnameable: [], unreadable: [], compared: 0 },
  unstable: [],
  skipped: false
}

/** Call inside the workspace's lock. */
export async function checkDisk(recorder: Recorder, mode: CheckMode): Promise<Reconciled> {
  const { store } = recorder
  // A missing folder (moved, unmounted) is not a folder whose files were all deleted.
  if (!isFolderPresent(recorder)) return NOTHING
  recordDisk(recorder)
  if (recorder.space.measure().low) return pauseWhileFull(recorder)
  recorder.refreshWorktrees()
  const uncovered = coverageState(store) !== 'complete'
  const scope = await chooseScope(recorder, mode, uncovered)
  if (scope === null) return NOTHING
  const cause = detectCause(recorder)
  recordLateResults(recorder)
  const startedAt = recorder.now()
  let done: Reconciled
  try {
    done = await recordChanges(recorder, scope, cause)
    // The dirty paths that were skipped are consumed but not recorded, so the next check must scan.
    if (done.skipped) recorder.watch?.requireScan()
  } catch (error) {
    // The dirty set is consumed but not recorded, so the next check must scan.
    recorder.watch?.requireScan()
    if (!isDiskFull(error)) throw error
    recorder.space.reportFull()
    return pauseWhileFull(recorder)
  }
  recorder.checkedAt = recorder.now()
  if (scope === 'all') {
    recorder.mustScan = false
    recorder.lastScanMs = recorder.now() - startedAt
    recordUncoverable(recorder, done)
  }
  if (done.edits.length > 0)
    recorder.notifyChanged(['edits', 'drift'], [...new Set(done.edits.map((edit) => edit.path))].slice(0, 200))
  return done
}

/** Records nothing while the disk is full. The next check is a scan; live runs are marked as incomplete. */
function pauseWhileFull(recorder: Recorder): Reconciled {
  recorder.checkedAt = null
  try {
    write(recorder.store.db, () => {
      recorder.store.db.prepare("UPDATE run SET incomplete = 1 WHERE state = 'live' AND incomplete = 0").run()
    })
  } catch (error) {
    // No space even for that: the status shows the full disk as long as it lasts.
    if (!isDiskFull(error)) throw error
  }
  return NOTHING
}

/** Reads exactly these paths again, whatever their stat: after a restore that did not write all of them. Call inside the lock. */
export async function recheckPaths(recorder: Recorder, paths: readonly string[]): Promise<void> {
  await recordChanges(recorder, { paths, trees: [] }, { cause: 'edits', note: '' }, { deep: true })
}

/**
 * The dirty set if the watcher vouches for it and no position is taken, else everything; null = nothing. Before the initial
 * snapshot is complete only dirty paths: a scan would record files that are not copied yet as changes.
 */
async function chooseScope(recorder: Recorder, mode: CheckMode, uncovered: boolean): Promise<Scope | null> {
  const { watch } = recorder
  const everything = (): Scope | null => {
    recorder.refreshRules()
    // The dirty set is consumed but not compared: the first check after the snapshot must be a scan.
    if (uncovered) recorder.mustScan = true
    return uncovered ? null : 'all'
  }
  if (!watch || watch.state().state === 'off') return everything()
  const vouched = mode === 'live' ? watch.state().state === 'live' : await watch.barrier()
  const dirty = watch.take()
  if (dirty === 'all' || !vouched || recorder.mustScan || recorder.checkedAt === null) return everything()
  const paths = new Set(dirty.paths)
  // Changed ignore rules change which folders are covered: only a scan finds those.
  if ([...paths].some(decidesCoverage)) return everything()
  if (mode === 'live') {
    for (const path of paths) {
      if (!recorder.rules.ignoresFile(path)) continue
      paths.delete(path)
      recorder.postponed.add(path)
    }
  } else {
    for (const path of recorder.postponed) paths.add(path)
    recorder.postponed.clear()
  }
  if (mode === 'position' && !uncovered) return 'all'
  if (paths.size > 0 || dirty.trees.size > 0) return { paths, trees: dirty.trees }
  recorder.checkedAt = recorder.now()
  return null
}

function decidesCoverage(path: string): boolean {
  const name = nameOf(path)
  return name === '.gitignore' || name === 'CACHEDIR.TAG'
}

/** Why files may differ now: another branch is checked out, nothing was recording, or ordinary edits. */
function detectCause(recorder: Recorder): DriftCause {
  const { store } = recorder
  const now = describeCheckout(recorder.root)
  const before = store.meta('git_head')
  if (before !== now) write(store.db, () => store.setMeta('git_head', now))
  if (before && now && before !== now) return { cause: 'branch', note: `the branch moved from ${before} to ${now}` }
  if (recorder.checkedAt === null) return { cause: 'offline', note: '' }
  return { cause: 'edits', note: '' }
}

/** Stores names and folders that a scan could not read, as not covered (UI-1), until a listing of their folder has them no more. */
function recordUncoverable(recorder: Recorder, done: Reconciled): void {
  const { store } = recorder
  const listed = new Set(done.notes.listed.map((folder) => folder.path))
  const isFolder = (path: string): boolean => {
    const version = store.records.head(path)?.version
    return path === '' || (version != null && store.records.version(version).kind === 'dir')
  }
  // A folder that was not listed keeps its names.
  const before = JSON.parse(store.meta('unnameable') ?? '[]') as string[]
  const kept = before.filter((path) => !listed.has(parentOf(path)) && isFolder(parentOf(path)))
  const names = JSON.stringify([...new Set([...kept, ...done.notes.unnameable])].sort())
  const unreadable = JSON.stringify(done.notes.unreadable)
  if ((store.meta('unnameable') ?? '[]') === names && (store.meta('unreadable') ?? '[]') === unreadable) return
  write(store.db, () => {
    store.setMeta('unnameable', names)
    store.setMeta('unreadable', unreadable)
  })
}
