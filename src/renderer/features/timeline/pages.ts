/** Pages of the timeline put together: a newer first page replaces the rows it covers and leaves older ones alone. */
import type { TimelineEntry } from '../../../contract/timeline.ts'

export interface Pages {
  readonly entries: readonly TimelineEntry[]
  /** Older entries exist than those loaded. */
  readonly more: boolean
  /** All entries that match, loaded or not. */
  readonly total: number
}

export interface Page {
  readonly entries: readonly TimelineEntry[]
  readonly more: boolean
  readonly total: number
}

/** A page that starts at the newest entry, put over what was loaded. */
export function withNewest(pages: Pages | null, page: Page): Pages {
  if (!pages || !page.more) return page
  const last = page.entries.at(-1)
  if (!last) return page
  const at = pages.entries.findIndex((entry) => entry.id === last.id)
  if (at < 0) return page
  return { entries: [...page.entries, ...pages.entries.slice(at + 1)], more: pages.more, total: page.total }
}

/** A page of older entries, put below. Entries already there are not repeated. */
export function withOlder(pages: Pages, page: Page): Pages {
  const known = new Set(pages.entries.map((entry) => entry.id))
  return {
    entries: [...pages.entries, ...page.entries.filter((entry) => !known.has(entry.id))],
    more: page.more,
    total: page.total
  }
}
