/** The input of finishing or undoing an interrupted restore, read from its journal. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Resolutions } from '../../../../contract/restore.ts'
import type { Merge } from '../../diff/provenance.ts'
import { editsInForce } from '../../log/chain.ts'
import { createWriterLookup } from '../../log/writer.ts'
import type { Store } from '../../store/open-store.ts'
import { blockingRestore, type JournalItem, journalItems } from '../journal.ts'
import { defaultInput, type RequestedPath, type RequestInput } from './request-input.ts'

/**
 * Requires that the restore is settled: items it wrote are its Edits. Undo returns them to their old version, Finish writes the
 * remaining ones. Edits after the guard that are not the restore's are conflicts.
 */
export function recoverInput(store: Store, how: 'finish' | 'undo', resolutions: Resolutions): RequestInput {
  const interrupted = blockingRestore(store)
  if (!interrupted?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const { id } = interrupted
  const guard = store.db.prepare('SELECT seq FROM checkpoint WHERE id = ?').get(interrupted.guard) as { seq: number }
  const writerOf = createWriterLookup(store)
  const paths: RequestedPath[] = []
  for (const item of journalItems(store, id)) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const written = records.editsOf(head.id).find((edit) => edit.restore === id)
    const foreign = editsInForce(head.edit, records).filter((edit) => edit.seq > guard.seq)
    const merge = how === 'finish' ? journaledMerge(store, id, item) : null
    const baseOfUndo = written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : baseOfUndo,
      foreign: foreign.map(writerOf),
      foreignCause: 'after-interruption',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null
    })
  }
  return {
    ...defaultInput(store, resolutions),
    paths,
    title: interrupted.title,
    target: id,
    targetAt: interrupted.at,
    toSeq: how === 'finish' ? interrupted.to_seq : null,
    undoes: how === 'undo' ? id : null,
    finishes: how === 'finish' ? id : null,
    whole: true
  }
}

/** The merge that the restore was about to write, or null for a plain item. */
function journaledMerge(store: Store, restore: string, item: JournalItem): Merge | null {
  const rows = store.db
    .prepare('SELECT seq, hunk, whole FROM restore_without WHERE restore = ? AND path = ?')
    .all(restore, item.path) as { seq: number; hunk: number; whole: number }[]
  const version = store.records.version(item.after)
  if (rows.length === 0 || version.content === null) return null
  return {
    version,
    bytes: store.content.get(version.content),
    omits: rows.map((row) => ({ ...row, whole: row.whole === 1 }))
  }
}
