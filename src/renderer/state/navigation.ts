/**
 * Navigation in a workspace: to an entry, a file, a turn, a version, or a search hit.
 * The entry may not be loaded yet: an action only names it (`reveal`), `use-reveal.ts` loads it, and what depends on
 * its row waits in `onSelected`. A file is chosen for one comparison, so that a choice never moves to the next one.
 */
import type { SessionTurn } from '../../contract/conversation.ts'
import type { Finding } from '../../contract/findings.ts'
import type { SearchHit } from '../../contract/search.ts'
import type { TimelineEntry } from '../../contract/timeline.ts'
import { findingPlaceText, findingText } from '../../contract/words/findings.ts'
import type { Address } from '../client/address.ts'
import type { Pane } from '../commands/state.ts'
import { stepFile } from '../model/file-order.ts'
import type { HistoryView } from '../model/open-file.ts'
import { type DiffQuery, diffQueryOf } from '../model/row-targets.ts'
import type { SelectableRow } from '../model/timeline-rows.ts'
import { announce } from '../ui/live-region.tsx'
import type { ActionDeps } from './action-deps.ts'
import { comparisonKey } from './comparison.ts'
import { replayRangeOf } from './derived.ts'
import type { PaneActions } from './pane-actions.ts'
import { paneOf } from './panes.ts'
import { preloadFile } from './preload-comparison.ts'
import { type MessageTarget, NO_FILES, type WorkspaceStore } from './store.ts'

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

/** Chooses the file that a comparison shows. */
export function chooseFile(store: WorkspaceStore, query: DiffQuery | null, path: string | null): void {
  if (query && path !== null) store.setState({ picked: { scope: comparisonKey(query), path } })
}

export function createNavigation({ store, toasts, queries }: ActionDeps, panes: PaneActions) {
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
  const pickFileOf = (row: SelectableRow, path: string | null) => chooseFile(store, diffQueryOf(row, null), path)
  const showFile = (path: string) => {
    store.setState({ history: null, replay: null })
    pickFile(path)
    panes.goTo('diff')
  }
  /** Where the focus was when a replay or a history took the place of the changes. */
  let openedFrom: Pane | null = null
  /** [UI-7] What had the focus may be gone with what closes: the pane that it came from gets it, else the diff. */
  const returnToChanges = (closed: { readonly replay: null } | { readonly history: null }) => {
    store.setState(closed)
    // The changes are drawn with the next paint.
    requestAnimationFrame(() => {
      if (document.activeElement === document.body) panes.goTo(openedFrom ?? 'diff')
    })
  }
  const showFinding = (finding: Finding) => {
    const { path, line, side } = finding
    const { query } = get()
    if (!query) return
    const pointed = line === null ? null : { scope: comparisonKey(query), path, lines: { side, from: line, to: line } }
    store.setState({ finding, pointed })
    showFile(path)
  }
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
    showFile,
    /** Selects the file of a finding and shows its line. */
    showFinding,
    /** To the next or previous finding, from the last to the first. */
    stepFinding: (delta: 1 | -1) => {
      const { findings: found, finding } = get()
      const all = found?.findings ?? []
      // While a run is live its list grows.
      const at = finding ? all.findIndex(({ kind, path }) => kind === finding.kind && path === finding.path) : -1
      const next = all.at(at === -1 && delta === -1 ? -1 : (at + delta) % all.length)
      if (!next) return
      showFinding(next)
      announce(`${findingText(next)}, ${findingPlaceText(next)}, ${all.indexOf(next) + 1} of ${all.length}.`)
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
      const entry = entryOfHit(hit, get().timeline?.pages?.entries ?? [])
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
    },
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
    closeReplay: () => returnToChanges({ replay: null }),
    /** Closes the history of a file. */
    closeHistory: () => returnToChanges({ history: null })
  }
}
