/** The file whose history is open: its versions, which one is looked at, and how. */
import { useEffect, useMemo, useState } from 'react'
import type { PathVersion } from '../../../contract/log.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { useQuery } from '../../client/use-query.ts'
import { listed } from './version-words.ts'

/** `lines`: who wrote each line now; `change`: what a version changed; `since`: what changed after it; `text`: the version. */
export type HistoryView = 'lines' | 'change' | 'since' | 'text'

export interface FileHistory {
  readonly path: string
  /** Newest first; null while they are on their way. */
  readonly versions: readonly PathVersion[] | null
  readonly error: string | null
  /** It looks like it holds credentials. */
  readonly secret: boolean
  /** The version that is looked at. */
  readonly version: PathVersion | null
  readonly view: HistoryView
  pick(seq: number, view?: HistoryView): void
  show(view: HistoryView): void
  retry(): void
}

interface Opened {
  readonly path: string
  /** null: the newest one, once they are known. */
  readonly seq: number | null
  readonly view: HistoryView
}

/** `history` is null while none is open. */
export function useFileHistory(workspace: WorkspaceId): {
  readonly history: FileHistory | null
  open(path: string, view: HistoryView): void
  close(): void
} {
  const [opened, setOpened] = useState<Opened | null>(null)
  const { data, error, refetch } = useQuery('file.history', opened && { workspace, path: opened.path }, {
    workspace,
    on: ['edits', 'restores', 'drift', 'runs']
  })
  const versions = useMemo(() => (data ? listed(data.versions) : null), [data])

  // Newer versions come above the one that is read, which stays.
  const newest = versions?.[0]?.seq
  const unset = opened !== null && opened.seq === null
  useEffect(() => {
    if (unset && newest !== undefined) setOpened((now) => now && { ...now, seq: newest })
  }, [unset, newest])
  // Of a long history the lines are counted in several answers.
  const uncounted = data?.versions.some(({ counted }) => !counted) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: every answer that is not the last one asks for the next.
  useEffect(() => {
    if (uncounted) refetch()
  }, [data, uncounted, refetch])

  const change = (to: Partial<Opened>) => setOpened((now) => now && { ...now, ...to })
  return {
    history: opened && {
      path: opened.path,
      versions,
      error: data ? null : (error?.message ?? null),
      secret: data?.secret ?? false,
      version: versions?.find(({ seq }) => seq === opened.seq) ?? versions?.[0] ?? null,
      view: opened.view,
      pick: (seq, view) => change({ seq, ...(view ? { view } : {}) }),
      show: (view) => change({ view }),
      retry: refetch
    },
    open: (path, view) => setOpened({ path, seq: null, view }),
    close: () => setOpened(null)
  }
}
