/** Facts of finishing or undoing a restore that was cut off, from its journal. */

import { DriftlineError } from '../../../../contract/errors.ts'
import type { Choices } from '../../../../contract/restore.ts'
import { editsInForce } from '../../log/chain.ts'
import { writerOf } from '../../log/writer.ts'
import type { Store } from '../../store/open-store.ts'
import { type JournalItem, journalItems, openRestore } from '../journal.ts'
import type { Merge } from '../provenance.ts'
import { type ActFacts, type MergeFacts, neutralFacts } from './act-facts.ts'

/** After `settle` the written items are the restore's Edits: Undo takes them back, Finish brings the rest to where the restore wanted them. */
export function recoverFacts(store: Store, how: 'finish' | 'undo', choices: Choices): ActFacts {
  const open = openRestore(store)
  if (!open?.abandoned) throw new DriftlineError('Refused', 'No restore was interrupted.', { nothing: true })
  const { records } = store
  const guard = store.db.prepare('SELECT seq FROM checkpoint WHERE id = ?').get(open.guard) as { seq: number }
  const who = writerOf(store)
  const paths: MergeFacts[] = []
  for (const item of journalItems(store, open.id)) {
    const head = records.head(item.path)
    if (item.action === 'keep' || !head || head.version === null) continue
    const written = records.editsOf(head.id).find((edit) => edit.restore === open.id)
    const foreign = editsInForce(head.edit, records).filter((edit) => edit.seq > guard.seq)
    const merge = how === 'finish' ? journalledMerge(store, open.id, item) : null
    paths.push({
      path: item.path,
      now: records.version(head.version),
      target: records.version(how === 'finish' ? item.after : item.before),
      base: how === 'finish' ? item.base : written ? (records.editBefore(head.id, written.seq)?.seq ?? 0) : head.edit,
      foreign: foreign.map(who),
      foreignReason: 'changed since the restore was interrupted',
      merge,
      own: written ? records.version(written.after) : null,
      onlyByMerge: merge !== null
    })
  }
  return {
    ...neutralFacts(store, choices),
    paths,
    title: open.title,
    target: open.id,
    targetAt: open.at,
    toSeq: how === 'finish' ? open.to_seq : null,
    undoes: how === 'undo' ? open.id : null,
    finishes: how === 'finish' ? open.id : null,
    whole: true
  }
}

/** The merge an interrupted restore was about to write, as its journal has it. */
function journalledMerge(store: Store, restore: string, item: JournalItem): Merge | null {
  const rows = store.db
    .prepare('SELECT seq, hunk, whole FROM restore_without WHERE restore = ? AND path = ?')
    .all(restore, item.path) as {
    seq: number
    hunk: number
    whole: number
  }[]
  const version = store.records.version(item.after)
  if (rows.length === 0 || version.content === null) return null
  return {
    version,
    bytes: store.content.get(version.content),
    leaveOut: rows.map((row) => ({ ...row, whole: row.whole === 1 }))
  }
}
