/** State of the open file history: the file, its versions, the selected version, and the view. */
import { useEffect, useMemo, useState } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import { listedVersions } from '../../../contract/words/versions.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'

/** `lines`: who wrote each line now; `change`: what a version changed; `since`: what changed after it; `text`: the version. */
export type HistoryView = 'lines' | 'change' | 'since' | 'text'

export interface FileHistory {
  readonly path: string
  /** Newest first; null while loading. */
  readonly versions: readonly PathVersion[] | null
  readonly error: string | null
  /** The file looks like it holds credentials. */
  readonly secret: boolean
  /** The selected version. */
  readonly version: PathVersion | null
  readonly view: HistoryView
  select(seq: number, view?: HistoryView): void
  setView(view: HistoryView): void
  retry(): void
}

interface OpenFile {
  readonly path: string
  /** null until the versions are loaded; then the newest one is selected. */
  readonly seq: number | null
  readonly view: HistoryView
}

/** `history` is null while no file history is open. */
export function useFileHistory(workspace: WorkspaceId): {
  readonly history: FileHistory | null
  open(path: string, view: HistoryView): void
  close(): void
} {
  const [opened, setOpened] = useState<OpenFile | null>(null)
  const { data, error, refetch } = useQuery('file.history', opened && { workspace, path: opened.path })
  const versions = useMemo(() => (data ? listedVersions(data.versions) : null), [data])

  // New versions do not change the selection.
  const newest = versions?.[0]?.seq
  const unselected = opened !== null && opened.seq === null
  useEffect(() => {
    if (unselected && newest !== undefined) setOpened((now) => now && { ...now, seq: newest })
  }, [unselected, newest])
  // The engine counts the lines of a long history over several replies.
  const uncounted = data?.versions.some(({ counted }) => !counted) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: every reply except the last one requests the next.
  useEffect(() => {
    if (uncounted) refetch()
  }, [data, uncounted, refetch])

  const change = (to: Partial<OpenFile>) => setOpened((now) => now && { ...now, ...to })
  return {
    history: opened && {
      path: opened.path,
      versions,
      error: data ? null : (error?.message ?? null),
      secret: data?.secret ?? false,
      version: versions?.find(({ seq }) => seq === opened.seq) ?? versions?.[0] ?? null,
      view: opened.view,
      select: (seq, view) => change({ seq, ...(view ? { view } : {}) }),
      setView: (view) => change({ view }),
      retry: refetch
    },
    open: (path, view) => setOpened({ path, seq: null, view }),
    close: () => setOpened(null)
  }
}
