/** [UI-7] Returns the focus to a dialog when what had it is removed: the browser gives it to the page then. */

export interface LostFocus {
  /** For a removal while a dialog over this one had the focus. */
  restore(): void
  end(): void
}

const FOCUSABLE = ['button', 'input', 'select', 'textarea', 'a[href]', '[tabindex]']
  .map((element) => `${element}:not(:disabled, [tabindex="-1"])`)
  .join()

/** `dialog`: an open modal dialog. What is nearest to the removed element gets the focus. */
export function createLostFocus(dialog: HTMLElement): LostFocus {
  /** What had the focus last, and what it is in, innermost first. */
  let path: readonly Element[] = []
  const remember = (): void => {
    path = document.activeElement ? [...ancestors(document.activeElement, dialog)] : []
  }
  const restore = (): void => {
    if (document.activeElement !== document.body || path[0]?.isConnected !== false) return
    for (const place of path) {
      if (place.isConnected) place.querySelector<HTMLElement>(FOCUSABLE)?.focus()
      if (dialog.contains(document.activeElement)) return
    }
  }
  remember()
  dialog.addEventListener('focusin', remember)
  const observer = new MutationObserver(restore)
  observer.observe(dialog, { subtree: true, childList: true })
  return { restore, end: () => observer.disconnect() }
}

function* ancestors(element: Element, last: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = at === last ? null : at.parentElement) yield at
}
