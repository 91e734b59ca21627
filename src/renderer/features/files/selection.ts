/** What is compared: two positions, and the run they belong to when it is a run. */
export interface Selection {
  readonly target: string
  readonly to?: string
  readonly fromSeq: number
  /** null = the disk as it is now. */
  readonly toSeq: number | null
  readonly run?: string
  /** `run` is an outside change under review. */
  readonly drift?: boolean
}
