/**
 * Compares the disk with the log and records the differences (DR-1): edits of live runs, or outside edits in the open
 * drift. Every position (CK-2), preview and status is taken after this. Call inside the workspace's lock.
 */
import type { ChangedKind } from '../../../contract/api.ts'
import type { Author } from '../capture/append.ts'
import type { ScanNotes } from '../capture/findings.ts'
import { isFolderPresent, recordDisk, wasFolderDeleted } from '../capture/presence.ts'
import {
  type Reconciled,
  type ReconcileOptions,
  type RecordingContext,
  reconcile,
  type Scope
} from '../capture/reconcile.ts'
import { type DiskSpace, isDiskFull } from '../files/disk-space.ts'
import { isWithinAny, parentOf } from '../files/paths.ts'
import { describeCheckout } from '../git/git-head.ts'
import { createOwnTurns } from '../ports/own-turn.ts'
import { coverageState, distrustExcludedFiles, excludedFiles } from '../store/coverage.ts'
import { countAppended } from '../store/drifts.ts'
import { FOUND_REPOSITORIES, readMeta, readPathList, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { hasPackedPaths } from '../store/packed-paths.ts'
import { holdsFiles, presentPaths } from '../store/paths.ts'
import { unfinishedPaths } from '../store/restore-items.ts'
import { liveRuns, markLiveRunsIncomplete } from '../store/runs.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { CheckMode, DiskWatch } from './disk-watch.ts'
import { type DriftCause, discoveredAuthor, ORDINARY_EDITS } from './drifts.ts'
import { recordChanges } from './record.ts'

/** What comparing a folder with its log needs beside recording. */
export interface CheckContext extends RecordingContext {
  readonly disk: DiskWatch
  /** Free space for the history. */
  readonly space: DiskSpace
  /** Reads which git worktrees are inside the folder: they are boundaries. */
  refreshWorktrees(): void
  /** Records ends of tool calls that no event reported, so that changes found later are not attributed to them. */
  recordLateResults(): void
  /** Notifies all clients of changes that they may show. */
  notifyChanged(kinds: readonly ChangedKind[], paths?: readonly string[]): void
}

const NOTHING: Reconciled = {
  edits: [],
  notes: { listed: [], unnameable: [], unreadable: [], repositories: [], compared: 0 },
  unstable: [],
  skipped: false
}

/** Many new worktrees are changed at once, and writing the rows of one holds the thread. */
const unpackTurn = createOwnTurns()

/** Call inside the workspace's lock. */
export async function checkDisk(
  context: CheckContext,
  mode: CheckMode,
  options: Pick<ReconcileOptions, 'notAfter'> = {}
): Promise<Reconciled> {
  const { store, disk } = context
  if (hasPackedPaths(store)) await unpackTurn()
  // A missing folder (moved, unmounted) is not a folder whose files were all deleted.
  if (!isFolderPresent(context)) return liveRuns(store).length > 0 ? recordDeletedFolder(context) : NOTHING
  recordDisk(context)
  if (context.space.measure().low) return pauseWhileFull(context)
  context.refreshWorktrees()
  const chosen = await disk.chooseScope(mode, coverageState(store) === 'complete')
  if (chosen === null) return NOTHING
  const { scope, firstScan } = chosen
  let paths: number | null = null
  try {
    const done = await compareScope(context, scope, { ...options, observer: firstScan })
    if (done && !done.skipped) paths = done.notes.compared
    return done ?? NOTHING
  } finally {
    firstScan?.end(paths)
  }
}

/** Null if the disk was full. */
async function compareScope(
  context: CheckContext,
  scope: Scope,
  options: Pick<ReconcileOptions, 'notAfter' | 'observer'>
): Promise<Reconciled | null> {
  const { disk } = context
  const startedAt = context.now()
  let done: Reconciled
  // What the watcher reported was consumed: from here on nothing may end without a comparison, or a scan that is due.
  try {
    const cause = detectCause(context)
    context.recordLateResults()
    done = await recordChanges(context, scope, cause, { ...options, wasReported: disk.wasReported })
    if (done.skipped) disk.requireScan()
  } catch (error) {
    disk.requireScan()
    if (!isDiskFull(error)) throw error
    context.space.reportFull()
    pauseWhileFull(context)
    return null
  }
  disk.recordChecked(
    scope,
    startedAt,
    done.edits.map((edit) => edit.path),
    done.notes.compared
  )
  if (scope === 'all') recordUncoverable(context, done.notes)
  else recordRepositories(context, done.notes)
  if (done.edits.length > 0)
    context.notifyChanged(['edits', 'drift'], [...new Set(done.edits.map((edit) => edit.path))].slice(0, 200))
  return done
}

/**
 * [RS-19] Records every file as deleted if the folder itself was. Call inside the workspace's lock, while a run is live
 * that may have done it, or when a person wants to restore it.
 */
export async function recordDeletedFolder(context: CheckContext): Promise<Reconciled> {
  const { store, disk } = context
  if (!holdsFiles(store) || !wasFolderDeleted(context)) return NOTHING
  context.recordLateResults()
  const scope = { paths: presentPaths(store), trees: [] }
  const done = await recordChanges(context, scope, ORDINARY_EDITS, { folderDeleted: true })
  disk.requireScan()
  if (done.edits.length > 0)
    context.notifyChanged(['edits', 'drift', 'status'], done.edits.map((edit) => edit.path).slice(0, 200))
  return done
}

/** Records nothing while the disk is full. The next check is a scan; live runs are marked as incomplete. */
function pauseWhileFull({ store, disk }: CheckContext): Reconciled {
  disk.markOffline()
  try {
    transact(store, markLiveRunsIncomplete)
  } catch (error) {
    // No space even for that: the status shows the full disk as long as it lasts.
    if (!isDiskFull(error)) throw error
  }
  return NOTHING
}

/**
 * Reads exactly these paths again, whatever their stat: after a restore that did not write all of them. Call inside the
 * lock.
 */
export async function recheckPaths(context: RecordingContext, paths: readonly string[]): Promise<void> {
  await recordChanges(context, { paths, trees: [] }, ORDINARY_EDITS, { deep: true })
}

/** Notes what git has checked out, and returns it with what it had the last time. */
export function recordCheckout({ store, root }: Pick<CheckContext, 'store' | 'root'>): {
  readonly before: string | null
  readonly now: string
} {
  const now = describeCheckout(root)
  const before = readMeta(store, 'git_head')
  if (before !== now) transact(store, (tx) => writeMeta(tx, 'git_head', now))
  return { before, now }
}

/** Why files may differ now: another branch is checked out, nothing was recording, or ordinary edits. */
function detectCause({ store, root, disk }: CheckContext): DriftCause {
  const { before, now } = recordCheckout({ store, root })
  if (before && now && before !== now) return { cause: 'branch', branches: { from: before, to: now } }
  return disk.checkedAt === null ? { cause: 'offline', branches: null } : ORDINARY_EDITS
}

/**
 * Stores names and folders that a scan could not read, and repositories of subfolders, as not covered (UI-1), until a listing
 * of their folder has them no more.
 */
export function recordUncoverable({ store, boundaries }: CheckContext, notes: ScanNotes): void {
  const listed = new Set(notes.listed.map((folder) => folder.path))
  const isCovered = (folder: string): boolean => {
    if (isWithinAny(folder, boundaries)) return false
    const version = folder === '' ? null : store.records.head(folder)?.version
    if (version == null) return folder === ''
    const { kind, notStored } = store.records.version(version)
    return kind === 'dir' && notStored === null
  }
  // A folder that was not listed keeps its names.
  const withKept = (key: string, found: readonly string[]): string => {
    const kept = readPathList(store, key).filter((path) => !listed.has(parentOf(path)) && isCovered(parentOf(path)))
    return JSON.stringify([...new Set([...kept, ...found])].sort())
  }
  const now = {
    unnameable: withKept('unnameable', notes.unnameable),
    unreadable: JSON.stringify(notes.unreadable),
    [FOUND_REPOSITORIES]: withKept(FOUND_REPOSITORIES, notes.repositories)
  }
  const changed = Object.entries(now).filter(([key, paths]) => (readMeta(store, key) ?? '[]') !== paths)
  if (changed.length === 0) return
  transact(store, (tx) => {
    for (const [key, paths] of changed) writeMeta(tx, key, paths)
  })
}

/** [GT-12] Adds those that a comparison of some folders found. Only one of all folders says which are gone. */
function recordRepositories({ store }: CheckContext, { repositories }: ScanNotes): void {
  if (repositories.length === 0) return
  const before = new Set(readPathList(store, FOUND_REPOSITORIES))
  const all = new Set([...before, ...repositories])
  if (all.size === before.size) return
  transact(store, (tx) => writeMeta(tx, FOUND_REPOSITORIES, JSON.stringify([...all].sort())))
}

/**
 * After a person changed the capture settings, or a folder inside is recorded on its own no more (CP-9): records files that
 * were excluded and now are covered, as accepted drift. Call inside the workspace's lock, after `coverageChanged`.
 * `folders`: those covered now and not before.
 */
export async function captureNewlyCovered(
  context: Pick<CheckContext, keyof RecordingContext | 'disk' | 'notifyChanged'>,
  folders: readonly string[]
): Promise<void> {
  const { store } = context
  let isRecorded = false
  try {
    const excluded = excludedFiles(store)
    // Otherwise the files would not be read, because nothing about them changed.
    transact(store, distrustExcludedFiles)
    let discovered: Author | null = null
    const author = (tx: Writable<Store>): (() => Author) => {
      discovered ??= discoveredAuthor(tx, context.now())
      const author = discovered
      return () => author
    }
    const scope = { paths: excluded, trees: folders }
    const done = await reconcile(context, scope, author, {
      skip: () => unfinishedPaths(store),
      isFolderPresent: () => isFolderPresent(context),
      onAppended: (tx, edits) => {
        if (discovered?.drift) countAppended(tx, discovered.drift, edits[0]?.seq ?? 0)
      }
    })
    isRecorded = !done.skipped
    context.notifyChanged(done.edits.length > 0 ? ['edits', 'drift', 'status'] : ['status'])
  } finally {
    // No event leads to what is there already.
    if (!isRecorded) context.disk.requireScan()
  }
}
