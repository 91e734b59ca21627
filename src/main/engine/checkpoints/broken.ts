/** Marks checkpoints that need damaged content as broken, with the reason. They cannot be restored any more. */
import { bumpRev, write } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'

/** Marks every checkpoint at whose position a path had one of these contents. Returns whether any checkpoint was marked. */
export function markBroken(store: Store, contents: readonly number[]): boolean {
  if (contents.length === 0) return false
  const { db } = store
  // A path has the `before` version of edit e at all positions p with since <= p < e.seq, where `since` is the path's
  // previous edit, or 0 (the initial snapshot).
  const spans = db.prepare(
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
      for (const { name, upto, since } of spans.all(content) as { name: string; upto: number; since: number }[])
        marked += mark.run(`the stored content of ${name} is damaged`, since, upto).changes
    }
    if (marked > 0) bumpRev(db)
    return marked > 0
  })
}
