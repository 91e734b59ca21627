/**
 * Moving focus between the panes. They are found in the document and not held: a pane is drawn when its tab is chosen,
 * and its list when it is loaded.
 */
import type { Pane } from '../commands/state.ts'

/** Files and conversation share one pane. */
const ORDER: readonly Pane[] = ['timeline', 'files', 'diff']
const ROW = '[role="treeitem"][tabindex="0"]'
const MESSAGE = 'li[tabindex="0"]'
/** The tab stop of panes whose list is drawn only once it is loaded. */
const LOADED_ROWS: Partial<Record<Pane, string>> = { files: ROW, conversation: MESSAGE }
/** Focus targets in a pane in order of preference: the tab stop of a list, an editor, anything focusable. */
const TARGETS = [
  // A diff passes the focus on to its text; the text on screen may be that of another file.
  'main:has(> .diff-body[aria-busy="true"])',
  ROW,
  MESSAGE,
  // The later side of a diff; the other one may be hidden.
  '.editor.modified .native-edit-context',
  '.native-edit-context',
  'textarea',
  '[tabindex="0"]',
  'button',
  'input',
  'main'
]

export function focusPane(pane: Pane): void {
  const shown = document.querySelector<HTMLElement>(`[data-pane="${pane}"]`)
  // Of several parts, the one that is in use.
  const element = shown?.querySelector<HTMLElement>('[data-current-part]') ?? shown
  const taken = TARGETS.find((target) => takesFocus(element?.querySelector<HTMLElement>(target)))
  const row = LOADED_ROWS[pane]
  if (element && row && taken !== undefined && taken !== row) focusRowWhenDrawn(element, row)
}

/** Not where it is hidden: the editor stays between two comparisons. */
function takesFocus(target: HTMLElement | null | undefined): boolean {
  target?.focus()
  return target?.contains(document.activeElement) ?? false
}

/** Moves the focus from a placeholder to a row of the list once the list is drawn, unless the focus left meanwhile. */
function focusRowWhenDrawn(pane: HTMLElement, rowIn: string): void {
  const placeholder = document.activeElement
  const observer = new MutationObserver(() => {
    const row = pane.querySelector<HTMLElement>(rowIn)
    if (!row) return
    stop()
    row.focus()
  })
  const stop = (): void => {
    observer.disconnect()
    placeholder?.removeEventListener('blur', stop)
  }
  placeholder?.addEventListener('blur', stop)
  observer.observe(pane, { childList: true, subtree: true })
}

/** The pane that an element is in. */
export function paneOf(element: Element | null): Pane | null {
  return (element?.closest<HTMLElement>('[data-pane]')?.dataset.pane as Pane | undefined) ?? null
}

export function nextPane(from: Element | null, by: 1 | -1): Pane {
  const pane = paneOf(from)
  const at = ORDER.indexOf(pane === 'conversation' ? 'files' : (pane as Pane))
  if (at < 0) return by === 1 ? 'timeline' : 'diff'
  return ORDER[(at + by + ORDER.length) % ORDER.length] ?? 'timeline'
}
