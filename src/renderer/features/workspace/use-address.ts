/**
 * Keeps the address and the selection of a workspace the same, in both directions. An address wins while its entry is
 * being loaded; after that the selection does. The newest entry, shown because nothing was chosen, is not part of the
 * address: a reload shows what is newest then.
 */
import { useEffect } from 'react'
import { onAddress, readAddress, showAddress } from '../../client/address.ts'
import { runIdOf } from '../../model/row-targets.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import type { WorkspaceState } from '../../state/store.ts'

/** The chosen entry; "" while the newest one is shown because nothing was chosen. */
function chosenEntry({ memory }: WorkspaceState): string {
  const row = memory?.node
  return row ? (row.kind === 'entry' ? row.entry.id : (runIdOf(row) ?? '')) : ''
}

export function useAddress(): void {
  const { workspace, store, actions } = useOpenWorkspace()
  const entry = useWorkspaceState(chosenEntry)
  const file = useWorkspaceState((state) => state.file?.path ?? '')

  useEffect(() => {
    const first = readAddress()
    if (first.open === workspace.id && first.entry !== '') actions.openAddress(first)
    return onAddress((address) => {
      if (address.open === workspace.id && address.entry !== chosenEntry(store.getState())) actions.openAddress(address)
    })
  }, [workspace.id, store, actions])

  useEffect(() => {
    // The entry of an address may have to be loaded first.
    if (store.getState().reveal) return
    showAddress({ open: workspace.id, entry, file: entry === '' ? '' : file })
  }, [workspace.id, store, entry, file])
}
