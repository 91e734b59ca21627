/** Steps from change to change, and past the last change of a file into the next file. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { announce } from '../../ui/live-region.tsx'
import type { TextViewHandle } from './text-view.tsx'
import type { LoadedDiff } from './use-file-diff.ts'

interface ChangeNavigationInput {
  readonly file: FileChange | null
  /** The file on screen, which may still be the previous one. */
  readonly loaded: LoadedDiff | null
  /** The text of `file` is on screen and has changes. */
  readonly hasChanges: boolean
  readonly text: RefObject<TextViewHandle | null>
  readonly focus: PaneFocus
  /** Selects the file `delta` places away in review order. */
  readonly onStep: (delta: number) => void
}

export interface ChangeNavigation {
  step(delta: 1 | -1): void
  stepFile(delta: 1 | -1): void
  /** To be called when a text is on screen: moves focus to it, and to its first or last change after a step. */
  arrive(): void
}

export function useChangeNavigation({
  file,
  loaded,
  hasChanges,
  text,
  focus,
  onStep
}: ChangeNavigationInput): ChangeNavigation {
  const arriving = useRef<{ readonly from: string; readonly end: 'first' | 'last' } | null>(null)
  const stepFile = (delta: 1 | -1): void => {
    focus.hold()
    onStep(delta)
  }
  return {
    stepFile,
    step: (delta) => {
      if (hasChanges && text.current?.step(delta)) return
      if (file) arriving.current = { from: file.path, end: delta > 0 ? 'first' : 'last' }
      stepFile(delta)
    },
    arrive: () => {
      focus.handOver()
      const arrival = arriving.current
      if (!arrival || !loaded || arrival.from === loaded.path) return
      arriving.current = null
      if (arrival.end === 'last') text.current?.goToEnd('last')
      announce(`${loaded.path}, ${arrival.end} change.`)
    }
  }
}

/** Keeps focus in the diff pane while its file changes. A removed editor loses focus to the page without a blur event. */
interface PaneFocus {
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
