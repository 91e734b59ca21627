/** What a tool is about to do, worked out by looking alone; it is worked out again right before it is done. */
import type { ToolAnswer } from '../../../contract/tools.ts'
import type { Grounds } from '../files/named-path.ts'
import type { Signature } from '../files/signature.ts'
import type { Store } from '../store/open-store.ts'

export interface ToolGround extends Grounds {
  readonly store: Store
}

export interface Prepared {
  /** Root-relative paths that will be different: recorded before and after. */
  readonly changes: readonly string[]
  /** Those whose present state goes: it has to be in the store before. */
  readonly loses: readonly string[]
  /** The one file it was worked out from, when that took long: it need not be again while the file is that very one. */
  readonly basis?: { readonly path: string; readonly hash: string; readonly signature: Signature }
  /** Null when nothing is left to do. Throws Refused; works without waiting for anything. `draft`: a name for what is written first. */
  readonly act: ((draft: string) => void) | null
  readonly answer: Pick<ToolAnswer, 'paths' | 'bytes' | 'overwritten' | 'said'> & Partial<ToolAnswer>
}

/** Nothing is left to do. */
export function alreadySo(answer: Omit<Prepared['answer'], 'overwritten'>): Prepared {
  return { changes: [], loses: [], act: null, answer: { ...answer, overwritten: false } }
}
