/**
 * The diff of one file. The previous diff stays until the next one is loaded.
 * Invariant: the key of a loaded diff changes with its content only, never with decisions about hunks, because a new
 * key loads the text into the editor anew and the reader loses the place. Edits of a live run are therefore counted and
 * offered, not loaded.
 */
import { hashKey } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Params } from '../../../contract/api.ts'
import type { FileChange, FileDiff, LineBlock } from '../../../contract/diff.ts'
import { useDriftline } from '../../client/context.tsx'
import { useQuery } from '../../client/use-query.ts'
import type { Selection } from '../../model/diff-selection.ts'
import { fileRequest } from '../../state/comparison.ts'
import { svgAsImage } from './svg.ts'

export interface LoadedDiff {
  readonly diff: FileDiff
  /** Identifies the content: changes with the file and its text, not with decisions about hunks. */
  readonly key: string
  /** Identifies the request: the same comparison of the same file. */
  readonly request: string
  readonly path: string
  readonly full: boolean
  /** What differs in its text, if that is known. */
  readonly blocks?: readonly LineBlock[] | null
}

export interface FileDiffState {
  readonly loaded: LoadedDiff | null
  /** `loaded` belongs to the current request, not to the previous file or comparison. */
  readonly current: boolean
  readonly loading: boolean
  readonly error: string | null
  /** Number of edits of the file since it was loaded. The diff is not reloaded for them. */
  readonly newerEdits: number
  readonly reload: () => void
  /** Loads a file that is not shown because of its size; absent if that is not possible. */
  readonly loadFull?: () => void
}

/**
 * `live`: the newer side still moves, a live run or the disk. `edits`: whose edits are shown; absent: all of them. `fresh`:
 * the contents are released with the component. `once`: nothing between its two positions can change.
 */
export function useFileDiff(
  query: Selection['query'],
  file: Pick<FileChange, 'path' | 'oldPath'> | null,
  {
    live,
    edits,
    fresh = false,
    once = false
  }: {
    readonly live: boolean
    readonly edits?: Params<'diff.file'>['edits'] | undefined
    readonly fresh?: boolean
    readonly once?: boolean
  }
): FileDiffState {
  const request = file && fileRequest(query, file, edits)
  const requestKey = request ? hashKey([request]) : ''
  const [fullKey, setFullKey] = useState('')
  const full = requestKey !== '' && fullKey === requestKey
  const { data, current, loading, error, refetch } = useQuery(
    'diff.file',
    request && { ...request, ...(full ? { full } : {}) },
    { keep: true, live, fresh, once }
  )
  const loaded = useLoadedDiff(data, current, requestKey, full)
  const { count, reset } = useNewerEdits(query.workspace, file?.path ?? null, requestKey, live, data)
  const reload = useCallback(() => {
    reset()
    refetch()
  }, [reset, refetch])
  const loadFull = useCallback(() => setFullKey(requestKey), [requestKey])
  return { loaded, current, loading, error: error?.message ?? null, newerEdits: count, reload, loadFull }
}

/** With only new decisions the key stays, so that the text is not loaded into the editor again. */
export function useLoadedDiff(
  data: FileDiff | null,
  current: boolean,
  requestKey: string,
  full: boolean
): LoadedDiff | null {
  const last = useRef<{ readonly data: FileDiff; readonly requestKey: string; readonly loaded: LoadedDiff } | null>(
    null
  )
  const serial = useRef(0)
  if (requestKey === '') last.current = null
  else if (current && data && (last.current?.data !== data || last.current.requestKey !== requestKey)) {
    const diff = svgAsImage(data)
    const before = last.current?.requestKey === requestKey ? last.current.loaded : null
    const key = before?.full === full && sameContent(before.diff, diff) ? before.key : String(++serial.current)
    last.current = { data, requestKey, loaded: { diff, key, request: requestKey, path: data.path, full } }
  }
  return last.current?.loaded ?? null
}

/** Counts the edits of a file since `data` was loaded. A restore reloads the diff instead. */
function useNewerEdits(
  workspace: string,
  path: string | null,
  requestKey: string,
  live: boolean,
  data: FileDiff | null
): { readonly count: number; reset(): void } {
  const { client } = useDriftline()
  const [count, setCount] = useState(0)
  const reset = useCallback(() => setCount(0), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another request, or newer data, starts at none.
  useEffect(reset, [requestKey, data, reset])
  useEffect(() => {
    if (path === null || !live) return
    return client.on('workspace.changed', (change) => {
      if (change.workspace !== workspace || !change.paths.includes(path)) return
      if (!change.kinds.includes('restores')) setCount((before) => before + 1)
    })
  }, [client, workspace, path, live])
  return { count, reset }
}

function sameContent(a: FileDiff, b: FileDiff): boolean {
  const content = ({ undoneBy: _undoneBy, partlyUndoneBy: _partly, ...rest }: FileDiff) =>
    JSON.stringify({ ...rest, hunks: 'hunks' in rest ? rest.hunks?.map(({ n, blocks }) => [n, blocks]) : null })
  return content(a) === content(b)
}
