/**
 * Keeps the focus in a list when its focused row is removed, also if the list is unmounted for a moment. The browser
 * gives the focus of a removed element to the page, and the next key would be lost.
 */
import { type FocusEvent, type RefObject, useLayoutEffect } from 'react'
import { useLastFocus } from './last-focus.ts'
import type { VirtualListHandle } from './virtual-list.tsx'

/**
 * `at`: the row that takes the focus. Put the returned handlers on an element that contains the list and stays mounted.
 */
export function usePreservedFocus(list: RefObject<VirtualListHandle | null>, at: number, rows: readonly unknown[]) {
  const held = useLastFocus()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus is lost when rows change.
  useLayoutEffect(() => {
    if (held.current && document.activeElement === document.body) list.current?.focusRow(at)
  }, [rows])
  return {
    onFocus: (event: FocusEvent) => {
      held.current = event.target.hasAttribute('data-index')
    }
  }
}
