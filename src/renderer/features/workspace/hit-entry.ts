/** Which entry of the timeline shows what a search found. Pure. */

import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'

/** A run by its id; what nobody's run did by the outside change nearest in time; words by a run of their conversation. */
export function entryOfHit(hit: SearchHit, entries: readonly TimelineEntry[]): string | null {
  if (hit.run !== null) return hit.run
  if (hit.session !== null) {
    return entries.find((entry) => entry.kind === 'run' && entry.session === hit.session)?.id ?? null
  }
  const { path, at } = hit
  if (path === null) return null
  const changed = entries.filter((entry) => entry.kind === 'drift' && entry.paths.includes(path))
  const far = (entry: TimelineEntry) => (at === null ? 0 : Math.abs(entry.at - at))
  return changed.sort((a, b) => far(a) - far(b))[0]?.id ?? null
}
