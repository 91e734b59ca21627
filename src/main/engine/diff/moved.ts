/** Moves among changes, with contents from the store where names and hashes do not tell. */
import type { Store } from '../store/open-store.ts'
import { bytesOf } from './counted.ts'
import { pairRenames } from './renames.ts'
import { contentSimilarity } from './similarity.ts'
import type { PathChange } from './types.ts'

/** Larger contents are only paired when they are equal. */
const COMPARE_LIMIT = 512 * 1024

/** The one reading of renames: lists, totals and patches agree on it. */
export function withRenames(store: Store, changes: readonly PathChange[]): PathChange[] {
  return pairRenames(changes, (deleted, added) => {
    if (Math.max(deleted.before.size, added.after.size) > COMPARE_LIMIT) return 0
    const [before, after] = [bytesOf(store, deleted.before), bytesOf(store, added.after)]
    return before && after ? contentSimilarity(before, after) : 0
  })
}
