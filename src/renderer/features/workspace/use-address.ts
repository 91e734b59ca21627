/**
 * Keeps the address and the selection of a workspace the same, in both directions. An address wins while its entry is
 * being loaded; after that the selection does. The newest entry, shown because nothing was chosen, is not part of the
 * address: a reload shows what is newest then.
 */
import { useEffect } from 'react'
import { type Address, onAddress, readAddress, showAddress } from '../../client/address.ts'
import { filterOfText, filterToText } from '../../model/entry-filter.ts'
import { HISTORY_VIEWS } from '../../model/open-file.ts'
import { replayOfText, replayToText } from '../../model/replay.ts'
import { runIdOf } from '../../model/row-targets.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { WorkspaceState } from '../../state/store.ts'

/** The chosen entry; "" while the newest one is shown because nothing was chosen. */
const chosenEntry = ({ memory }: WorkspaceState): string => entryIdOf(memory?.node)

/** What the chosen entry is compared with; "" for nothing. */
const comparedEntry = ({ memory }: WorkspaceState): string => entryIdOf(memory?.against)

function entryIdOf(row: SelectableRow | null | undefined): string {
  return row ? (row.kind === 'entry' ? row.entry.id : (runIdOf(row) ?? '')) : ''
}

export function useAddress(): void {
  const { workspace, store, actions } = useOpenWorkspace()
  const entry = useWorkspaceState(chosenEntry)
  const compare = useWorkspaceState(comparedEntry)
  const file = useWorkspaceState((state) => state.file?.path ?? '')
  const opened = useWorkspaceState((state) => state.history)
  const filter = useWorkspaceState((state) => filterToText(state.filter))
  const review = useWorkspaceState((state) => state.review ?? '')
  const history = opened?.view ?? ''
  const replay = useWorkspaceState((state) => state.replay)
  const replayText = replayToText(replay)
  const shown = opened ? opened.path : replay ? (replay.path ?? '') : entry === '' ? '' : file

  useEffect(() => {
    const first = readAddress()
    const showHistory = (address: Address) => {
      const view = HISTORY_VIEWS.find((known) => known === address.history)
      const { history: now } = store.getState()
      if (view && address.file) {
        if (now?.path !== address.file || now.view !== view) actions.openHistory(address.file, view)
      } else if (now) store.setState({ history: null })
    }
    const showReplay = (address: Address) => {
      if (address.replay !== replayToText(store.getState().replay))
        store.setState({ replay: replayOfText(address.replay, address.file) })
    }
    if (first.open === workspace.id && first.filter !== '') store.setState({ filter: filterOfText(first.filter) })
    if (first.open === workspace.id && first.review !== '') store.setState({ review: first.review })
    if (first.open === workspace.id && first.entry !== '') actions.openAddress(first)
    if (first.open === workspace.id) {
      showHistory(first)
      showReplay(first)
    }
    return onAddress((address) => {
      if (address.open !== workspace.id) return
      if (address.filter !== filterToText(store.getState().filter))
        store.setState({ filter: filterOfText(address.filter) })
      if (address.review !== (store.getState().review ?? '')) store.setState({ review: address.review || null })
      const now = store.getState()
      if (address.entry !== chosenEntry(now) || address.compare !== comparedEntry(now)) actions.openAddress(address)
      showHistory(address)
      showReplay(address)
    })
  }, [workspace.id, store, actions])

  useEffect(() => {
    // The entry of an address may have to be loaded first.
    if (store.getState().reveal) return
    const { settings } = readAddress()
    showAddress({
      open: workspace.id,
      entry,
      file: shown,
      history,
      settings,
      filter,
      review,
      compare,
      replay: replayText
    })
  }, [workspace.id, store, entry, shown, history, filter, review, compare, replayText])
}
