/**
 * A running initial snapshot. The folders are listed here, where the watch can begin with them. What is in them is read here if
 * it is little, else by a child process; of a worktree only what differs from the main folder.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { toErrorShape } from '../../../contract/errors.ts'
import type { CopyProgress } from '../../../contract/workspace.ts'
import { type FilesAlike, findShared } from '../capture/adopt-shared.ts'
import { takeInitialSnapshot } from '../capture/initial-snapshot.ts'
import { type ListedFolder, listFolders } from '../capture/listed-folders.ts'
import { isSmallFolder, MOST_NAMES } from '../capture/small-folder.ts'
import { readBatch, type SnapshotJob } from '../capture/snapshot-batch.ts'
import { createNames, newProgress, recordLeftOut, type SnapshotProgress } from '../capture/snapshot-names.ts'
import { createPackedRows, createStoredRows } from '../capture/snapshot-rows.ts'
import { OWN_THREAD, openStatService } from '../capture/stat-service.ts'
import { beginTask, type ProcessId } from '../ports/processes.ts'
import { hasMorePending } from '../store/paths.ts'
import { withoutDeferred } from '../store/sql.ts'
import type { FirstScan } from '../watch/folder-events.ts'
import { endedEarly, fromShape, type SnapshotChild } from './snapshot-child.ts'
import type { OpenWorkspace } from './workspace.ts'

export interface RunningSnapshot {
  readonly process: ProcessId
  /**
   * Rejects if the snapshot failed or was stopped (Cancelled); what was recorded stays. True: it need not be compared with
   * the disk, because the watcher reported every change since it began.
   */
  readonly done: Promise<boolean>
  stop(): void
}

interface SnapshotOptions {
  /** For a worktree: the workspace whose history has most of its contents; else null. */
  readonly main: OpenWorkspace | null
  /** `progress`: what is recorded already. */
  startChild(progress: CopyProgress): SnapshotChild
  onProgress(progress: CopyProgress): void
}

export function runSnapshot(open: OpenWorkspace, options: SnapshotOptions): RunningSnapshot {
  const task = beginTask()
  const stopping = new AbortController()
  const done = run(open, options, stopping.signal).finally(() => task[Symbol.dispose]())
  // Its owner may wait for it only later: a failure before that is not unhandled.
  done.catch(() => {})
  return { process: task.owner, done, stop: () => stopping.abort() }
}

async function run(open: OpenWorkspace, options: SnapshotOptions, stopping: AbortSignal): Promise<boolean> {
  const { main } = options
  const startedAt = open.now()
  const alike = main && findShared(sharingOf(open), sharingOf(main))
  const watched = await open.disk.beginSnapshot()
  let scan = watched?.scan ?? null
  const endScan = (paths: number | null): void => {
    scan?.end(paths)
    scan = null
  }
  try {
    const copying: Copying = { open, options, scan, endScan, stopping }
    const paths = main || isSmallFolder(open) ? await copyHere(copying, alike) : await copyByChild(copying)
    return watched !== null && open.disk.recordSnapshot(startedAt, paths)
  } finally {
    // Where nothing could be listed. Until it ends, the watch is not live.
    endScan(null)
  }
}

interface Copying {
  readonly open: OpenWorkspace
  readonly options: SnapshotOptions
  /** The snapshot begins the watch; null if not. */
  readonly scan: FirstScan | null
  /** All folders are listed, `paths` names; null if not all. */
  endScan(paths: number | null): void
  readonly stopping: AbortSignal
}

const sharingOf = ({ workspace, root, store, rules }: OpenWorkspace) => ({ id: workspace.id, root, store, rules })

/**
 * Returns how many names there are; null if a folder could not be listed, or something else was recorded before it was: a change
 * between the two had no event.
 */
async function copyByChild(copying: Copying): Promise<number | null> {
  const { sent, isAlone } = await withChild(copying, newProgress(), (child) => list(copying, child.send))
  return isAlone ? sent : null
}

/** The same, in this process. [WT-1] `alike`: files that are not read. Where many others are left, a child reads them. */
async function copyHere(copying: Copying, alike: FilesAlike | null): Promise<number | null> {
  const { open, options, stopping } = copying
  const { root, store, rules } = open
  const progress = newProgress()
  const paths = await recordNames(copying, progress, alike)
  if (withoutDeferred(store, () => hasMorePending(store, MOST_NAMES))) {
    await withChild(copying, progress, async () => {})
    return paths
  }
  // A step holds the thread for at most one batch of files.
  const read = async (jobs: readonly SnapshotJob[]) => {
    await nextTurn()
    if (stopping.aborted) throw endedEarly('Cancelled', 'was stopped')
    return readBatch(root, jobs)
  }
  try {
    await takeInitialSnapshot({
      root,
      store,
      rules,
      reader: { ahead: 1, read, release: () => {} },
      progress,
      onProgress: options.onProgress
    })
  } catch (error) {
    throw fromShape(toErrorShape(error))
  }
  return paths
}

async function recordNames(
  copying: Copying,
  progress: SnapshotProgress,
  alike: FilesAlike | null
): Promise<number | null> {
  const { open, options } = copying
  const { root, store } = open
  using rows = options.main ? createPackedRows(store) : createStoredRows(store)
  using service = alike && openStatService(open, { root, paths: alike.count })
  const record = createNames({ rows, progress, root, alike, stats: service ?? OWN_THREAD })
  const paths = await list(copying, (listed) => {
    record(listed)
    options.onProgress(progress)
  })
  progress.counted = true
  return rows.end() ? paths : null
}

/** Waits for the child, which copies everything that `names` sends and what has a name before. */
async function withChild<T>(
  { options, stopping }: Copying,
  progress: SnapshotProgress,
  names: (child: SnapshotChild) => Promise<T>
): Promise<{ readonly sent: T; readonly isAlone: boolean }> {
  const child = options.startChild(progress)
  stopping.addEventListener('abort', child.stop)
  try {
    const sent = await names(child)
    await child.send(null)
    return { sent, isAlone: await child.done }
  } catch (error) {
    // Until then it writes.
    child.stop()
    await child.done.catch(() => {})
    throw error
  } finally {
    stopping.removeEventListener('abort', child.stop)
  }
}

/** Lists the folders in steps, which `take` records. Ends the scan that begins the watch. */
async function list(
  { open, scan, endScan, stopping }: Copying,
  take: (listed: readonly ListedFolder[]) => unknown
): Promise<number | null> {
  let paths: number | null = null
  try {
    const listing = listFolders(open, scan)
    let step = listing.next()
    for (; !step.done; step = listing.next()) {
      await take(step.value)
      await nextTurn()
      if (stopping.aborted) throw endedEarly('Cancelled', 'was stopped')
    }
    paths = step.value.paths
    recordLeftOut(open.store, step.value.leftOut)
    return paths
  } finally {
    endScan(paths)
  }
}
