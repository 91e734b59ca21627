/** The shown file at a moment of a replay, and the texts beside it, requested before they are shown. */
import { hashKey } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { Seq } from '../../../contract/log.ts'
import type { ReplayMoment } from '../../../contract/replay.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import { changedLines, type Step } from '../../model/replay.ts'
import { useOpenWorkspace } from '../../state/open-workspace.tsx'
import { hasEditorLines } from '../diff/hunk-spans.ts'
import { type FileDiffState, useLoadedDiff } from '../diff/use-file-diff.ts'

/** Which file, after which edit; null: none. */
type Shown = { readonly path: string; readonly seq: number } | null

interface MomentState extends FileDiffState {
  /** The lines of the later text that the edit changed, from 1. */
  readonly lines: readonly number[]
}

const NO_LINES: readonly number[] = []

/** The file after an edit, compared with the position `from`. What is between two positions never changes. */
export function useMoment(shown: Shown, from: number): MomentState {
  const { workspace } = useOpenWorkspace()
  const request = shown && { workspace: workspace.id, path: shown.path, from, seq: shown.seq }
  const key = request ? hashKey([request]) : ''
  const [fullKey, setFullKey] = useState('')
  const full = key !== '' && key === fullKey
  const { data, current, loading, error, refetch } = useQuery(
    'replay.file',
    request && { ...request, ...(full ? { full } : {}) },
    { keep: true, fresh: true, once: true }
  )
  const loaded = useLoadedDiff(data?.diff ?? null, current, key, full)
  const loadFull = useCallback(() => setFullKey(key), [key])
  return {
    loaded: useMemo(() => loaded && data && { ...loaded, blocks: blocksOf(data) }, [loaded, data]),
    current,
    loading,
    error: error?.message ?? null,
    newerEdits: 0,
    reload: refetch,
    loadFull,
    lines: useMemo(() => (data ? changedLines(data.edited) : NO_LINES), [data])
  }
}

function blocksOf({ diff, blocks }: ReplayMoment): ReplayMoment['blocks'] {
  return diff.view === 'text' && hasEditorLines(diff.beforeText, diff.afterText) ? blocks : null
}

/** How long what was requested ahead is held, ms. */
const AHEAD_MS = 5000

/** Requests a file at a moment before `useMoment` does. */
export function useMomentRequest(from: number): (path: string, seq: Seq) => void {
  const { client, queries } = useDriftline()
  const { workspace } = useOpenWorkspace()
  return useCallback(
    (path, seq) => {
      const params: Params<'replay.file'> = { workspace: workspace.id, path, from, seq }
      void queries.cache.prefetchQuery({
        queryKey: ['replay.file', params],
        queryFn: () => client.call('replay.file', params),
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: AHEAD_MS
      })
    },
    [client, queries, workspace.id, from]
  )
}

/** How long a moment stays until those beside it are requested, ms: in a drag they would only delay the next one. */
const PAUSE_MS = 60

/** Requests the files of the steps beside the shown one, so that a step by key shows at once. */
export function usePrefetch(steps: readonly Step[], step: number, from: number, on: boolean): void {
  const request = useMomentRequest(from)
  useEffect(() => {
    if (!on) return
    const timer = setTimeout(() => {
      for (const edit of [steps[step], steps[step - 2]]) if (edit) request(edit.path, edit.seq)
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [request, steps, step, on])
}
