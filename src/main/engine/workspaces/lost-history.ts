/**
 * Notices a lost history (ST-3): app.db notes how much each history held, and a file that is missing, empty or holds less is
 * refused instead of being filled anew. Sync tools, cleaners and old backups do this.
 */
import { statSync } from 'node:fs'
import { DriftlineError } from '../../../contract/errors.ts'
import { log } from '../ports/log.ts'
import { type AppStore, type HistoryNote, readHistoryNote, writeHistoryNote } from '../store/app-store.ts'
import { toDriftlineError } from '../store/database.ts'
import { transact } from '../store/sql.ts'

/** Throws HistoryLost if the file is missing or empty, although a history was recorded. Nothing is created. */
export function requireHistoryFile(root: string, file: string, note: HistoryNote | null): void {
  if (note === null) return
  const size = statSync(file, { throwIfNoEntry: false })?.size
  if (size === undefined || size === 0)
    throw historyLost(root, file, `${file} ${size === 0 ? 'is empty' : 'does not exist'}. It held ${heldBy(note)}.`)
}

/** Throws HistoryLost if the history ends earlier than it did. `lastSeq`: its last edit. */
export function requireWholeHistory(root: string, file: string, note: HistoryNote | null, lastSeq: number): void {
  if (note !== null && lastSeq < note.seq)
    throw historyLost(root, file, `${file} ends at edit ${lastSeq}, but it held ${heldBy(note)}.`)
}

function heldBy({ seq, at }: HistoryNote): string {
  return `edits up to number ${seq} on ${new Date(at).toISOString().slice(0, 10)}`
}

function historyLost(root: string, file: string, fact: string): DriftlineError {
  return new DriftlineError(
    'HistoryLost',
    `The history of ${root} is missing or too old: ${fact} Nothing was created or changed. Copy the file from a backup to its place, together with its -wal file if there is one, or continue without it: "driftline add --yes" in the folder.`,
    { folder: root, file }
  )
}

/** A note is renewed at most this often while a history grows, ms. */
const NOTE_INTERVAL_MS = 60_000

/**
 * Notes that a history holds edits up to `seq`, at `at` ms UTC. `due` notes it even shortly after the last time. The note is
 * written after the edits are durable, so it never claims more than there is.
 */
export function noteHistory(store: AppStore, workspace: string, seq: number, at: number, due: 'soon' | 'now'): void {
  const known = readHistoryNote(store, workspace)
  if (known && seq <= known.seq) return
  if (known && due === 'soon' && Math.abs(at - known.at) < NOTE_INTERVAL_MS) return
  try {
    transact(store, (tx) => writeHistoryNote(tx, workspace, { seq, at }))
  } catch (error) {
    // A full or read-only disk. An older note only notices less.
    if (!(toDriftlineError(error, workspace) instanceof DriftlineError)) throw error
    log.warn(`the extent of the history of ${workspace} could not be noted`)
  }
}
