/** Choosing a file of what is compared. A file is chosen for one comparison, so that a choice never moves to the next one. */
import { stepFile } from '../model/file-order.ts'
import type { DiffQuery } from '../model/row-targets.ts'
import type { ActionDeps } from './action-deps.ts'
import { comparisonKey } from './comparison.ts'
import type { PaneActions } from './pane-actions.ts'
import { preloadFile } from './preload-comparison.ts'
import { NO_FILES, type WorkspaceStore } from './store.ts'

/** Chooses the file that a comparison shows. */
export function chooseFile(store: WorkspaceStore, query: DiffQuery | null, path: string | null): void {
  if (query && path !== null) store.setState({ picked: { scope: comparisonKey(query), path } })
}

export type FileNavigation = ReturnType<typeof createFileNavigation>

export function createFileNavigation({ store, queries }: Pick<ActionDeps, 'store' | 'queries'>, panes: PaneActions) {
  const get = store.getState
  const preload = (path: string) => {
    const { diff, selection, offline } = get()
    const file = diff?.files.find((each) => each.path === path)
    if (file && selection && offline === null) preloadFile(queries, selection, file)
  }
  const pickFile = (path: string) => {
    preload(path)
    chooseFile(store, get().query, path)
  }

  return {
    /** Selects a file of the comparison. */
    pickFile,
    /** Selects the file `delta` places away in review order; `leave` is called before, if there is one. Returns whether. */
    stepFile: (delta: number, leave?: () => void): boolean => {
      const { diff, file } = get()
      const path = stepFile(diff?.files ?? NO_FILES, file?.path ?? null, delta)
      if (path === null) return false
      leave?.()
      pickFile(path)
      return true
    },
    /** Selects a file and focuses the diff. */
    showFile: (path: string) => {
      store.setState({ history: null, replay: null })
      pickFile(path)
      panes.goTo('diff')
    }
  }
}
