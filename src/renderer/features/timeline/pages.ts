/** Merges pages of the timeline: a new first page replaces the entries it covers; older entries stay loaded. Pure. */
import type { TimelineEntry } from '../../../contract/timeline.ts'

/** A reply of the engine, and all that is loaded so far. */
export interface TimelinePage {
  readonly entries: readonly TimelineEntry[]
  /** Older entries exist than those loaded. */
  readonly more: boolean
  /** Number of matching entries, loaded or not. */
  readonly total: number
}

/** Puts a page that starts at the newest entry on top. Drops everything loaded if the page does not connect to it. */
export function replaceNewest(loaded: TimelinePage | null, page: TimelinePage): TimelinePage {
  if (!loaded || !page.more) return page
  const oldest = page.entries.at(-1)
  if (!oldest) return page
  const at = loaded.entries.findIndex((entry) => entry.id === oldest.id)
  if (at < 0) return page
  return { entries: [...page.entries, ...loaded.entries.slice(at + 1)], more: loaded.more, total: page.total }
}

/** Adds a page of older entries at the end, without repeating loaded ones. */
export function appendOlder(loaded: TimelinePage, page: TimelinePage): TimelinePage {
  const known = new Set(loaded.entries.map((entry) => entry.id))
  return {
    entries: [...loaded.entries, ...page.entries.filter((entry) => !known.has(entry.id))],
    more: page.more,
    total: page.total
  }
}
