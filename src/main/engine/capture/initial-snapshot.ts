/**
 * The initial snapshot of a folder: first all names, then the contents. Runs in its own process (ingest-child.ts), so that its
 * memory is freed and its load ends with it.
 */
import { bumpRev, writeMeta } from '../store/meta.ts'
import { transact } from '../store/sql.ts'
import { snapshotContents } from './snapshot-contents.ts'
import { snapshotNames } from './snapshot-names.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

/** Records every covered path that has no version yet. A snapshot that was stopped continues when this runs again. */
export async function takeInitialSnapshot(options: SnapshotOptions): Promise<void> {
  const progress: SnapshotProgress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
  const contents = snapshotContents(options, progress)
  // Workers pack the first files while names are still being recorded. Names are much cheaper and stay far ahead.
  for (const _ of snapshotNames(options, progress)) {
    options.onProgress(progress)
    await contents.feed()
  }
  progress.counted = true
  options.onProgress(progress)
  await contents.finish()
  transact(options.store, (tx) => {
    writeMeta(tx, 'coverage', 'complete')
    bumpRev(tx)
  })
  options.onProgress(progress)
}
