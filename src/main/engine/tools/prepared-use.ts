/**
 * A prepared use of a tool: everything decided, nothing changed. Preparing only reads the disk, so it can be repeated:
 * a use is prepared once to know its paths, and again right before it is applied, after these paths were recorded.
 */
import type { DriftlineError } from '../../../contract/errors.ts'
import type { ToolAnswer, ToolName, ToolUse } from '../../../contract/tools.ts'
import { type PathBounds, refusal } from '../files/named-path.ts'
import type { Signature } from '../files/signature.ts'
import type { Store } from '../store/open-store.ts'

/** A request for the tool of that name. */
export type UseOf<Name extends ToolName> = ToolUse & { readonly tool: Name }

export interface ToolContext extends PathBounds {
  readonly store: Store
}

export interface PreparedUse {
  /** Root-relative paths that will change. They are recorded before and after. */
  readonly changes: readonly string[]
  /** Those of them whose current content is removed or replaced. It must be stored before. */
  readonly destroys: readonly string[]
  /**
   * The version of the one file that an expensive preparation depends on: while it is unchanged, it need not be
   * repeated.
   */
  readonly basis?: { readonly path: string; readonly hash: string; readonly signature: Signature }
  /** Makes the change. `draft`: name for a temporary file. Throws Refused. null: nothing is left to do. */
  readonly apply: ((draft: string) => Promise<void>) | null
  readonly answer: Pick<ToolAnswer, 'paths' | 'bytes' | 'outcome'> & Partial<ToolAnswer>
}

/** A refusal whose sentence begins with this path. */
export function refusePath(path: string, reason: string, problem: string): DriftlineError {
  return refusal(reason, `${path} ${problem}`, { path })
}

/** A use that has nothing to change. */
export function unchanged(answer: PreparedUse['answer']): PreparedUse {
  return { changes: [], destroys: [], apply: null, answer }
}
