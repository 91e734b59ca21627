/** [UI-7] Returns the focus when what had it is removed: the browser gives it to the page then, and the next key is lost. */

export interface LostFocus {
  /** For a removal while a dialog over this one had the focus. */
  restore(): void
  end(): void
}

const FOCUSABLE = ['button', 'input', 'select', 'textarea', 'a[href]', '[tabindex]']
  .map((element) => `${element}:not(:disabled, [tabindex="-1"])`)
  .join()
/** The tab stop of a list. */
const ROW = ':is([role="treeitem"], [role="option"], li)[tabindex="0"]'

/** `dialog`: an open modal dialog. What is nearest to the removed element gets the focus. */
export function createLostFocus(dialog: HTMLElement): LostFocus {
  const focus = followFocus(dialog)
  const observer = new MutationObserver(() => focus.restore())
  observer.observe(dialog, { subtree: true, childList: true })
  return {
    restore: () => focus.restore(),
    end: () => {
      observer.disconnect()
      focus.end()
    }
  }
}

/** Whoever removes a button may move the focus itself, in a frame after it. */
const FRAMES = 3
/** A bar with a value is of work that may take minutes. */
const LOADING = '[role="progressbar"]:not([aria-valuenow]), [aria-busy="true"]'
const LOADING_ATTRIBUTES = ['aria-busy', 'aria-valuenow']

/** Whether a part of a place is loading that has nothing yet to focus. */
function isLoading(place: Element): boolean {
  return [...place.querySelectorAll(LOADING)].some((part) => part.querySelector(FOCUSABLE) === null)
}

/**
 * The same for the buttons and fields of a page, of which a part may be replaced by one that takes the focus then: what is
 * nearest gets it where nothing has taken it, and once it is loaded. Lists and texts look after themselves. Returns what ends it.
 */
export function keepFocusInPage(page: HTMLElement): () => void {
  const focus = followFocus(page)
  let frame = 0
  const restoreAfter = (frames: number): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => (frames > 1 ? restoreAfter(frames - 1) : focus.restore(isLoading)))
  }
  // The end of a load is such a change, too.
  const observer = new MutationObserver(() => {
    if (focus.isLost() && focus.last()?.matches('button, input, select')) restoreAfter(FRAMES)
  })
  observer.observe(page, { subtree: true, childList: true, attributeFilter: LOADING_ATTRIBUTES })
  return () => {
    cancelAnimationFrame(frame)
    observer.disconnect()
    focus.end()
  }
}

/** Follows the focus in an element. */
function followFocus(box: HTMLElement) {
  /** What had the focus last, and what it is in, innermost first. */
  let path: readonly Element[] = []
  const remember = (): void => {
    path = document.activeElement ? [...ancestors(document.activeElement, box)] : []
  }
  const isLost = () => document.activeElement === document.body && path[0]?.isConnected === false
  remember()
  box.addEventListener('focusin', remember)
  return {
    last: () => path[0],
    isLost,
    /**
     * Focuses what is nearest to the removed element: the tab stop of a list, else the first that can have the focus. Nothing
     * while `isPending` says of a place on the way to it that it is not complete.
     */
    restore: (isPending: (place: Element) => boolean = () => false): void => {
      if (!isLost()) return
      for (const place of path) {
        if (!place.isConnected) continue
        if (isPending(place)) return
        for (const target of [ROW, FOCUSABLE]) {
          place.querySelector<HTMLElement>(target)?.focus()
          if (document.activeElement !== document.body) return
        }
      }
    },
    end: () => box.removeEventListener('focusin', remember)
  }
}

function* ancestors(element: Element, last: Element): Generator<Element> {
  for (let at: Element | null = element; at; at = at === last ? null : at.parentElement) yield at
}
