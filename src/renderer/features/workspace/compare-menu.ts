/** The menu below the files: what is compared, and what else could be. */
import type { MenuEntry } from '../../ui/menu.tsx'
import type { Comparison, ComparisonId } from '../timeline/comparisons.ts'
import { pointTitle } from '../timeline/node.ts'
import type { Selected } from './use-selection.ts'

export interface CompareMenu {
  readonly label: string
  readonly items: readonly MenuEntry[]
}

export interface Compared {
  readonly choices: readonly Comparison[]
  readonly chosen: Comparison | null
  choose(id: ComparisonId): void
}

/** `stop` goes back from two rows to one. */
export function compareMenu(selected: Selected, compared: Compared, stop: () => void): CompareMenu {
  const { node, other } = selected
  const items: MenuEntry[] = compared.choices.map(({ id, label }) => ({
    id,
    label,
    checked: other === null && compared.chosen?.id === id,
    run: () => {
      if (other) stop()
      compared.choose(id)
    }
  }))
  items.push('separator', {
    id: 'two',
    label: other ? `${pointTitle(node)} and ${pointTitle(other)}` : 'Any two entries',
    checked: other !== null,
    // A choice made elsewhere: said here so that it is found.
    disabled: other ? null : 'Hold Shift and choose the other one in the timeline',
    run: () => {}
  })
  return { label: other ? 'two entries' : (compared.chosen?.label ?? '…'), items }
}
