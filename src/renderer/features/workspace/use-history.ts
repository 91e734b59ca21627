/** The history of a file on this screen: opened from its diff, closed back to it. */
import type { PathVersion } from '../../../contract/log.ts'
import type { WorkspaceId } from '../../../contract/workspace.ts'
import { type FileHistory, type HistoryView, useFileHistory } from '../history/use-file-history.ts'
import type { Panes } from './use-panes.ts'

export interface History {
  /** null if none is open. */
  readonly file: FileHistory | null
  open(path: string, view: HistoryView): void
  close(): void
  /** Closes the history and focuses the diff. */
  returnToDiff(): void
}

export function useHistory(workspace: WorkspaceId, panes: Panes): History {
  const { history, open, close } = useFileHistory(workspace)
  return {
    file: history,
    open: (path, view) => {
      open(path, view)
      if (panes.layout === 'tabs') panes.setTab('diff')
    },
    close,
    returnToDiff: () => {
      close()
      // The diff is drawn with the next paint.
      requestAnimationFrame(() => panes.goTo('diff'))
    }
  }
}

/** The request that restores one version of a file. */
export function restoreVersionRequest({ path }: FileHistory, { seq }: PathVersion) {
  return { kind: 'restore', target: `seq:${seq}`, paths: [path] } as const
}
