/** The two positions that are compared, and the run (or outside change) they belong to. */
export interface Selection {
  /** Target of the first side, as the engine accepts it: `run_1`, `cp_2`, `seq:3`, … */
  readonly target: string
  /** Target of the second side; absent if `target` names a run or turn, which has two sides. */
  readonly to?: string
  readonly fromSeq: number
  /** null: the disk as it is now. */
  readonly toSeq: number | null
  /** Id of the run, or of the outside change if `drift` is set. */
  readonly run?: string
  /** An outside change under review. */
  readonly drift?: boolean
}
