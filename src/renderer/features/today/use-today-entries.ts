/** What happened today in the folders of this computer and of all hosts, and what a search finds in all of them. */
import { useMemo } from 'react'
import type { HostClock, HostPlace } from '../../../contract/hosts.ts'
import { hostOf } from '../../../contract/hosts.ts'
import type { SearchHit } from '../../../contract/search.ts'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { timeHere } from '../../../contract/words/hosts.ts'
import type { WorkspaceSummary } from '../../../contract/workspace.ts'
import type { Places } from '../../client/places.ts'
import { useEachQuery } from '../../client/use-query.ts'

/** Entries of one folder, and hits of one. */
const MOST_ENTRIES = 200
const MOST_HITS = 20
/** Shorter text matches almost everything. */
export const MIN_LENGTH = 2

export interface Placed<T> {
  readonly item: T
  readonly workspace: WorkspaceSummary
  /** By the clock of this computer, ms UTC; null if it is not known. */
  readonly at: number | null
}

function clockOf(hosts: readonly HostPlace[], workspace: WorkspaceSummary): HostClock | null {
  const host = hostOf(workspace.id)
  return hosts.find(({ name }) => name === host)?.clock ?? null
}

/** Newest first. `since`: the start of the day, ms UTC. */
export function useTodayEntries({ all, hosts }: Places, since: number) {
  const active = all.filter(({ live, lastAt }) => live || (lastAt ?? 0) >= since - DAY_MS)
  const answers = useEachQuery(
    'timeline.list',
    active.map(({ id }) => ({ workspace: id, limit: MOST_ENTRIES, since }))
  )
  const entries = active.flatMap((workspace, i): Placed<TimelineEntry>[] => {
    const there = clockOf(hosts, workspace)
    return (answers[i]?.data?.entries ?? []).map((item) => ({ item, workspace, at: timeHere(item.at, there) }))
  })
  return {
    entries: entries.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
    isLoaded: answers.every(({ data, error }) => data !== null || error !== null),
    failed: active.filter((_, i) => answers[i]?.error != null && answers[i]?.data === null)
  }
}
const DAY_MS = 86_400_000

/** `text` too short: nothing is searched. */
export function useHits({ all, hosts }: Places, text: string) {
  const isSearch = text.length >= MIN_LENGTH
  const away = useMemo(
    () => new Set(hosts.filter(({ phase }) => phase !== 'connected').map(({ name }) => name)),
    [hosts]
  )
  const searched = isSearch ? all.filter(({ id }) => !away.has(hostOf(id) ?? '')) : []
  const answers = useEachQuery(
    'search.run',
    searched.map(({ id }) => ({ workspace: id, text, limit: MOST_HITS }))
  )
  const hits = searched.flatMap((workspace, i): Placed<SearchHit>[] => {
    const there = clockOf(hosts, workspace)
    return (answers[i]?.data?.hits ?? []).map((item) => ({
      item,
      workspace,
      at: item.at === null ? null : timeHere(item.at, there)
    }))
  })
  return {
    hits: hits.toSorted((a, b) => (b.at ?? 0) - (a.at ?? 0)),
    isLoaded: answers.every(({ data, error }) => data !== null || error !== null),
    /** Hosts that were not searched. */
    away: isSearch ? [...away] : []
  }
}
