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
  /** The oldest entries, once a person went to the end; between `entries` and them is the gap. */
  readonly oldest?: readonly TimelineEntry[]
}

/** Number of entries between `entries` and `oldest` that are not loaded. */
export function gapOf({ entries, more, total, oldest = [] }: TimelinePage): number {
  return more ? Math.max(1, total - entries.length - oldest.length) : 0
}

/**
 * Puts a page that starts at the newest entry on top. Drops everything loaded if the page does not connect to it.
 * `all`: the oldest entries may have changed, too, so they are dropped.
 */
export function replaceNewest(loaded: TimelinePage | null, page: TimelinePage, all = false): TimelinePage {
  if (!loaded || !page.more) return page
  const oldest = page.entries.at(-1)
  if (!oldest) return page
  const at = loaded.entries.findIndex((entry) => entry.id === oldest.id)
  if (at < 0) return page
  const entries = [...page.entries, ...loaded.entries.slice(at + 1)]
  return { entries, more: loaded.more, total: page.total, ...(loaded.oldest && !all ? { oldest: loaded.oldest } : {}) }
}

/** Adds a page of older entries at the end, without repeating loaded ones. The gap closes where it meets the oldest. */
export function appendOlder(loaded: TimelinePage, page: TimelinePage): TimelinePage {
  const known = new Set(loaded.entries.map((entry) => entry.id))
  const entries = [...loaded.entries, ...page.entries.filter((entry) => !known.has(entry.id))]
  const { oldest } = loaded
  if (!oldest) return { entries, more: page.more, total: page.total }
  const met = oldest.findIndex(({ id }) => id === entries.at(-1)?.id)
  return met < 0 && page.more
    ? { entries, more: true, total: page.total, oldest }
    : { entries: [...entries, ...oldest.slice(met + 1)], more: false, total: page.total }
}

/** Adds the oldest entries, below the gap; without one, to the others. */
export function addOldest(loaded: TimelinePage, page: TimelinePage): TimelinePage {
  if (!loaded.more) return loaded
  const oldest = page.entries
  const last = loaded.entries.at(-1)?.id
  const met = oldest.findIndex(({ id }) => id === last)
  return met < 0 && page.more
    ? { ...loaded, total: page.total, oldest }
    : { entries: [...loaded.entries, ...oldest.slice(met + 1)], more: false, total: page.total }
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
  return same && after.oldest === before.oldest ? before : { ...after, entries }
}
