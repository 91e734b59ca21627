/** Which entries of the timeline are shown, and the same as text for the page's address. Pure. */

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
  /** Only entries that changed this file, or something in this folder; "" for all. */
  readonly path: string
  /** Only runs with files that others changed later. */
  readonly conflicts: boolean
}

export const NO_FILTER: EntryFilter = {
  text: '',
  kinds: 'all',
  agent: '',
  since: 0,
  undecided: false,
  path: '',
  conflicts: false
}

const KEYS = Object.keys(NO_FILTER) as (keyof EntryFilter)[]
const KINDS: readonly string[] = ['run', 'checkpoint', 'restore', 'drift'] satisfies KindFilter[]

export function isFiltered(filter: EntryFilter): boolean {
  return KEYS.some((key) => filter[key] !== NO_FILTER[key])
}

/** Whether something besides the text is chosen. */
export function hasChoices(filter: EntryFilter): boolean {
  return isFiltered({ ...filter, text: '' })
}

/** A filter as text; "" for none. */
export function filterToText(filter: EntryFilter): string {
  const chosen = KEYS.filter((key) => filter[key] !== NO_FILTER[key])
  return new URLSearchParams(chosen.map((key) => [key, String(filter[key])])).toString()
}

/** The reverse. What it does not know is left out: an address can be typed. */
export function filterOfText(text: string): EntryFilter {
  const params = new URLSearchParams(text)
  const value = (key: keyof EntryFilter) => params.get(key) ?? ''
  const kinds = value('kinds')
  return {
    text: value('text'),
    kinds: KINDS.includes(kinds) ? (kinds as KindFilter) : 'all',
    agent: value('agent'),
    since: Math.max(0, Math.floor(Number(value('since'))) || 0),
    undecided: value('undecided') === 'true',
    path: value('path'),
    conflicts: value('conflicts') === 'true'
  }
}
