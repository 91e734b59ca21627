/**
 * The first copy of a folder: all names first, then contents. Runs in a process of its own (ingest-child.ts), so that its
 * memory and its load end with it.
 */
import { bumpRev, write } from '../db/transaction.ts'
import { snapshotContents } from './snapshot-contents.ts'
import { snapshotNames } from './snapshot-names.ts'
import type { SnapshotOptions, SnapshotProgress } from './snapshot-options.ts'

/** Copies every covered path that has no recorded version yet; may be run again after it was stopped. */
export async function takeInitialSnapshot(options: SnapshotOptions): Promise<void> {
  const progress: SnapshotProgress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
  const contents = snapshotContents(options, progress)
  // Workers pack what is named already while the naming goes on; names stay far ahead, being much cheaper.
  for (const _ of snapshotNames(options, progress)) {
    options.onProgress(progress)
    await contents.feed()
  }
  progress.counted = true
  options.onProgress(progress)
  await contents.finish()
  write(options.store.db, () => {
    options.store.setMeta('coverage', 'complete')
    bumpRev(options.store.db)
  })
  options.onProgress(progress)
}
