/** Who made an Edit: a run by its id and title, or somebody outside. */
import type { Writer } from '../../../contract/diff.ts'
import type { EditRow } from '../store/edits.ts'
import type { Store } from '../store/open-store.ts'

export function writerOf(store: Store): (edit: EditRow) => Writer {
  const run = store.db.prepare(
    'SELECT c.run AS who, r.title FROM edit_call c JOIN run r ON r.id = c.run WHERE c.edit = ? LIMIT 1'
  )
  return (edit) => {
    const { at } = edit
    if (edit.origin === 'outside') return { who: 'outside', title: '', at }
    const by = run.get(edit.seq) as { who: string; title: string } | undefined
    return { ...(by ?? { who: 'a restore', title: '' }), at }
  }
}
