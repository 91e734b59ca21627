/** The menu of a row of the timeline: what can be done with it, whatever it is, and with its run. */
import { fragmentOf, NO_ADDRESS } from '../../client/address.ts'
import { useDriftline } from '../../client/context.tsx'
import { openApartLabel } from '../../client/platform.ts'
import { runItems } from '../../commands/run-items.ts'
import { restoreAction, undoAction } from '../../model/row-actions.ts'
import { commandLineId, entryOf, isLiveRun, runIdOf } from '../../model/row-targets.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceFields, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import type { OpenRowMenu } from './timeline-tree.tsx'

export function RowMenu({ row, anchor, onClose }: OpenRowMenu & { readonly onClose: () => void }) {
  const { offline } = useWorkspaceFields('offline')
  const restores = useRestoreItems(row)
  const steps = useRowItems(row, offline)
  const run = useRunItems(row, offline)
  const address = useAddressItems(row)
  const items: MenuEntry[] = [
    ...restores,
    'separator',
    ...(run ? [run.describe] : []),
    ...steps,
    ...(run ? [run.save] : []),
    ...address
  ]
  return <Menu label="Row actions" anchor={anchor} onClose={onClose} items={items} />
}

function useRestoreItems(row: SelectableRow): MenuEntry[] {
  const { actions } = useOpenWorkspace()
  const facts = useWorkspaceFields('status', 'gitChangedBy')
  const unavailable = useWorkspaceState(restoreUnavailable)
  const restore = restoreAction(row)
  const undo = undoAction(row, facts)
  return [
    {
      id: 'restore',
      label: restore.label,
      icon: 'restore',
      keys: 'R',
      disabled: restore.disabledReason ?? unavailable,
      run: () => actions.restoreRow(row)
    },
    {
      id: 'undo',
      label: undo.label,
      icon: 'undo',
      keys: 'U',
      disabled: undo.disabledReason ?? unavailable,
      run: () => actions.undoRow(row)
    }
  ]
}

/** Compare, search and pin. */
function useRowItems(row: SelectableRow, offline: string | null): MenuEntry[] {
  const { store, actions } = useOpenWorkspace()
  const selected = useWorkspaceState((state) => state.selected?.node.key ?? row.key)
  return [
    {
      id: 'compare',
      label: 'Compare with selected',
      icon: 'swap',
      disabled: selected === row.key ? 'Select another row first' : null,
      run: () => actions.extendSelection(row)
    },
    {
      id: 'bisect',
      label: 'Find the edit that broke it…',
      icon: 'search',
      keys: 'B',
      disabled: offline,
      run: () => {
        actions.selectRow(row)
        store.setState({ dialog: 'bisect' })
      }
    },
    {
      id: 'pin',
      label: 'Pin a checkpoint…',
      icon: 'pin',
      keys: 'P',
      disabled: offline,
      run: () => store.setState({ dialog: 'pin' })
    }
  ]
}

/** The name and the export of its run; null for a row without one. */
function useRunItems(row: SelectableRow, offline: string | null) {
  const { store, actions } = useOpenWorkspace()
  if (runIdOf(row) === null) return null
  const open = (dialog: 'describe' | 'export') => {
    actions.selectRow(row)
    store.setState({ dialog })
  }
  return runItems({ isLive: isLiveRun(row), offline, open })
}

/** Its window, and its name on the command line. */
function useAddressItems(row: SelectableRow): MenuEntry[] {
  const { workspace, actions } = useOpenWorkspace()
  const { platform } = useDriftline()
  return [
    {
      id: 'apart',
      label: openApartLabel(platform),
      icon: 'external',
      run: () => platform.openWindow(fragmentOf({ ...NO_ADDRESS, open: workspace.id, entry: entryOf(row).id }))
    },
    { id: 'copy', label: 'Copy ID', icon: 'copy', run: () => actions.copy(commandLineId(row)) }
  ]
}
