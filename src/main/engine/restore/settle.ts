/**
 * [RS-7] Takes stock of a restore whose process died: what it wrote becomes its Edits in the log, what is neither the old
 * nor the new state is recorded as somebody else's (and so becomes a conflict), and its temporary files go. Writes nothing
 * to a path of the project; after it, Finish and Undo are ordinary plans.
 */
import { readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { append } from '../capture/append.ts'
import { observe } from '../capture/observe.ts'
import { withRecordedMode } from '../capture/recorded-mode.ts'
import { bumpRev, write } from '../db/transaction.ts'
import { outsideAuthor, refreshOpenDrift } from '../drift/drifts.ts'
import { absoluteOf, childOf, createInside, foldersAbove, OWN_PREFIX } from '../files/inside.ts'
import { lstatSignature } from '../files/signature.ts'
import { sameVersion } from '../log/same-version.ts'
import { isAbsence } from '../ports/fs-errors.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import { clearAside, giveVisibleName, NEW_FOLDER_MODE } from './aside.ts'
import { findRestore, type JournalItem, journalItems, markInterrupted, markWritten } from './journal.ts'
import { appendRestored } from './record.ts'
import { refusedBySystem } from './refused-by-system.ts'

export async function settleInterrupted(recorder: Recorder, id: string): Promise<void> {
  const { store, root } = recorder
  const items = journalItems(store, id).filter((item) => item.action !== 'keep')
  const finishes = findRestore(store, id)?.finishes ?? null
  bringBack(recorder, id, items)
  for (const item of items) {
    const inside = createInside(root)
    const seen = recorder.now()
    const observation = observe(inside, store.content, item.path, {
      limit: Number.POSITIVE_INFINITY,
      folderReason: null
    })
    write(store.db, () => {
      const head = store.records.head(item.path)
      const present = head?.version == null ? null : store.records.version(head.version)
      const there =
        present && head
          ? withRecordedMode(observation.version, observation.signature, present, head.signature)
          : observation.version
      if (present && sameVersion(present, there)) {
        if (observation.signature?.kind !== 'dir' && head)
          store.records.setSignature(head.id, observation.signature, seen)
        return
      }
      const [before, after] = [store.records.version(item.before), store.records.version(item.after)]
      // A folder it made gets its mode last of all; until then it is the restore's work all the same.
      const halfMade =
        after.kind === 'dir' &&
        before.kind !== 'dir' &&
        observation.version.kind === 'dir' &&
        (observation.version.mode & 0o777) === NEW_FOLDER_MODE
      if (halfMade || sameVersion(after, there)) {
        const made = halfMade ? store.records.addVersion(observation.version, null) : item.after
        appendRestored(recorder, finishes ?? id, item.path, made, item.base, observation.signature, seen)
        for (const one of [id, finishes]) if (one) markWritten(store, one, item.path)
      } else {
        append(store, root, [observation], () => outsideAuthor(store, { cause: 'edits', note: '' }, seen), seen, seen)
        refreshOpenDrift(store)
      }
      bumpRev(store.db)
    })
  }
  write(store.db, () => markInterrupted(store, id))
}

/**
 * Our own files: staged ones go; what was moved aside returns to its name if nothing took its place, else what the log
 * holds of it goes, and anything else gets a name that people see.
 */
function bringBack(recorder: Recorder, id: string, items: readonly JournalItem[]): void {
  const { root } = recorder
  const prefix = `${OWN_PREFIX}${id}-`
  const folders = new Set<string>([''])
  for (const item of items) for (const folder of foldersAbove(item.path)) folders.add(folder)
  const inside = createInside(root)
  for (const folder of folders) {
    try {
      // What lies behind a link that took a folder's place is not ours to look at (CP-4).
      if (folder !== '' && inside.look(folder)?.kind !== 'dir') continue
      for (const name of namesIn(absoluteOf(root, folder))) {
        if (!name.startsWith(prefix)) continue
        const item = items.find((one) => one.n === Number.parseInt(name.slice(prefix.length), 10))
        bringOneBack(recorder, absoluteOf(root, childOf(folder, name)), name.endsWith('.old') ? item : undefined, items)
      }
    } catch (error) {
      throw stuck(folder, error)
    }
  }
}

function bringOneBack(
  { root, store }: Recorder,
  place: string,
  item: JournalItem | undefined,
  items: readonly JournalItem[]
): void {
  const home = item ? absoluteOf(root, item.path) : null
  if (!item || !home) removeStaged(place)
  else if (!lstatSignature(home)) renameSync(place, home)
  else {
    const recorded = new Map(items.map((one) => [one.path, store.records.version(one.before)]))
    if (!clearAside(place, item.path, recorded)) giveVisibleName(place, home)
  }
}

/** A file, a link, or a folder that nothing is in yet. */
function removeStaged(place: string): void {
  if (lstatSignature(place)?.kind === 'dir') rmdirSync(place)
  else unlinkSync(place)
}

function stuck(folder: string, error: unknown): DriftlineError {
  const where = folder === '' ? 'the folder' : folder
  return new DriftlineError(
    'Refused',
    `What the interrupted restore left in ${where} cannot be put in order: ${refusedBySystem(error)}. Nothing is lost. Allow changing it, then finish or undo the restore.`,
    { folder }
  )
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}
