/** How much of a file's content is stored, and the reason when it is larger. */
import type { NotStoredReason } from '../../../contract/log.ts'
import type { IgnoreRules } from './ignore-rules.ts'

/** Decides the coverage of paths that were never recorded (LG-5). */
export type CoverRules = Pick<IgnoreRules, 'ignoresDir' | 'ignoresFile' | 'sizeLimit' | 'neverStores'>

/** Bytes above which a file that git ignores is not stored. */
const IGNORED_SIZE_LIMIT = 5 * 1024 * 1024

export interface Limit {
  /** Bytes; negative: nothing is stored, not even an empty file. */
  readonly limit: number
  /** Reason for a file above the limit. */
  readonly overLimit: Extract<NotStoredReason, 'too-large' | 'ignored' | 'never'>
}

/** `wasStored`: [LG-5] it was stored before, so being ignored does not count any more. */
export function limitOf(rules: CoverRules, path: string, wasStored = false): Limit {
  if (rules.neverStores(path)) return { limit: -1, overLimit: 'never' }
  const { sizeLimit } = rules
  if (!wasStored && rules.ignoresFile(path))
    return { limit: Math.min(IGNORED_SIZE_LIMIT, sizeLimit), overLimit: 'ignored' }
  return { limit: sizeLimit, overLimit: 'too-large' }
}
