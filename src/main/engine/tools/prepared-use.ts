/** What a tool is about to do, worked out by looking alone; it is worked out again right before it is done. */
import type { ToolAnswer } from '../../../contract/tools.ts'
import type { PathBounds } from '../files/named-path.ts'
import type { Signature } from '../files/signature.ts'
import type { Store } from '../store/open-store.ts'

export interface ToolContext extends PathBounds {
  readonly store: Store
}

export interface PreparedUse {
  /** Root-relative paths that will be different: recorded before and after. */
  readonly changes: readonly string[]
  /** Those whose present state goes: it has to be in the store before. */
  readonly destroys: readonly string[]
  /** The one file it was worked out from, when that took long: it need not be again while the file is that very one. */
  readonly basis?: { readonly path: string; readonly hash: string; readonly signature: Signature }
  /** Null when nothing is left to do. Throws Refused; works without waiting for anything. `draft`: a name for what is written first. */
  readonly apply: ((draft: string) => void) | null
  readonly answer: Pick<ToolAnswer, 'paths' | 'bytes' | 'overwritten' | 'said'> & Partial<ToolAnswer>
}

/** Nothing is left to do. */
export function unchanged(answer: Omit<PreparedUse['answer'], 'overwritten'>): PreparedUse {
  return { changes: [], destroys: [], apply: null, answer: { ...answer, overwritten: false } }
}
