/** Marks checkpoints that need damaged content as broken, with the reason. They cannot be restored any more. */
import { markBrokenBetween } from '../store/checkpoints.ts'
import { spansOfContent } from '../store/edits.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'

/** Marks every checkpoint at whose position a path had one of these contents. Returns whether any checkpoint was marked. */
export function markBroken(store: Store, contents: readonly number[]): boolean {
  if (contents.length === 0) return false
  return transact(store, (tx) => {
    let marked = 0
    for (const content of contents) {
      for (const { name, since, upto } of spansOfContent(tx, content))
        marked += markBrokenBetween(tx, since, upto, `the stored content of ${name} is damaged`)
    }
    if (marked > 0) bumpRev(tx)
    return marked > 0
  })
}
