/** Detects renames among changes, comparing contents from the store where hashes differ. */
import type { Store } from '../store/open-store.ts'
import { readContent } from './describe-changes.ts'
import { pairRenames } from './renames.ts'
import { contentSimilarity } from './similarity.ts'
import type { PathChange } from './types.ts'

/** Larger contents are paired only if their hashes are equal, bytes. */
const COMPARE_LIMIT = 512 * 1024

/** Lists, totals and patches all use this function, so they agree on renames. */
export function withRenames(store: Store, changes: readonly PathChange[]): PathChange[] {
  return pairRenames(changes, (deleted, added) => {
    if (Math.max(deleted.before.size, added.after.size) > COMPARE_LIMIT) return 0
    const [before, after] = [readContent(store, deleted.before), readContent(store, added.after)]
    return before && after ? contentSimilarity(before, after) : 0
  })
}
