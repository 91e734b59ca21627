/** After a person chose anew what is captured: what was left out and now is not is kept at once, without asking about it. */
import type { Author } from '../capture/append.ts'
import { reconcile } from '../capture/reconcile.ts'
import { write } from '../db/transaction.ts'
import { unfinishedPaths } from '../restore/journal.ts'
import { EVICTED_CODEC } from '../store/codec.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { countDrift, discoveredAuthor } from './drifts.ts'

/** Versions of files without content because of what a person chose, or whose content a person let go of. */
const LEFT_OUT = `SELECT id FROM version WHERE kind = 1 AND (reason IN ('too-large', 'ignored', 'never')
  OR content IN (SELECT id FROM content WHERE codec = ${EVICTED_CODEC}))`

/** Call inside the workspace's lock, after `chooseCapture`. `folders`: those protected now and not before. */
export async function captureNewlyCovered(recorder: Recorder, folders: readonly string[]): Promise<void> {
  const { store } = recorder
  const { db } = store
  const left = db.prepare(`SELECT p.name FROM path p WHERE p.version IN (${LEFT_OUT})`).all() as { name: string }[]
  // A stat that is never trusted: they are looked at although nothing about them changed.
  write(db, () => {
    db.prepare(`UPDATE path SET seen = 0 WHERE version IN (${LEFT_OUT})`).run()
  })
  let made: Author | null = null
  const author = (): (() => Author) => {
    made ??= discoveredAuthor(store, 'kept from now on, as you chose', recorder.now())
    const one = made
    return () => one
  }
  const scope = { paths: left.map(({ name }) => name), trees: folders }
  const done = await reconcile(recorder, scope, author, {
    skip: () => unfinishedPaths(store),
    onAppended: () => {
      if (made?.drift) countDrift(store, made.drift)
    }
  })
  recorder.notifyChanged(done.edits.length > 0 ? ['edits', 'drift', 'status'] : ['status'])
}
