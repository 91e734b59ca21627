/**
 * The initial snapshot of a folder: first all names (snapshot-names.ts), then the contents. Worker threads read and
 * pack batches of files; this thread, the only writer, gathers finished batches into large transactions. Of a large
 * folder it runs in its own process (ingest-child.ts), so that its memory is freed and its load ends with it.
 */
import type { Signature } from '../files/signature.ts'
import { createWorkspaceFs } from '../files/workspace-fs.ts'
import { ABSENT } from '../store/fixed-versions.ts'
import { bumpRev, writeMeta } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { isPending, pendingIds, pendingPaths } from '../store/paths.ts'
import { transact, type Writable, withoutDeferred } from '../store/sql.ts'
import { type FirstVersion, setFirstVersion } from './append.ts'
import type { ListedFolder } from './listed-folders.ts'
import { createListedLimits } from './listed-limits.ts'
import { observe } from './observe.ts'
import { requireFolder } from './presence.ts'
import type { RecordingContext } from './reconcile.ts'
import { type BatchEntry, packedContent, type SnapshotBatch, type SnapshotJob } from './snapshot-batch.ts'
import { createNames, newProgress, type SnapshotProgress } from './snapshot-names.ts'
import { createStoredRows } from './snapshot-rows.ts'

interface SnapshotOptions extends Pick<RecordingContext, 'root' | 'store' | 'rules'> {
  /** The folders as they are listed; absent if all names are recorded. */
  readonly names?: Iterable<readonly ListedFolder[]> | AsyncIterable<readonly ListedFolder[]>
  /** What is recorded already. */
  readonly progress?: SnapshotProgress
  readonly reader: SnapshotReader
  onProgress(progress: SnapshotProgress): void
}

/** Reads batches of files; they may finish in any order. */
export interface SnapshotReader {
  /** How many batches it takes before the first one is read. */
  readonly ahead: number
  /** Rejects if a worker fails or the snapshot is stopped. */
  read(jobs: readonly SnapshotJob[]): Promise<SnapshotBatch>
  /** Call when a batch is recorded: its bytes are no longer needed. */
  release(batch: SnapshotBatch): void
}

/** Files per batch for a worker. */
const JOB_FILES = 96
/** Finished batches are written when one of these is reached. */
const WRITE_BYTES = 16 * 1024 * 1024
const WRITE_BATCHES = 40
/** Least time between two progress reports. */
const REPORT_MS = 150

/**
 * Records every covered path that has no version yet. A snapshot that was stopped continues when this runs again. Returns whether
 * the names are all that was recorded, as of `SnapshotRows.end`. Throws FolderMissing if the folder is gone at its end.
 */
export async function takeInitialSnapshot(options: SnapshotOptions): Promise<boolean> {
  const { store, progress = newProgress(), onProgress } = options
  const contents = snapshotContents(options, progress)
  const isAlone = await recordNames(options, progress, contents)
  progress.counted = true
  onProgress(progress)
  await contents.finish()
  // Nobody knows what else was in a folder that is gone, as a worktree that was removed at once.
  requireFolder(options, 'its initial snapshot is not complete.')
  transact(store, (tx) => {
    writeMeta(tx, 'coverage', 'complete')
    bumpRev(tx)
  })
  onProgress(progress)
  return isAlone
}

async function recordNames(
  { root, store, names, onProgress }: SnapshotOptions,
  progress: SnapshotProgress,
  contents: ReturnType<typeof snapshotContents>
): Promise<boolean> {
  if (!names) return true
  const rows = createStoredRows(store)
  const record = createNames({ rows, progress, root })
  // Workers pack the first files while names are still being recorded. Names are much cheaper and stay far ahead.
  for await (const listed of names) {
    record(listed)
    listed.forEach(contents.noteListed)
    onProgress(progress)
    await contents.feed()
  }
  return rows.end()
}

/**
 * `noteListed` takes what a listing says of its files. `feed` hands recorded names to workers that have room for more, and writes
 * finished batches; `finish` copies everything that remains.
 * Files are taken in the order of their ids, so names that are added meanwhile come last and none is missed. What waits for
 * its first version is never packed (packed-paths.ts).
 */
function snapshotContents(options: SnapshotOptions, progress: SnapshotProgress) {
  const { store, rules, reader } = options
  const limits = createListedLimits(rules)
  let running = 0
  let nextEnd = Promise.withResolvers<void>()
  let finished: FinishedBatch[] = []
  let finishedBytes = 0
  /** Jobs that did not fit into a full batch. */
  const postponed: (readonly SnapshotJob[])[] = []
  let lastId = 0
  let lastReport = 0
  let failure: unknown = null

  const flush = (): void => {
    if (finished.length === 0) return
    const large = withoutDeferred(store, () =>
      transact(store, (tx) => {
        bumpRev(tx)
        return finished.flatMap((batch) => recordBatch(tx, batch, progress))
      })
    )
    for (const { batch } of finished) reader.release(batch)
    finished = []
    finishedBytes = 0
    for (const job of large) recordLargeFile(options, job, progress)
    if (Date.now() - lastReport <= REPORT_MS) return
    lastReport = Date.now()
    options.onProgress(progress)
  }
  const nextJobs = (): readonly SnapshotJob[] => {
    const jobs = postponed.pop()
    if (jobs) return jobs
    const rows = withoutDeferred(store, () => pendingPaths(store, lastId, JOB_FILES))
    lastId = rows.at(-1)?.id ?? lastId
    return rows.map(({ id, name }) => ({ id, name, ...limits.limitOf(name) }))
  }
  const start = (jobs: readonly SnapshotJob[]): void => {
    running++
    reader
      .read(jobs)
      .then((batch) => {
        finished.push({ jobs, batch })
        finishedBytes += batch.bytes.length
        if (batch.done < jobs.length) postponed.push(jobs.slice(batch.done))
      })
      .catch((error) => {
        failure ??= error
      })
      .finally(() => {
        running--
        nextEnd.resolve()
        nextEnd = Promise.withResolvers()
      })
  }
  const feedWorkers = (): void => {
    while (running < reader.ahead) {
      const jobs = nextJobs()
      if (jobs.length === 0) return
      start(jobs)
    }
  }
  const writeWhenFull = (): void => {
    if (failure) throw failure
    if (finishedBytes >= WRITE_BYTES || finished.length >= WRITE_BATCHES) flush()
  }

  return {
    noteListed: limits.note,
    feed: async () => {
      feedWorkers()
      await new Promise((resolve) => setImmediate(resolve))
      writeWhenFull()
    },
    finish: async () => {
      // A full batch postpones jobs when it finishes, so the end is reached only when nothing runs.
      for (feedWorkers(); running > 0; feedWorkers()) {
        await nextEnd.promise
        writeWhenFull()
      }
      flush()
      // Folders that could not be listed and names that vanished stay rows without a version; the next scan decides.
    }
  }
}

interface FinishedBatch {
  readonly jobs: readonly SnapshotJob[]
  readonly batch: SnapshotBatch
}

/** Writes one batch. Returns the files too large for a worker. A path that another process recorded meanwhile stays as it is. */
function recordBatch(tx: Writable<Store>, { jobs, batch }: FinishedBatch, progress: SnapshotProgress): SnapshotJob[] {
  const large: SnapshotJob[] = []
  const pending = pendingIds(tx, jobs[0]?.id ?? 0, jobs.at(-1)?.id ?? 0)
  for (const entry of batch.entries) {
    const job = jobs[entry.index] as SnapshotJob
    if (!pending.has(job.id)) continue
    if (entry.version === 'large') large.push(job)
    else record(tx, job, storePacked(tx, batch, entry), progress)
  }
  return large
}

function storePacked(tx: Writable<Store>, batch: SnapshotBatch, entry: BatchEntry): FirstVersion {
  const { version, signature, statAt } = entry
  if (typeof version !== 'string') return { version, signature, statAt, bytes: null, large: null }
  const { size, mode } = signature as Signature
  const { hash, packed } = packedContent(batch, entry)
  const content = tx.content.putPacked(hash, size, packed)
  return { version: { ...ABSENT, kind: 'file', size, mode }, signature, statAt, bytes: null, large: null, content }
}

/** Streams a file that is too large for a worker. */
function recordLargeFile({ root, store }: SnapshotOptions, job: SnapshotJob, progress: SnapshotProgress): void {
  withoutDeferred(store, () => {
    const observation = observe(createWorkspaceFs(root), store.content, job.name, { ...job, readAt: Date.now() })
    transact(store, (tx) => {
      if (isPending(tx, job.id)) record(tx, job, observation, progress)
    })
    observation.large?.abandon()
  })
}

function record(tx: Writable<Store>, { id }: SnapshotJob, first: FirstVersion, progress: SnapshotProgress): void {
  progress.files++
  progress.bytes += first.version.size
  setFirstVersion(tx, id, first)
}
