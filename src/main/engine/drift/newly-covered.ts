/** After a person changed the capture settings: records files that were excluded and now are covered, as accepted drift. */
import type { Author } from '../capture/append.ts'
import { type RecordingContext, reconcile } from '../capture/reconcile.ts'
import { distrustExcludedFiles, excludedFiles } from '../store/coverage.ts'
import { countDrift } from '../store/drifts.ts'
import type { Store } from '../store/open-store.ts'
import { unfinishedPaths } from '../store/restore-items.ts'
import { transact, type Writable } from '../store/sql.ts'
import type { CheckContext } from './check.ts'
import { discoveredAuthor } from './drifts.ts'

/** Call inside the workspace's lock, after `reloadCaptureSettings`. `folders`: those covered now and not before. */
export async function captureNewlyCovered(
  context: Pick<CheckContext, keyof RecordingContext | 'notifyChanged'>,
  folders: readonly string[]
): Promise<void> {
  const { store } = context
  const excluded = excludedFiles(store)
  // Otherwise the files would not be read, because nothing about them changed.
  transact(store, distrustExcludedFiles)
  let discovered: Author | null = null
  const author = (tx: Writable<Store>): (() => Author) => {
    discovered ??= discoveredAuthor(tx, 'protected from now on by your settings', context.now())
    const author = discovered
    return () => author
  }
  const scope = { paths: excluded, trees: folders }
  const done = await reconcile(context, scope, author, {
    skip: () => unfinishedPaths(store),
    onAppended: (tx) => {
      if (discovered?.drift) countDrift(tx, discovered.drift)
    }
  })
  context.notifyChanged(done.edits.length > 0 ? ['edits', 'drift', 'status'] : ['status'])
}
