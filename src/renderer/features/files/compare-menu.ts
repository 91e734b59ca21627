/** The comparison menu below the files. */

import { positionTitle } from '../../model/row-targets.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import type { WorkspaceActions } from '../../state/actions.ts'
import type { WorkspaceState } from '../../state/store.ts'
import type { MenuEntry } from '../../ui/menu.tsx'

type Compared = Pick<WorkspaceState, 'comparisons' | 'compared' | 'pair'>

export function comparisonItems(
  { comparisons, compared, pair }: Compared,
  actions: Pick<WorkspaceActions, 'compare' | 'swap' | 'clearPair'>
): readonly MenuEntry[] {
  const items: MenuEntry[] = comparisons.map(({ id, label }) => ({
    id,
    label,
    checked: pair === null && compared?.id === id,
    run: () => actions.compare(id)
  }))
  items.push('separator', {
    id: 'two',
    label: pair ? pairLabel(pair) : 'Two entries',
    checked: pair !== null,
    // Two entries are chosen in the timeline; this item only explains how.
    disabled: pair ? null : 'Shift-click a second entry in the timeline',
    run: () => {}
  })
  if (pair) {
    items.push(
      { id: 'swap', label: 'Swap sides', icon: 'swap', keys: 'X', run: actions.swap },
      { id: 'clear', label: 'Stop comparing', icon: 'x', keys: 'Escape', run: actions.clearPair }
    )
  }
  return items
}

export function pairLabel([from, to]: readonly [SelectableRow, SelectableRow]): string {
  return `${positionTitle(from)} → ${positionTitle(to)}`
}
