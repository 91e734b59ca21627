/** Which entries of the timeline are shown. */

export type KindFilter = 'all' | 'run' | 'checkpoint' | 'restore' | 'drift'

export interface EntryFilter {
  readonly text: string
  readonly kinds: KindFilter
  /** Only runs of this agent; "" for everything. */
  readonly agent: string
  /** Only entries of this time or later, ms; 0 for all. */
  readonly since: number
  /** Only outside changes that nobody decided on. */
  readonly undecided: boolean
}

export const NO_FILTER: EntryFilter = { text: '', kinds: 'all', agent: '', since: 0, undecided: false }

export function isFiltered({ text, ...rest }: EntryFilter): boolean {
  return text !== '' || hasChoices(rest)
}

/** Whether something besides the text is chosen. */
export function hasChoices({ kinds, agent, since, undecided }: Omit<EntryFilter, 'text'>): boolean {
  return kinds !== 'all' || agent !== '' || since > 0 || undecided
}
