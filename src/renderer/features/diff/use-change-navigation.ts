/**
 * Steps from change to change, and past the last change of a file into the next file. Focus stays in the pane
 * meanwhile: a removed editor loses it to the page without a blur event.
 */
import { type FocusEvent, type RefObject, useEffect, useLayoutEffect, useRef } from 'react'
import type { FileChange } from '../../../contract/diff.ts'
import { useActions } from '../../state/open-workspace.tsx'
import { useLastFocus } from '../../ui/last-focus.ts'
import { announce } from '../../ui/live-region.tsx'
import type { TextViewHandle } from './text-view.tsx'
import type { FileDiffState } from './use-file-diff.ts'
import { useStepEnd } from './use-step-end.ts'

interface ChangeNavigationInput {
  readonly pane: RefObject<HTMLElement | null>
  readonly text: RefObject<TextViewHandle | null>
  readonly file: FileChange | null
  readonly state: FileDiffState
}

export function useChangeNavigation({ pane, text, file, state }: ChangeNavigationInput) {
  const { loaded, current, loading, error } = state
  const actions = useActions()
  const showEnd = useStepEnd()
  const arriving = useRef<{ readonly from: string; readonly end: 'first' | 'last' } | null>(null)
  /** A step that was requested before its file was loaded: it is taken once it is. */
  const waiting = useRef<{ readonly path: string; readonly delta: 1 | -1 } | null>(null)
  const { hold, toText, handlers } = usePaneFocus(pane, text, file, current && !loading)
  const stepFile = (delta: 1 | -1): boolean => actions.stepFile(delta, hold)
  /** To the next change of the text, else to the nearest one of the next file. */
  const step = (delta: 1 | -1): void => {
    if (file && loaded?.path !== file.path && error === null) {
      waiting.current = { path: file.path, delta }
      return
    }
    if (text.current) text.current.whenShown(() => stepFrom(delta))
    else stepFrom(delta)
  }
  const stepFrom = (delta: 1 | -1): void => {
    if (text.current?.step(delta) === 'moved') return
    if (file) arriving.current = { from: file.path, end: delta > 0 ? 'first' : 'last' }
    if (stepFile(delta)) return
    arriving.current = null
    showEnd(delta)
  }
  const takeWaitingStep = (): void => {
    const asked = waiting.current
    waiting.current = null
    if (asked && asked.path === file?.path) step(asked.delta)
  }
  // A file without a text, or that cannot be shown, never arrives.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only an answer can end the wait.
  useEffect(takeWaitingStep, [loaded, error])
  return {
    /** Handlers of the pane's element. */
    handlers,
    /** The keys of the diff that navigate. */
    commands: {
      'next-change': () => step(1),
      'previous-change': () => step(-1),
      'next-file': () => stepFile(1),
      'previous-file': () => stepFile(-1)
    },
    openFile: (path: string): void => {
      hold()
      actions.pickFile(path)
    },
    /** Whether the next text is left at its last change. */
    isArrivingAtEnd: (): boolean => arriving.current?.end === 'last',
    /**
     * To be called when a text is on screen: moves focus to it, and to its first or last change after a step. It may be the
     * text before, which the editor has late: then the focus waits for the requested one.
     */
    arrive: (): void => {
      toText()
      const arrival = arriving.current
      if (arrival && loaded && arrival.from !== loaded.path) {
        arriving.current = null
        if (arrival.end === 'last') text.current?.goToEnd('last')
        announce(`${loaded.path}, ${arrival.end} change.`)
      }
    }
  }
}

/**
 * Keeps the focus in the pane, and moves it on to the text. `isCurrent`: whether the text on screen is that of the file:
 * keys for a file that is still loading must not reach another one.
 */
function usePaneFocus(
  pane: RefObject<HTMLElement | null>,
  text: RefObject<TextViewHandle | null>,
  file: FileChange | null,
  isCurrent: boolean
) {
  const inside = useLastFocus()
  const holding = useRef(false)
  /** The pane itself has the focus, or what had it was removed or hidden, and nothing else took it. */
  const hasBareFocus = () =>
    document.activeElement === pane.current || (inside.current && document.activeElement === document.body)
  const toText = () => {
    if (isCurrent && hasBareFocus()) text.current?.focus()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads where the focus is.
  useLayoutEffect(toText, [isCurrent, pane, text])
  // biome-ignore lint/correctness/useExhaustiveDependencies: reads where the focus is.
  useLayoutEffect(() => {
    // What has the focus is hidden with the file.
    if (!file && (pane.current?.contains(document.activeElement) || hasBareFocus())) pane.current?.focus()
  }, [file, pane])
  return {
    /** Moves it to the pane before another file is loaded. */
    hold: () => {
      if (!pane.current?.contains(document.activeElement)) return
      holding.current = true
      pane.current.focus()
      holding.current = false
    },
    toText,
    handlers: {
      onFocus: (event: FocusEvent<HTMLElement>) => {
        inside.current = true
        // Alt+3 and Enter focus the pane; focus continues to the text, once it is that of the file.
        if (event.target === event.currentTarget && !holding.current && isCurrent) text.current?.focus()
      }
    }
  }
}
