/**
 * Compares the disk with the log and records what differs (DR-1): Edits of the live runs, or outside Edits in the open
 * Drift. Every position (CK-2), preview and status is taken after this.
 */
import { recordLateResults } from '../agents/late-tool-results.ts'
import { coverageState } from '../capture/coverage.ts'
import type { Reconciled, Scope } from '../capture/reconcile.ts'
import { write } from '../db/transaction.ts'
import { nameOf, parentOf } from '../files/workspace-fs.ts'
import { isDiskFull } from '../workspaces/disk-space.ts'
import { describeCheckout } from '../workspaces/git-head.ts'
import { isFolderPresent, recordDisk } from '../workspaces/presence.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { DriftCause } from './drifts.ts'
import { recordChanges } from './record.ts'

/**
 * `position`: a place of the log is taken, or a plan made; whatever a watcher told, the folder is scanned (CK-2), because a
 * write through a memory mapping, or through another name of the file, is told by none. `present`: somebody asks; what the
 * watcher vouches for is not looked at. `live`: the watcher went quiet; git-ignored files wait for the next of the others, so
 * a busy log file is not kept at every write.
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
  // A folder that is gone (moved, unmounted) is not a folder whose every file was deleted.
  if (!isFolderPresent(recorder)) return NOTHING
  recordDisk(recorder)
  if (recorder.space.measure().low) return pauseWhileFull(recorder)
  recorder.refreshWorktrees()
  const uncovered = coverageState(store) !== 'complete'
  const scope = await chooseScope(recorder, mode, uncovered)
  if (scope === null) return NOTHING
  const cause = detectCause(recorder)
  recordLateResults(recorder)
  const began = recorder.now()
  let done: Reconciled
  try {
    done = await recordChanges(recorder, scope, cause)
    // What the watcher told of what was left alone is used up and not recorded: the next check scans.
    if (done.skipped) recorder.watch?.requireScan()
  } catch (error) {
    // What was taken from the dirty set is not recorded yet: the next check scans.
    recorder.watch?.requireScan()
    if (!isDiskFull(error)) throw error
    recorder.space.reportFull()
    return pauseWhileFull(recorder)
  }
  recorder.checkedAt = recorder.now()
  if (scope === 'all') {
    recorder.mustScan = false
    recorder.lastScanMs = recorder.now() - began
    recordUncoverable(recorder, done)
  }
  if (done.edits.length > 0)
    recorder.notifyChanged(['edits', 'drift'], [...new Set(done.edits.map((edit) => edit.path))].slice(0, 200))
  return done
}

/** Nothing is looked at while there is no room to keep it. The first look afterwards is a scan; runs of the meantime say so. */
function pauseWhileFull(recorder: Recorder): Reconciled {
  recorder.checkedAt = null
  try {
    write(recorder.store.db, () => {
      recorder.store.db.prepare("UPDATE run SET incomplete = 1 WHERE state = 'live' AND incomplete = 0").run()
    })
  } catch (error) {
    // Not even room for that: the status says it as long as it lasts.
    if (!isDiskFull(error)) throw error
  }
  return NOTHING
}

/** Reads exactly these paths again, whatever their stat says: after a restore that left some of them as they were. Call inside the lock. */
export async function recheckPaths(recorder: Recorder, paths: readonly string[]): Promise<void> {
  await recordChanges(recorder, { paths, trees: [] }, { cause: 'edits', note: '' }, { deep: true })
}

/**
 * What to look at: the dirty set when the watcher can vouch for it and no position is taken, else everything. Until the first copy is complete only what is
 * known to be dirty: a scan would take what was not copied yet for changes.
 */
async function chooseScope(recorder: Recorder, mode: CheckMode, uncovered: boolean): Promise<Scope | null> {
  const { watch } = recorder
  const everything = (): Scope | null => {
    recorder.refreshRules()
    // What was taken from the dirty set is not looked at now: the first look after the copy has to be a scan.
    if (uncovered) recorder.mustScan = true
    return uncovered ? null : 'all'
  }
  if (!watch || watch.state().state === 'off') return everything()
  const vouched = mode === 'live' ? watch.state().state === 'live' : await watch.barrier()
  const dirty = watch.take()
  if (dirty === 'all' || !vouched || recorder.mustScan || recorder.checkedAt === null) return everything()
  const paths = new Set(dirty.paths)
  // Other rules cover other folders: what they leave out or let in anew is found by a scan.
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

/** Why many files may differ now. `.git/HEAD` is only read. */
function detectCause(recorder: Recorder): DriftCause {
  const { store } = recorder
  const now = describeCheckout(recorder.root)
  const before = store.meta('git_head')
  if (before !== now) write(store.db, () => store.setMeta('git_head', now))
  if (before && now && before !== now) return { cause: 'branch', note: `the branch moved from ${before} to ${now}` }
  if (recorder.checkedAt === null) return { cause: 'offline', note: '' }
  return { cause: 'edits', note: '' }
}

/** Names and folders a scan could not take are listed as not covered (UI-1), until their folder is listed without them. */
function recordUncoverable(recorder: Recorder, done: Reconciled): void {
  const { store } = recorder
  const listed = new Set(done.notes.listed.map((one) => one.path))
  const isFolder = (path: string): boolean => {
    const version = store.records.head(path)?.version
    return path === '' || (version != null && store.records.version(version).kind === 'dir')
  }
  // A skipped listing says nothing about odd names in it.
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
