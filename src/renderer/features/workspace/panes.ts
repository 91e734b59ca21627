/** Moving focus between the panes. */
import type { Pane } from '../../commands/state.ts'

const ORDER: readonly Pane[] = ['timeline', 'files', 'diff']
/** What takes focus in a pane, best first: its list's tab stop, its editor, anything. */
const TARGETS = [
  '[role="treeitem"][tabindex="0"]',
  '.native-edit-context',
  'textarea',
  '[tabindex="0"]',
  'button',
  'input',
  'main'
]

export function focusPane(pane: Pane): void {
  const element = document.querySelector<HTMLElement>(`[data-pane="${pane}"]`)
  for (const target of TARGETS) {
    const found = element?.querySelector<HTMLElement>(target)
    if (found) {
      found.focus()
      return
    }
  }
}

export function nextPane(from: Element | null, by: 1 | -1): Pane {
  const at = ORDER.indexOf((from?.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? '') as Pane)
  if (at < 0) return by === 1 ? 'timeline' : 'diff'
  return ORDER[(at + by + ORDER.length) % ORDER.length] ?? 'timeline'
}
