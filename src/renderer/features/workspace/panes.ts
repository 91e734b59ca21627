/** Moving focus between the panes. */
import type { Pane } from '../../commands/state.ts'

/** Files and conversation share the middle. */
const ORDER: readonly Pane[] = ['timeline', 'files', 'diff']
const ROW = '[role="treeitem"][tabindex="0"]'
/** What takes focus in a pane, best first: its list's tab stop, its editor, anything. */
const TARGETS = [
  ROW,
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
      if (element && pane === 'files' && target !== ROW) handOver(element, found)
      return
    }
  }
}

/** The list of files may be on its way: its tab stop takes focus over from what holds it meanwhile. */
function handOver(pane: HTMLElement, held: HTMLElement): void {
  const observer = new MutationObserver(() => {
    const row = pane.querySelector<HTMLElement>(ROW)
    if (!row) return
    stop()
    row.focus()
  })
  const stop = (): void => {
    observer.disconnect()
    held.removeEventListener('blur', stop)
  }
  held.addEventListener('blur', stop)
  observer.observe(pane, { childList: true, subtree: true })
}

export function nextPane(from: Element | null, by: 1 | -1): Pane {
  const pane = from?.closest<HTMLElement>('[data-pane]')?.dataset.pane ?? ''
  const at = ORDER.indexOf((pane === 'conversation' ? 'files' : pane) as Pane)
  if (at < 0) return by === 1 ? 'timeline' : 'diff'
  return ORDER[(at + by + ORDER.length) % ORDER.length] ?? 'timeline'
}
