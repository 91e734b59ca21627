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
  const observer = new MutationObserver(focus.restore)
  observer.observe(dialog, { subtree: true, childList: true })
  return {
    restore: focus.restore,
    end: () => {
      observer.disconnect()
      focus.end()
    }
  }
}

/** Whoever removes a button may move the focus itself, in a frame after it, or once what is loading is there. */
const FRAMES = 3
const FRAMES_OF_LOADING = 60
const LOADING = '[role="progressbar"], [aria-busy="true"]'

/**
 * The same for the buttons and fields of a page, of which a part may be replaced by one that is still loading and that takes
 * the focus then: what is nearest gets it where nothing has taken it. Lists and texts look after themselves. Returns what ends it.
 */
export function keepFocusInPage(page: HTMLElement): () => void {
  const focus = followFocus(page)
  let frame = 0
  const restoreAfter = (passed: number): void => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(() => {
      const isLoading = passed < FRAMES_OF_LOADING && page.querySelector(LOADING) !== null
      if (passed < FRAMES || isLoading) return restoreAfter(passed + 1)
      focus.restore()
    })
  }
  const observer = new MutationObserver(() => {
    if (focus.isLost() && focus.last()?.matches('button, input, select')) restoreAfter(0)
  })
  observer.observe(page, { subtree: true, childList: true })
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
    /** Focuses what is nearest to the removed element: the tab stop of a list, else the first that can have the focus. */
    restore: (): void => {
      if (!isLost()) return
      for (const place of path) {
        if (!place.isConnected) continue
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
