/** Loads one file of a comparison. The old one stays until the new one is there; replies that come late are dropped. */
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Client } from '../../../contract/api.ts'
import type { FileDiff } from '../../../contract/diff.ts'
import type { FileChange, WorkspaceId } from '../../../contract/domain.ts'
import type { Selection } from '../files/files-pane.tsx'

export interface LoadedDiff {
  readonly diff: FileDiff
  /** Names this very load: it changes with the file, the positions and every reload. */
  readonly key: string
  readonly path: string
  readonly full: boolean
}

export interface FileDiffState {
  readonly loaded: LoadedDiff | null
  readonly loading: boolean
  readonly error: string | null
  /** Edits of this file made since it was loaded; it is never swapped by itself. */
  readonly newer: number
  readonly reload: () => void
  readonly loadFull: () => void
}

export function useFileDiff(
  client: Client,
  workspace: WorkspaceId,
  selection: Selection,
  file: FileChange | null,
  follows: boolean
): FileDiffState {
  const [loaded, setLoaded] = useState<LoadedDiff | null>(null)
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const [newer, setNewer] = useState(0)
  const turn = useRef(0)
  const latest = useRef({ client, workspace, selection, file })
  latest.current = { client, workspace, selection, file }
  const path = file?.path ?? null
  // Positions of a live run move on; what is open is the file of this comparison until a person asks for more.
  const identity = `${workspace} ${selection.target} ${selection.to ?? ''} ${selection.run ?? ''}`

  const load = useCallback((full: boolean) => {
    const now = latest.current
    const mine = ++turn.current
    setNewer(0)
    if (!now.file) {
      setLoaded(null)
      setLoading(false)
      setError(null)
      return
    }
    const { path: wanted, oldPath } = now.file
    const { fromSeq, toSeq, run } = now.selection
    setLoading(true)
    now.client
      .call('diff.file', {
        workspace: now.workspace,
        path: wanted,
        fromSeq,
        toSeq,
        ...(oldPath === undefined ? {} : { oldPath }),
        ...(run === undefined ? {} : { run }),
        ...(full ? { full } : {})
      })
      .then(
        (diff) => {
          if (mine !== turn.current) return
          setLoaded({ diff, key: `${mine}`, path: wanted, full })
          setError(null)
          setLoading(false)
        },
        (reason: unknown) => {
          if (mine !== turn.current) return
          setError(reason instanceof Error ? reason.message : String(reason))
          setLoading(false)
        }
      )
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: identity and path are what is open.
  useEffect(() => load(false), [identity, path, load])

  useEffect(() => {
    if (!follows || path === null) return
    return client.on('workspace.changed', (change) => {
      if (change.workspace === workspace && change.paths.includes(path)) setNewer((n) => n + 1)
    })
  }, [client, workspace, path, follows])

  const reload = useCallback(() => load(false), [load])
  const loadFull = useCallback(() => load(true), [load])
  return { loaded, loading, error, newer, reload, loadFull }
}
