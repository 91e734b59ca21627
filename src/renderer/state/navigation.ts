/**
 * Navigation in a workspace: to an entry, a file, a turn, a version, or a search hit.
 * The entry may not be loaded yet: an action only names it (`reveal`), `use-reveal.ts` loads it, and what depends on
 * its row waits in `onSelected`.
 */
import type { SessionTurn } from '../../contract/conversation.ts'
import type { SearchHit } from '../../contract/search.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import type { Address } from '../client/address.ts'
import { diffQueryOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import type { ActionDeps } from './action-deps.ts'
import { chooseFile, createFileNavigation } from './file-navigation.ts'
import { createFindingNavigation } from './finding-navigation.ts'
import type { PaneActions } from './pane-actions.ts'
import type { MessageTarget } from './store.ts'
import { createViewNavigation } from './view-navigation.ts'

/**
 * The timeline entry that contains a search hit: its run; else a run of its session; else the outside change of its
 * path that is nearest in time. null if none is loaded.
 */
export function entryOfHit(hit: SearchHit, entries: readonly TimelineEntry[]): string | null {
  if (hit.run !== null) return hit.run
  if (hit.session !== null) {
    return entries.find((entry) => entry.kind === 'run' && entry.session === hit.session)?.id ?? null
  }
  const { path, at } = hit
  if (path === null) return null
  const changed = entries.filter((entry) => entry.kind === 'drift' && entry.paths.includes(path))
  const distance = (entry: TimelineEntry) => (at === null ? 0 : Math.abs(entry.at - at))
  return changed.sort((a, b) => distance(a) - distance(b))[0]?.id ?? null
}

export function createNavigation(deps: ActionDeps, panes: PaneActions) {
  const files = createFileNavigation(deps, panes)
  return {
    ...files,
    ...createFindingNavigation(deps, files),
    ...createViewNavigation(deps, panes, files),
    ...createEntryNavigation(deps, panes)
  }
}

function createEntryNavigation({ store, toasts }: ActionDeps, panes: PaneActions) {
  const pickFileOf = (row: SelectableRow, path: string | null) => chooseFile(store, diffQueryOf(row, null), path)
  /** Shows a message in its conversation. `entry`: an entry of the timeline that has this conversation. */
  const showMessage = (entry: string, message: MessageTarget) => {
    const onSelected = () => {
      store.setState({ message })
      panes.goTo('conversation')
    }
    store.setState({ history: null, replay: null, reveal: { entry, onSelected } })
  }
  const selectEntry = (entry: string) => store.setState({ history: null, replay: null, reveal: { entry } })

  return {
    /** Selects an entry of the timeline. */
    selectEntry,
    /** Selects the entry, its file and what it is compared with; without an entry the newest one is shown again. */
    openAddress: ({ entry, file, compare = '' }: Pick<Address, 'entry' | 'file'> & { compare?: string }) => {
      if (entry === '') return store.setState({ history: null, replay: null, reveal: null, memory: null })
      const onSelected = (node: SelectableRow) => {
        pickFileOf(node, file === '' ? null : file)
        if (compare === '') return
        const onFound = (against: SelectableRow) => store.setState({ memory: { node, against, swapped: false } })
        store.setState({ reveal: { entry: compare, onSelected: onFound } })
      }
      store.setState({ history: null, replay: null, reveal: { entry, onSelected } })
    },
    /** Selects an entry and focuses the timeline. */
    showEntry: (id: string) => {
      selectEntry(id)
      panes.goTo('timeline')
    },
    /** Selects an entry and focuses its files. */
    reviewEntry: (entry: string) => {
      store.setState({ reveal: { entry } })
      panes.goTo('files')
    },
    /** Selects a turn and one of its files. */
    selectTurn: (turn: SessionTurn, path: string | null) =>
      store.setState({ reveal: { entry: turn.run, turn: turn.id, onSelected: (row) => pickFileOf(row, path) } }),
    /** Selects a turn and one of its files, and focuses the diff. */
    showTurn: (turn: SessionTurn, path: string | null) => {
      const onSelected = (row: SelectableRow) => {
        pickFileOf(row, path)
        panes.goTo('diff')
      }
      store.setState({ reveal: { entry: turn.run, turn: turn.id, onSelected } })
    },
    showMessage,
    /** Shows a message in its conversation; a path or change in the run that made it. */
    openHit: (hit: SearchHit) => {
      const { path, session, message } = hit
      const entry = entryOfHit(hit, store.getState().timeline?.pages?.entries ?? [])
      if (entry === null) {
        const text = `${path ?? 'This result'} has no entry in the timeline.`
        return toasts.show({ id: 'hit', icon: 'info', text })
      }
      if (message !== null && session !== null) return showMessage(entry, { session, message })
      const onSelected = (row: SelectableRow) => {
        pickFileOf(row, path)
        panes.goTo(path === null ? 'files' : 'diff')
      }
      store.setState({ history: null, replay: null, reveal: { entry, onSelected } })
    }
  }
}
