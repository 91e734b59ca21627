/** What the phases of `apply.ts` that change the disk have in common. */
import { eachWhenFree } from '../files/in-use.ts'
import type { Signature } from '../files/signature.ts'
import { type ApplyItem, type ApplyState, failed, failWith } from './apply-state.ts'
import { matchesExpected } from './preflight.ts'

/** Why an item fails whose path was changed meanwhile. */
export const CHANGED = { code: 'changed' } as const

/**
 * Runs one step for each of the `wanted` items that have not failed; those in use come last. A file system error
 * becomes the item's reason, and the other items continue.
 */
export function each(
  state: ApplyState,
  wanted: (item: ApplyItem) => boolean,
  step: (item: ApplyItem) => void | Promise<void>,
  order: 'shallow first' | 'deepest first' = 'shallow first'
): Promise<void> {
  const { items, patience } = state.options
  const chosen = items.filter((item) => !failed(state, item) && wanted(item))
  return eachWhenFree(patience, order === 'deepest first' ? chosen.reverse() : chosen, step, failWith(state))
}

/**
 * Whether nobody but this plan has touched the path. Removing one of several hard links changes the ctime of the
 * others, so the ctime is ignored for files that this plan unlinked under another name.
 */
export function isUntouched(state: ApplyState, now: Signature | null, item: ApplyItem): boolean {
  const unlinkedByUs = now !== null && item.expected !== null && state.unlinked.has(now.ino)
  return matchesExpected(unlinkedByUs ? { ...now, ctime: (item.expected as Signature).ctime } : now, item)
}
