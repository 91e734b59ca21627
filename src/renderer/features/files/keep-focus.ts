/** A focused row that is scrolled away no longer exists; its list then takes the focus, so that keys go on working. */
import { useCallback, useRef } from 'react'
import type { VirtualListHandle } from '../../ui/virtual-list.tsx'

/** Give `onFocus` to the rows and `onScroll` to the list. */
export function useKeepFocus(list: React.RefObject<VirtualListHandle | null>) {
  const within = useRef(false)
  const onFocus = useCallback(() => {
    within.current = true
    const element = list.current?.element
    if (!element) return
    const leave = (event: FocusEvent) => {
      // A row that is removed loses focus to nothing; anything else is a person going elsewhere.
      if (event.relatedTarget instanceof Node && !element.contains(event.relatedTarget)) within.current = false
    }
    element.addEventListener('focusout', leave, { once: true })
  }, [list])
  const onScroll = useCallback(() => {
    requestAnimationFrame(() => {
      const element = list.current?.element
      if (!within.current || !element || document.activeElement !== document.body) return
      element.tabIndex = -1
      element.focus({ preventScroll: true })
    })
  }, [list])
  return { onFocus, onScroll }
}
