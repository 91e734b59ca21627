/** Words that are cut where room is scarce, and shown in full on request. */
import { type RefObject, useLayoutEffect, useState } from 'react'

/**
 * Whether some of `parts` in the element do not fit, and whether a person asked for the whole. `key`: what they say; of other
 * words nothing is asked yet, and "" has none.
 */
export function useFold(box: RefObject<HTMLElement | null>, key: string, parts = ':scope > *') {
  const [open, setOpen] = useState('')
  const [isCut, setCut] = useState(false)
  const isOpen = open === key
  useLayoutEffect(() => {
    const element = box.current
    if (!element || key === '' || isOpen) return
    const isHidden = ({ scrollHeight, scrollWidth, clientHeight, clientWidth }: Element) =>
      clientHeight === 0 || scrollHeight > clientHeight || scrollWidth > clientWidth
    const measure = () => setCut([...element.querySelectorAll(parts)].some(isHidden))
    measure()
    const sizes = new ResizeObserver(measure)
    sizes.observe(element)
    // Words that are loaded later leave the element as wide as it was.
    const words = new MutationObserver(measure)
    words.observe(element, { childList: true, characterData: true, subtree: true })
    return () => {
      sizes.disconnect()
      words.disconnect()
    }
  }, [box, key, isOpen, parts])
  return { isCut, isOpen, toggle: () => setOpen(isOpen ? '' : key) }
}
