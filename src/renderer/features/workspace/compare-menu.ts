/** The comparison menu below the files. */
import type { MenuEntry } from '../../ui/menu.tsx'
import type { Comparison, ComparisonId } from '../timeline/comparisons.ts'
import { positionTitle } from '../timeline/row-targets.ts'
import type { SelectableRow } from '../timeline/timeline-rows.ts'

export interface CompareMenu {
  readonly label: string
  readonly items: readonly MenuEntry[]
  /** null unless two rows are compared. */
  readonly pair: { readonly swap: () => void; readonly clear: () => void } | null
}

export interface ComparisonChoice {
  readonly choices: readonly Comparison[]
  readonly chosen: Comparison | null
  choose(id: ComparisonId): void
}

export interface ComparedPair {
  readonly rows: readonly [SelectableRow, SelectableRow]
  readonly swap: () => void
  readonly clear: () => void
}

export function compareMenu(compared: ComparisonChoice, pair: ComparedPair | null): CompareMenu {
  const items: MenuEntry[] = compared.choices.map(({ id, label }) => ({
    id,
    label,
    checked: pair === null && compared.chosen?.id === id,
    run: () => {
      pair?.clear()
      compared.choose(id)
    }
  }))
  const label = pair ? pairLabel(pair.rows) : (compared.chosen?.label ?? '…')
  items.push('separator', {
    id: 'two',
    label: pair ? label : 'Two entries',
    checked: pair !== null,
    // Two entries are chosen in the timeline; this item only explains how.
    disabled: pair ? null : 'Shift-click a second entry in the timeline',
    run: () => {}
  })
  if (pair) {
    items.push(
      { id: 'swap', label: 'Swap sides', icon: 'swap', keys: 'X', run: pair.swap },
      { id: 'clear', label: 'Stop comparing', icon: 'x', keys: 'Escape', run: pair.clear }
    )
  }
  return { label, items, pair: pair && { swap: pair.swap, clear: pair.clear } }
}

export function pairLabel([from, to]: ComparedPair['rows']): string {
  return `${positionTitle(from)} → ${positionTitle(to)}`
}
