/**
 * [RS-7] Takes stock of a restore whose process died: what it wrote becomes its Edits in the log, what is neither the old
 * nor the new state is recorded as somebody else's (and so becomes a conflict), and its temporary files go. Writes nothing
 * to a path of the project; after it, Finish and Undo are ordinary plans.
 */
import { readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { append } from '../capture/append.ts'
import { observe } from '../capture/observe.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { outsideAuthor, refreshOpenDrift } from '../drift/drifts.ts'
import { isAbsence } from '../files/fs-errors.ts'
import { absoluteOf, childOf, createInside, foldersAbove, OWN_PREFIX } from '../files/inside.ts'
import { lstatSignature } from '../files/signature.ts'
import { sameVersion } from '../log/same-version.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { journalItems } from './journal.ts'
import { appendRestored } from './perform.ts'

export async function settleInterrupted(recorder: Recorder, id: string): Promise<void> {
  const { store, root } = recorder
  const items = journalItems(store, id).filter((item) => item.action !== 'keep')
  bringBack(root, id, items)
  for (const item of items) {
    const inside = createInside(root)
    const seen = recorder.now()
    const one = observe(inside, store.content, item.path, { limit: Number.POSITIVE_INFINITY, folderReason: null })
    write(store.db, () => {
      const head = store.records.head(item.path)
      const present = head?.version == null ? null : store.records.version(head.version)
      if (present && sameVersion(present, one.version)) {
        if (one.signature?.kind !== 'dir' && head) store.records.setSignature(head.id, one.signature, seen)
        return
      }
      if (sameVersion(store.records.version(item.after), one.version))
        appendRestored(recorder, id, item.path, item.after, item.base, one.signature, seen)
      else {
        append(store, root, [one], () => outsideAuthor(store, { cause: 'edits', note: '' }, seen), seen, seen)
        refreshOpenDrift(store)
      }
      bumpRev(store.db)
    })
  }
  store.db.prepare("UPDATE restore SET state = 'interrupted' WHERE id = ?").run(id)
}

/** Our own files: staged ones go; what was moved aside returns to its name if nothing took its place, else it goes too (it is in the store). */
function bringBack(root: string, id: string, items: readonly { readonly n: number; readonly path: string }[]): void {
  const prefix = `${OWN_PREFIX}${id}-`
  const folders = new Set<string>([''])
  for (const item of items) for (const folder of foldersAbove(item.path)) folders.add(folder)
  for (const folder of folders) {
    let names: string[]
    try {
      names = readdirSync(absoluteOf(root, folder))
    } catch (error) {
      if (isAbsence(error)) continue
      throw error
    }
    for (const name of names) {
      if (!name.startsWith(prefix)) continue
      const place = absoluteOf(root, childOf(folder, name))
      const item = items.find((one) => one.n === Number.parseInt(name.slice(prefix.length), 10))
      const home = item ? absoluteOf(root, item.path) : null
      if (name.endsWith('.old') && home && !lstatSignature(home)) renameSync(place, home)
      else if (lstatSignature(place)?.kind === 'dir') removeEmpty(place)
      else unlinkSync(place)
    }
  }
}

/** A folder moved aside whose planned content was removed already; one that still holds something stays for a person to see. */
function removeEmpty(place: string): void {
  try {
    rmdirSync(place)
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ENOTEMPTY') throw error
  }
}
