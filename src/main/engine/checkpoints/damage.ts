/** [RS-18] One damaged content costs one path: it is marked, and its versions count as not stored from then on. */
import { DriftlineError } from '../../../contract/errors.ts'
import { markBrokenBetween } from '../store/checkpoints.ts'
import type { ContentId } from '../store/content-rows.ts'
import { spansOfContent } from '../store/edits.ts'
import { bumpRev } from '../store/meta.ts'
import type { Store } from '../store/open-store.ts'
import { transact } from '../store/sql.ts'

/**
 * Marks contents that could not be read as damaged, and every checkpoint at whose position a path had one of
 * them as broken. Returns whether anything was marked.
 */
export function recordDamage(store: Store, contents: readonly ContentId[]): boolean {
  if (contents.length === 0) return false
  return transact(store, (tx) => {
    let marked = 0
    for (const content of contents) {
      if (store.content.markDamaged(tx, content)) marked++
      for (const { name, since, upto } of spansOfContent(tx, content))
        marked += markBrokenBetween(tx, since, upto, name)
    }
    if (marked > 0) bumpRev(tx)
    return marked > 0
  })
}

/** Marks the content that the error names. False if the error is another one, or the damage was known. */
export function recordDamageOf(store: Store, error: unknown): boolean {
  const content = error instanceof DriftlineError && error.code === 'StoreDamaged' ? error.data.content : undefined
  return typeof content === 'number' && recordDamage(store, [content])
}

/**
 * The result of `read`, which is done again whenever it finds a content damaged: as if that had never been stored.
 * `read` changes nothing before it has read what it needs, or is one transaction.
 */
export function withoutDamage<T>(store: Store, read: () => T): T {
  for (;;) {
    try {
      return read()
    } catch (error) {
      if (!recordDamageOf(store, error)) throw error
    }
  }
}
