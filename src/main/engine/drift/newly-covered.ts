/** After a person changed the capture settings: records files that were excluded and now are covered, as accepted drift. */
import type { Author } from '../capture/append.ts'
import { reconcile } from '../capture/reconcile.ts'
import { write } from '../db/transaction.ts'
import { unfinishedPaths } from '../restore/journal.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { countDrift, discoveredAuthor } from './drifts.ts'

/** Versions of files without content because of the settings, or whose content was evicted by them. */
const EXCLUDED = `SELECT id FROM version WHERE kind = 1 AND (reason IN ('too-large', 'ignored', 'never')
  OR content IN (SELECT id FROM content WHERE codec = ${EVICTED_CODEC}))`

/** Call inside the workspace's lock, after `reloadCaptureSettings`. `folders`: those covered now and not before. */
export async function captureNewlyCovered(recorder: Recorder, folders: readonly string[]): Promise<void> {
  const { store } = recorder
  const { db } = store
  const excluded = db.prepare(`SELECT p.name FROM path p WHERE p.version IN (${EXCLUDED})`).all() as { name: string }[]
  // A stat of time 0 is never trusted, so the files are read although nothing about them changed.
  write(db, () => {
    db.prepare(`UPDATE path SET seen = 0 WHERE version IN (${EXCLUDED})`).run()
  })
  let discovered: Author | null = null
  const author = (): (() => Author) => {
    discovered ??= discoveredAuthor(store, 'protected from now on by your settings', recorder.now())
    const author = discovered
    return () => author
  }
  const scope = { paths: excluded.map(({ name }) => name), trees: folders }
  const done = await reconcile(recorder, scope, author, {
    skip: () => unfinishedPaths(store),
    onAppended: () => {
      if (discovered?.drift) countDrift(store, discovered.drift)
    }
  })
  recorder.notifyChanged(done.edits.length > 0 ? ['edits', 'drift', 'status'] : ['status'])
}
