/** Loads the diff of one file. The previous diff stays until the next one is loaded; late replies are dropped. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileChange, FileDiff } from '../../../contract/diff.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import type { Selection } from '../files/selection.ts'
import type { EditFilter } from './interleaved-notice.tsx'
import { svgAsImage } from './svg.ts'

type FileName = Pick<FileChange, 'path' | 'oldPath'>

export interface LoadedDiff {
  readonly diff: FileDiff
  /** Identifies the content: changes with the file and its text, not with decisions about hunks. */
  readonly key: string
  readonly path: string
  readonly full: boolean
  /** The request it was loaded for. */
  readonly requestKey: string
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
  readonly loadFull: () => void
}

/** The last load. `settled` is false while its positions may still belong to the previous comparison. */
interface LoadedFor {
  readonly identity: string
  readonly path: string | null
  readonly fromSeq: number
  readonly toSeq: number | null
  readonly settled: boolean
  readonly filter: EditFilter
}

const SETTLE_MS = 300

export function useFileDiff(
  client: Client,
  workspace: WorkspaceId,
  selection: Selection,
  file: FileName | null,
  follows: boolean,
  filter: EditFilter = 'own'
): FileDiffState {
  const [loaded, setLoaded] = useState<LoadedDiff | null>(null)
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [newerEdits, setNewer] = useState(0)
  const request = useRef(0)
  const latest = useRef({ client, workspace, selection, file, filter })
  latest.current = { client, workspace, selection, file, filter }
  const path = file?.path ?? null
  const identity = comparisonKey(workspace, selection)

  const load = useCallback((full: boolean) => {
    const now = latest.current
    const current = ++request.current
    setNewer(0)
    if (!now.file) {
      setLoaded(null)
      setLoading(false)
      setError(null)
      return
    }
    const { path: filePath, oldPath } = now.file
    const { fromSeq, toSeq, run } = now.selection
    setLoading(true)
    now.client
      .call('diff.file', {
        workspace: now.workspace,
        path: filePath,
        fromSeq,
        toSeq,
        ...(oldPath === undefined ? {} : { oldPath }),
        ...(run === undefined || now.filter === 'all' ? {} : { run }),
        ...(run !== undefined && now.filter === 'others' ? { others: true } : {}),
        ...(full ? { full } : {})
      })
      .then(
        (diff) => {
          if (current !== request.current) return
          const next = svgAsImage(diff)
          // With only new decisions the key stays, so that the text is not loaded into the editor again.
          setLoaded((old) => ({
            diff: next,
            key:
              old?.requestKey === requestKey(now) && old.full === full && sameContent(old.diff, next)
                ? old.key
                : `${current}`,
            path: filePath,
            full,
            requestKey: requestKey(now)
          }))
          setError(null)
          setLoading(false)
        },
        (reason: unknown) => {
          if (current !== request.current) return
          setError(reason instanceof Error ? reason.message : String(reason))
          setLoading(false)
        }
      )
  }, [])

  const { fromSeq, toSeq } = selection
  const opened = useRef<LoadedFor | null>(null)
  useEffect(() => {
    const last = opened.current
    const now = { identity, path, fromSeq, toSeq, filter }
    if (last && last.identity !== identity && last.fromSeq === fromSeq && last.toSeq === toSeq && path !== null) {
      // A new comparison with the positions of the previous one: the list of files, which has the new ones, is loading.
      opened.current = { ...now, settled: false }
      setLoading(true)
      const timer = setTimeout(() => load(false), SETTLE_MS)
      return () => clearTimeout(timer)
    }
    const onlyEndMoved =
      last?.settled &&
      last.identity === identity &&
      last.path === path &&
      last.fromSeq === fromSeq &&
      last.filter === filter
    opened.current = { ...now, settled: true }
    // The end of a live run moves with each edit. The open diff stays until the user asks for newer edits.
    if (!onlyEndMoved || last.toSeq === toSeq) load(false)
  }, [identity, path, fromSeq, toSeq, filter, load])

  useEffect(() => {
    if (path === null) return
    return client.on('workspace.changed', (change) => {
      if (change.workspace !== workspace) return
      const touched = change.paths.includes(path)
      // An undo is shown at once. A finished comparison changes only by restores, which change its decisions.
      if (change.kinds.includes('restores') && (touched || !follows)) load(false)
      else if (follows && touched) setNewer((count) => count + 1)
    })
  }, [client, workspace, path, follows, load])

  const reload = useCallback(() => load(false), [load])
  const loadFull = useCallback(() => load(true), [load])
  const current = loaded !== null && loaded.requestKey === requestKey({ workspace, selection, file, filter })
  return { loaded, current, loading, error, newerEdits, reload, loadFull }
}

function comparisonKey(workspace: WorkspaceId, { target, to, run }: Selection): string {
  return `${workspace} ${target} ${to ?? ''} ${run ?? ''}`
}

interface DiffRequest {
  readonly workspace: WorkspaceId
  readonly selection: Selection
  readonly file: FileName | null
  readonly filter: EditFilter
}

function requestKey({ workspace, selection, file, filter }: DiffRequest): string {
  return `${comparisonKey(workspace, selection)} ${filter} ${file?.path ?? ''}`
}

function sameContent(a: FileDiff, b: FileDiff): boolean {
  const content = ({ takenBack: _taken, ...rest }: FileDiff) =>
    JSON.stringify({ ...rest, hunks: 'hunks' in rest ? rest.hunks?.map(({ takenBack: _, ...hunk }) => hunk) : null })
  return content(a) === content(b)
}
