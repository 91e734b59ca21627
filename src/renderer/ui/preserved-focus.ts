/** Focus stays in a list when the row that holds it goes, also while the list is away for a moment. */
import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'
import type { VirtualListHandle } from './virtual-list.tsx'

/** `at`: the row that takes focus over, its tab stop. The two handlers go on an element around the list that stays. */
export function usePreservedFocus(list: RefObject<VirtualListHandle | null>, at: number, rows: readonly unknown[]) {
  const held = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows coming and going is what this is about.
  useLayoutEffect(() => {
    if (held.current && document.activeElement === document.body) list.current?.focusRow(at)
  }, [rows])
  return {
    onFocus: (event: FocusEvent) => {
      held.current = event.target.hasAttribute('data-index')
    },
    // A row that goes gives focus to nobody.
    onBlur: (event: FocusEvent) => {
      if (event.relatedTarget !== null) held.current = false
    }
  }
}
