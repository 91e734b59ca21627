/** Finds the timeline entry that contains a search hit. Pure. */

import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'

/**
 * The hit's run; else a run of its session; else the outside change of its path that is nearest in time. null if none
 * is loaded.
 */
export function entryOfHit(hit: SearchHit, entries: readonly TimelineEntry[]): string | null {
  if (hit.run !== null) return hit.run
  if (hit.session !== null) {
    return entries.find((entry) => entry.kind === 'run' && entry.session === hit.session)?.id ?? null
  }
  const { path, at } = hit
  if (path === null) return null
  const changed = entries.filter((entry) => entry.kind === 'drift' && entry.paths.includes(path))
  const distance = (entry: TimelineEntry) => (at === null ? 0 : Math.abs(entry.at - at))
  return changed.sort((a, b) => distance(a) - distance(b))[0]?.id ?? null
}
