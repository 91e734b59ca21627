/**
 * State of the open file history: the file, its versions, the selected version, and the view. The selection is the seq
 * of a version: newer ones that arrive above it do not move it.
 */
import { useEffect, useMemo } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import type { RestoreRequest } from '../../../contract/restore.ts'
import { listedVersions } from '../../../contract/words/versions.ts'
import { useQuery } from '../../client/use-query.ts'
import type { HistoryView, OpenFile } from '../../model/open-file.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'

export type FileHistory = NonNullable<ReturnType<typeof useFileHistory>>

function useVersions(opened: OpenFile | null) {
  const { workspace } = useOpenWorkspace()
  const { data, error, refetch } = useQuery('file.history', opened && { workspace: workspace.id, path: opened.path })
  const versions = useMemo(() => (data ? listedVersions(data.versions) : null), [data])
  return { data, error, refetch, versions }
}

/** null while no file history is open. */
export function useFileHistory() {
  const { store } = useOpenWorkspace()
  const opened = useWorkspaceState((state) => state.history)
  const { data, error, refetch, versions } = useVersions(opened)
  if (!opened) return null
  const change = (to: Partial<OpenFile>) =>
    store.setState(({ history }) => ({ history: history && { ...history, ...to } }))
  return {
    path: opened.path,
    /** Newest first; null while loading. */
    versions,
    error: data ? null : (error?.message ?? null),
    /** The file looks like it holds credentials. */
    secret: data?.secret ?? false,
    /** The selected version. */
    version: versions?.find(({ seq }) => seq === opened.seq) ?? versions?.[0] ?? null,
    view: opened.view,
    select: (seq: number, view?: HistoryView) => change({ seq, ...(view ? { view } : {}) }),
    setView: (view: HistoryView) => change({ view }),
    retry: refetch
  }
}

/** Selects the newest version at first, so that newer ones do not change the selection, and loads all line counts. */
export function useHistoryUpkeep(): void {
  const { store } = useOpenWorkspace()
  const opened = useWorkspaceState((state) => state.history)
  const { data, refetch, versions } = useVersions(opened)
  const newest = versions?.[0]?.seq
  const unselected = opened !== null && opened.seq === null
  useEffect(() => {
    if (unselected && newest !== undefined)
      store.setState(({ history }) => ({ history: history && { ...history, seq: newest } }))
  }, [store, unselected, newest])
  // The engine counts the lines of a long history over several replies.
  const uncounted = data?.versions.some(({ counted }) => !counted) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: every reply except the last one requests the next.
  useEffect(() => {
    if (uncounted) refetch()
  }, [data, uncounted, refetch])
}

/** The request that restores one version of a file. Under another name then, it gets that name back. */
export function restoreVersionRequest(path: string, { seq, path: then }: PathVersion): RestoreRequest {
  return { kind: 'restore', target: `seq:${seq}`, paths: then === path ? [path] : [then, path] }
}
