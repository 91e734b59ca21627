/** Who made an Edit, for conflicts and for the list of other writers in a diff. */
import type { Writer } from '../../../contract/diff.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'

/** Prepares the statement once; the returned function looks up one Edit. A shared Edit has several runs: the first is named. */
export function createWriterLookup(store: Store): (edit: EditRow) => Writer {
  const findRun = store.db.prepare(
    'SELECT c.run AS who, r.title FROM edit_call c JOIN run r ON r.id = c.run WHERE c.edit = ? LIMIT 1'
  )
  return (edit) => {
    const { at } = edit
    if (edit.origin === 'outside') return { who: 'outside', title: '', at }
    const run = findRun.get(edit.seq) as { who: string; title: string } | undefined
    return { ...(run ?? { who: 'a restore', title: '' }), at }
  }
}
