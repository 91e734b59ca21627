/** What is replayed: its edits, loaded page by page, with their times and marks. */
import { useEffect, useMemo } from 'react'
import type { ReplayPage } from '../../../contract/replay.ts'
import { type IncrementalFetch, useQuery } from '../../client/use-query.ts'
import { marksOf, mergePages, type ReplayRange, stepsOf, stepsOfPaths, timesOf, withTail } from '../../model/replay.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'

/** Edits per page: the first one is on screen before the rest of a long history is loaded. */
const PAGE = 10_000

const PAGES: IncrementalFetch<'replay.edits'> = {
  params: (loaded, params, all) => (all ? params : { ...params, after: loaded.edits.at(-1)?.[0] ?? loaded.fromSeq }),
  merge: (loaded, news, all) => (all ? withTail(news, loaded) : mergePages(loaded, news)),
  // Edits never change: comparing all of them with each page would cost what exists.
  share: (_, after) => after
}

const NONE: Pick<ReplayPage, 'paths' | 'calls' | 'edits' | 'prompts' | 'tests' | 'messages'> = {
  ...{ paths: [], calls: [], edits: [], prompts: [], tests: [], messages: [] }
}

export function useReplay({ target, to }: ReplayRange) {
  const { workspace } = useOpenWorkspace()
  const request = { workspace: workspace.id, target, ...(to === null ? {} : { to }), limit: PAGE }
  const { data, error, refetch } = useQuery('replay.edits', request, { live: true, incremental: PAGES })
  // Each page requests the next one.
  useEffect(() => {
    if (data?.more) refetch()
  }, [data, refetch])
  const page = data ?? NONE
  const steps = useMemo(() => stepsOf(page), [page])
  return {
    /** null while the first page is loading. */
    range: data,
    steps,
    paths: useMemo(() => stepsOfPaths(steps), [steps]),
    times: useMemo(() => timesOf(steps), [steps]),
    marks: useMemo(() => marksOf(steps, page), [steps, page]),
    /** Of the steps and those on pages that are not loaded yet. */
    total: steps.length + (data?.left ?? 0),
    messages: page.messages,
    error: data ? null : error,
    retry: refetch
  }
}

export type Replay = ReturnType<typeof useReplay>
