/** How the rows of the timeline stand to a search for the edit that broke a command. Pure. */
import type { BisectSearch } from '../../contract/bisect.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'

/** `good`, `bad`: the command passes or fails there; `open`: not known yet; `cause`: the answer. */
export type SearchMark = 'good' | 'bad' | 'open' | 'cause'

/** null: outside of what is searched, or no search is shown. */
export function searchMark(
  search: BisectSearch | null,
  { id, seq }: Pick<TimelineEntry, 'id' | 'seq'>
): SearchMark | null {
  if (!search || search.state === 'cancelled' || search.state === 'failed') return null
  const culprit = search.result?.culprit
  if (culprit && [culprit.run, culprit.drift, culprit.restore].includes(id)) return 'cause'
  const bounds = search.result ?? search.progress
  if (!bounds) return null
  const seqs = [bounds.good, bounds.bad, ...search.probes.map((probe) => probe.seq)]
  if (seq < Math.min(...seqs) || seq > Math.max(...seqs)) return null
  if (seq <= bounds.good) return 'good'
  return seq >= bounds.bad ? 'bad' : 'open'
}
