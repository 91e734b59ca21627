/**
 * The first copy of a folder: all names first, then contents. Runs in a process of its own (ingest-child.ts), so that its
 * memory and its load end with it.
 */
import { bumpRev, write } from '../db/transaction.ts'
import type { FirstCopyOptions, Progress } from './copy-options.ts'
import { copyContents } from './first-contents.ts'
import { recordNames } from './first-names.ts'

/** Copies every covered path that has no recorded version yet; may be run again after it was stopped. */
export async function firstCopy(options: FirstCopyOptions): Promise<void> {
  const progress: Progress = { files: 0, filesTotal: 0, bytes: 0, counted: false }
  const contents = copyContents(options, progress)
  // Workers pack what is named already while the naming goes on; names stay far ahead, being much cheaper.
  for (const _ of recordNames(options, progress)) {
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
