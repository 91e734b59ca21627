/** Moving focus between the panes. */
import type { Pane } from '../../commands/state.ts'

/** Files and conversation share the middle. */
const ORDER: readonly Pane[] = ['timeline', 'files', 'diff']
/** What takes focus in a pane, best first: its list's tab stop, its editor, anything. */
const TARGETS = [
  '[role="treeitem"][tabindex="0"]',
  'li[tabindex="0"]',
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
  const pane = from?.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? ''
  const at = ORDER.indexOf((pane === 'conversation' ? 'files' : pane) as Pane)
  if (at < 0) return by === 1 ? 'timeline' : 'diff'
  return ORDER[(at + by + ORDER.length) % ORDER.length] ?? 'timeline'
}
