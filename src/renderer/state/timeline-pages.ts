/**
 * Merges pages of the timeline: a new first page replaces the entries it covers; older entries stay loaded. Pure.
 * Entries that did not change keep their objects, so that their rows are not rendered again.
 */
import { replaceEqualDeep } from '@tanstack/react-query'
import type { TimelineEntry } from '../../contract/timeline.ts'

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

/**
 * `after`, with the objects of `before` for items whose content did not change, also if others were added above them.
 */
export function shareByKey<T>(before: readonly T[], after: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const known = new Map(before.map((item) => [keyOf(item), item]))
  const shared = after.map((item) => replaceEqualDeep(known.get(keyOf(item)), item) as T)
  const same = shared.length === before.length && shared.every((item, i) => item === before[i])
  return same ? before : shared
}

/** The same for pages. */
export function sharePages(before: TimelinePage | undefined, after: TimelinePage): TimelinePage {
  if (!before) return after
  const entries = shareByKey(before.entries, after.entries, ({ id }) => id)
  const same = entries === before.entries && after.more === before.more && after.total === before.total
  return same ? before : { ...after, entries }
}
