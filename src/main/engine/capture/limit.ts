/** How much of a file's content is kept, and why it is not when it is more. */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { CoverRules } from './cover-rules.ts'

/** Bytes above which a file that git ignores is not stored. */
const IGNORED_SIZE_LIMIT = 5 * 1024 * 1024

export interface Limit {
  /** Bytes; less than 0: nothing is kept, an empty file neither. */
  readonly limit: number
  /** What a file above it is called. */
  readonly overLimit: Extract<NotStoredReason, 'too-large' | 'ignored' | 'never'>
}

/** `decided`: it was kept before, so that being ignored no longer counts (LG-5). */
export function limitOf(rules: CoverRules, path: string, decided = false): Limit {
  if (rules.neverStores(path)) return { limit: -1, overLimit: 'never' }
  const { sizeLimit } = rules
  if (!decided && rules.ignoresFile(path))
    return { limit: Math.min(IGNORED_SIZE_LIMIT, sizeLimit), overLimit: 'ignored' }
  return { limit: sizeLimit, overLimit: 'too-large' }
}
