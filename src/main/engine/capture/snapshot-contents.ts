/** The second step of a first copy: contents, packed by worker threads and written in gathered transactions. */
import { bumpRev, write } from '../db/transaction.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import type { Store } from '../store/open-store.ts'
import { limitOf } from './limit.ts'
import { observe } from './observe.ts'
import { type SnapshotBatch, type SnapshotJob, unpackBatch } from './snapshot-batch.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

const JOB_FILES = 96
const WRITE_BYTES = 16 * 1024 * 1024
const WRITE_BATCHES = 40
const REPORT_MS = 150

interface FinishedBatch {
  readonly jobs: readonly SnapshotJob[]
  readonly batch: SnapshotBatch
}

export interface ContentSnapshot {
  /** Hands named files to idle workers and writes what they finished; does not wait for more than a turn of the loop. */
  feed(): Promise<void>
  /** Copies all that is left. */
  finish(): Promise<void>
}

export function snapshotContents(options: SnapshotOptions, progress: SnapshotProgress): ContentSnapshot {
  const { store, rules, pool } = options
  const page = store.db.prepare('SELECT id, name FROM path WHERE version IS NULL AND id > ? ORDER BY id LIMIT ?')
  const running = new Set<Promise<void>>()
  let waiting: FinishedBatch[] = []
  let waitingBytes = 0
  const leftOver: (readonly SnapshotJob[])[] = []
  let after = 0
  let lastReport = 0
  let failure: unknown = null

  const flush = (): void => {
    const batches = waiting
    waiting = []
    waitingBytes = 0
    if (batches.length === 0) return
    const large: string[] = []
    write(store.db, () => {
      for (const read of batches) large.push(...recordBatch(store, read, progress))
      bumpRev(store.db)
    })
    for (const path of large) recordLargeFile(options, path, progress)
    if (options.now() - lastReport > REPORT_MS) {
      lastReport = options.now()
      options.onProgress(progress)
    }
  }
  const next = (): readonly SnapshotJob[] => {
    const left = leftOver.pop()
    if (left) return left
    const rows = page.all(after, JOB_FILES) as { id: number; name: string }[]
    after = rows.at(-1)?.id ?? after
    return rows.map(({ id, name }) => ({ id, name, ...limitOf(rules, name) }))
  }
  /** Starts one batch; false when nothing named is left. */
  const start = (): boolean => {
    const jobs = next()
    if (jobs.length === 0) return false
    const done: Promise<void> = pool
      .run(jobs)
      .then((batch) => {
        waiting.push({ jobs, batch })
        waitingBytes += batch.bytes.length
        if (batch.done < jobs.length) leftOver.push(jobs.slice(batch.done))
      })
      .catch((error) => {
        failure ??= error
      })
      .finally(() => running.delete(done))
    running.add(done)
    return true
  }
  const settle = (): void => {
    if (failure) throw failure
    if (waitingBytes >= WRITE_BYTES || waiting.length >= WRITE_BATCHES) flush()
  }

  return {
    feed: async () => {
      while (running.size < pool.size * 2 && start()) settle()
      await new Promise((resolve) => setImmediate(resolve))
      settle()
    },
    finish: async () => {
      for (;;) {
        const started = running.size < pool.size * 2 && start()
        if (!started && running.size === 0) break
        // What a full batch left over shows up when it is done, so the end is reached only when nothing runs.
        if (!started) await Promise.race(running)
        settle()
      }
      flush()
      // Folders that could not be listed and names that vanished are rows without a version; the next scan decides about them.
    }
  }
}

/** Writes one batch; paths that were recorded by somebody else meanwhile stay as they are. Returns those too large for a worker. */
function recordBatch(store: Store, { jobs, batch }: FinishedBatch, progress: SnapshotProgress): string[] {
  const { records, content, db } = store
  const isPending = db.prepare('SELECT 1 FROM path WHERE id = ? AND version IS NULL')
  const large: string[] = []
  for (const one of unpackBatch(batch)) {
    const { id, name } = jobs[one.n] as SnapshotJob
    if (one.large) {
      large.push(name)
      continue
    }
    if (isPending.get(id) === undefined) continue
    progress.files++
    progress.bytes += one.version.size
    const stored = one.hash ? content.putPacked(one.hash, one.version.size, one.packed) : null
    const version = one.version.kind === 'absent' ? records.absent : records.addVersion(one.version, stored)
    records.setHead(id, version, 0, one.signature, one.seen)
  }
  return large
}

/** A file too large for a worker, streamed by this thread. */
function recordLargeFile(options: SnapshotOptions, path: string, progress: SnapshotProgress): void {
  const { root, store, rules } = options
  const seen = options.now()
  const fs = createWorkspaceFs(root)
  const observation = observe(fs, store.content, path, { ...limitOf(rules, path), folderReason: null })
  write(store.db, () => {
    const head = store.records.head(path)
    if (!head || head.version !== null) return
    const stored = observation.bytes
      ? store.content.put(observation.bytes, Buffer.from(observation.version.hash as string, 'hex'), null)
      : observation.content
    const version =
      observation.version.kind === 'absent'
        ? store.records.absent
        : store.records.addVersion(observation.version, stored)
    store.records.setHead(head.id, version, 0, observation.signature, seen)
  })
  progress.files++
  progress.bytes += observation.version.size
}
