/** Keeps focus in the diff pane while its file changes. A removed editor loses focus to the page without a blur event. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { TextViewHandle } from './text-view.tsx'

export interface PaneFocus {
  /** Handlers of the pane's element. */
  readonly handlers: {
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void
    readonly onBlur: () => void
  }
  /** Moves focus to the pane before another file is loaded. */
  hold(): void
  /** Moves focus from the pane to the text once that is shown. */
  handOver(): void
}

/** `isEmpty`: no file is open. */
export function usePaneFocus(
  pane: RefObject<HTMLElement | null>,
  text: RefObject<TextViewHandle | null>,
  isEmpty: boolean
): PaneFocus {
  const inside = useRef(false)
  const holding = useRef(false)
  useLayoutEffect(() => {
    if (isEmpty && inside.current && document.activeElement === document.body) pane.current?.focus()
  }, [isEmpty, pane])
  return {
    handlers: {
      onFocus: (event) => {
        inside.current = true
        // Alt+3 and Enter focus the pane; focus continues to the text.
        if (event.target === event.currentTarget && !holding.current) text.current?.focus()
      },
      onBlur: () => {
        inside.current = false
      }
    },
    hold: () => {
      if (!pane.current?.contains(document.activeElement)) return
      holding.current = true
      pane.current.focus()
      holding.current = false
    },
    handOver: () => {
      if (document.activeElement === pane.current) text.current?.focus()
    }
  }
}
