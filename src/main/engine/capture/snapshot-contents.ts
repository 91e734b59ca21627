/**
 * The second step of an initial snapshot: file contents. Worker threads read and pack batches of files; this thread, the only
 * writer, gathers finished batches into large transactions.
 */
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { isPending, pendingPaths } from '../store/paths.ts'
import { transact, type Writable } from '../store/sql.ts'
import { limitOf } from './limit.ts'
import { observe } from './observe.ts'
import { type SnapshotBatch, type SnapshotJob, unpackBatch } from './snapshot-batch.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

/** Files per batch for a worker. */
const JOB_FILES = 96
/** Finished batches are written when one of these is reached. */
const WRITE_BYTES = 16 * 1024 * 1024
const WRITE_BATCHES = 40
/** Least time between two progress reports. */
const REPORT_MS = 150

interface FinishedBatch {
  readonly jobs: readonly SnapshotJob[]
  readonly batch: SnapshotBatch
}

export interface ContentSnapshot {
  /** Hands recorded names to idle workers and writes finished batches; waits one turn of the event loop at most. */
  feed(): Promise<void>
  /** Copies everything that remains. */
  finish(): Promise<void>
}

/** Files are taken in the order of their ids, so names that are added meanwhile come last and none is missed. */
export function snapshotContents(options: SnapshotOptions, progress: SnapshotProgress): ContentSnapshot {
  const { store, rules, pool } = options
  const running = new Set<Promise<void>>()
  let finished: FinishedBatch[] = []
  let finishedBytes = 0
  /** Jobs that did not fit into a full batch. */
  const postponed: (readonly SnapshotJob[])[] = []
  let lastId = 0
  let lastReport = 0
  let failure: unknown = null

  const flush = (): void => {
    const batches = finished
    finished = []
    finishedBytes = 0
    if (batches.length === 0) return
    const large: string[] = []
    transact(store, (tx) => {
      for (const batch of batches) large.push(...recordBatch(tx, batch, progress))
      bumpRev(tx)
    })
    for (const path of large) recordLargeFile(options, path, progress)
    if (options.now() - lastReport > REPORT_MS) {
      lastReport = options.now()
      options.onProgress(progress)
    }
  }
  const nextJobs = (): readonly SnapshotJob[] => {
    const jobs = postponed.pop()
    if (jobs) return jobs
    const rows = pendingPaths(store, lastId, JOB_FILES)
    lastId = rows.at(-1)?.id ?? lastId
    return rows.map(({ id, name }) => ({ id, name, ...limitOf(rules, name) }))
  }
  /** Starts one batch; false if no name without a version is left. */
  const start = (): boolean => {
    const jobs = nextJobs()
    if (jobs.length === 0) return false
    const done: Promise<void> = pool
      .run(jobs)
      .then((batch) => {
        finished.push({ jobs, batch })
        finishedBytes += batch.bytes.length
        if (batch.done < jobs.length) postponed.push(jobs.slice(batch.done))
      })
      .catch((error) => {
        failure ??= error
      })
      .finally(() => running.delete(done))
    running.add(done)
    return true
  }
  const writeWhenFull = (): void => {
    if (failure) throw failure
    if (finishedBytes >= WRITE_BYTES || finished.length >= WRITE_BATCHES) flush()
  }

  return {
    feed: async () => {
      while (running.size < pool.size * 2 && start()) writeWhenFull()
      await new Promise((resolve) => setImmediate(resolve))
      writeWhenFull()
    },
    finish: async () => {
      for (;;) {
        const started = running.size < pool.size * 2 && start()
        if (!started && running.size === 0) break
        // A full batch postpones jobs when it finishes, so the end is reached only when nothing runs.
        if (!started) await Promise.race(running)
        writeWhenFull()
      }
      flush()
      // Folders that could not be listed and names that vanished stay rows without a version; the next scan decides.
    }
  }
}

/** Writes one batch. A path that another process recorded meanwhile stays as it is. Returns the paths too large for a worker. */
function recordBatch(tx: Writable<Store>, { jobs, batch }: FinishedBatch, progress: SnapshotProgress): string[] {
  const { records, content } = tx
  const large: string[] = []
  for (const entry of unpackBatch(batch)) {
    const { id, name } = jobs[entry.index] as SnapshotJob
    if (entry.large) {
      large.push(name)
      continue
    }
    if (!isPending(tx, id)) continue
    progress.files++
    progress.bytes += entry.version.size
    const stored = entry.hash ? content.putPacked(entry.hash, entry.version.size, entry.packed) : null
    const version = entry.version.kind === 'absent' ? records.absent : records.addVersion(entry.version, stored)
    records.setHead(id, version, 0, entry.signature, entry.statAt)
  }
  return large
}

/** Streams a file that is too large for a worker. */
function recordLargeFile(options: SnapshotOptions, path: string, progress: SnapshotProgress): void {
  const { root, store, rules } = options
  const statAt = options.now()
  const fs = createWorkspaceFs(root)
  const observation = observe(fs, store.content, path, { ...limitOf(rules, path), folderReason: null })
  transact(store, ({ records, content }) => {
    const head = records.head(path)
    if (!head || head.version !== null) return
    const stored = observation.bytes
      ? content.put(observation.bytes, Buffer.from(observation.version.hash as string, 'hex'), null)
      : observation.content
    const version =
      observation.version.kind === 'absent' ? records.absent : records.addVersion(observation.version, stored)
    records.setHead(head.id, version, 0, observation.signature, statAt)
  })
  progress.files++
  progress.bytes += observation.version.size
}
