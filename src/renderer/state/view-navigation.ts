/** Opens and closes what takes the place of the changes: the history of a file, and a replay. */
import type { Pane } from '../commands/state.ts'
import type { HistoryView } from '../model/open-file.ts'
import type { ActionDeps } from './action-deps.ts'
import { replayRangeOf } from './derived.ts'
import type { FileNavigation } from './file-navigation.ts'
import type { PaneActions } from './pane-actions.ts'
import { paneOf } from './panes.ts'

export function createViewNavigation(
  { store }: Pick<ActionDeps, 'store'>,
  panes: PaneActions,
  { pickFile }: FileNavigation
) {
  const get = store.getState
  /** Where the focus was when one of them was opened. */
  let openedFrom: Pane | null = null
  /** [UI-7] What had the focus may be gone with what closes: the pane that it came from gets it, else the diff. */
  const returnToChanges = (closed: { readonly replay: null } | { readonly history: null }) => {
    store.setState(closed)
    // The changes are drawn with the next paint.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) panes.goTo(openedFrom ?? 'diff')
    })
  }

  return {
    /** Opens the history of a file. */
    openHistory: (path: string, view: HistoryView) => {
      openedFrom = paneOf(document.activeElement)
      pickFile(path)
      store.setState({ history: { path, seq: null, view } })
      if (get().layout === 'tabs') panes.setTab('diff')
    },
    /** Opens the replay of what is compared, else of the selected run or turn. */
    openReplay: () => {
      const range = replayRangeOf(get())
      if (!range) return
      openedFrom = paneOf(document.activeElement)
      store.setState({ history: null, replay: { ...range, seq: null, path: null } })
      if (get().layout === 'tabs') panes.setTab('diff')
    },
    /** Closes the replay. */
    closeReplay: () => returnToChanges({ replay: null }),
    /** Closes the history of a file. */
    closeHistory: () => returnToChanges({ history: null })
  }
}
