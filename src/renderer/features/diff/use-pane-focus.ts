/** Focus stays in the diff while its file changes: what had it goes with the file, and a removed editor tells nobody that it lost it. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { TextViewHandle } from './text-view.tsx'

export interface PaneFocus {
  /** For the pane's element. */
  readonly handlers: {
    readonly onFocus: (event: FocusEvent<HTMLElement>) => void
    readonly onBlur: () => void
  }
  /** Before another file is asked for: the pane has the focus until the next text takes it over. */
  hold(): void
  /** The text is there: it takes what the pane held, or a person put on the pane meanwhile. */
  handOver(): void
}

/** `isEmpty`: no file is shown. */
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
        // Alt+3 and Enter put focus on the pane; the text is where reading goes on.
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
