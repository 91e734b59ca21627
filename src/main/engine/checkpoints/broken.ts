/** Checkpoints that need content which turned out to be damaged: they say so, and are not offered any more. */
import { bumpRev, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

/** Marks every checkpoint at whose position a path held this content. Returns whether there was any. */
export function markBroken(store: Store, contents: readonly number[]): boolean {
  if (contents.length === 0) return false
  const { db } = store
  // A version is the state of its path from the Edit that made it, or the first copy, up to the Edit it is the before of.
  const held = db.prepare(
    `SELECT p.name, e.seq AS upto,
       coalesce((SELECT max(b.seq) FROM edit b WHERE b.path = e.path AND b.seq < e.seq), 0) AS since
     FROM version v JOIN edit e ON e.before = v.id JOIN path p ON p.id = e.path WHERE v.content = ?`
  )
  const mark = db.prepare(
    `UPDATE checkpoint SET status = 'broken', why = ? WHERE status IN ('available', 'restored') AND seq >= ? AND seq < ?`
  )
  return write(db, () => {
    let marked = 0
    for (const content of contents) {
      for (const { name, upto, since } of held.all(content) as { name: string; upto: number; since: number }[])
        marked += mark.run(`what ${name} held then is damaged in the history`, since, upto).changes
    }
    if (marked > 0) bumpRev(db)
    return marked > 0
  })
}
