/** What the panes compare, and the run (or outside change) it belongs to. */
import type { Params } from '../../contract/api.ts'

export interface Selection {
  /** The two sides, as the engine accepts them. */
  readonly query: Pick<Params<'diff.files'>, 'workspace' | 'target' | 'scope' | 'to'>
  /** Id of the run, or of the outside change if `drift` is set; absent for a comparison of two positions. */
  readonly run?: string
  /** An outside change under review. */
  readonly drift?: boolean
}

/** What reverting a part of it is called. */
export function verbOf({ run }: Selection): 'Undo' | 'Restore' {
  return run === undefined ? 'Restore' : 'Undo'
}
