/** The width or height of an element as it changes, in whole pixels; 0 before it is there. */
import { type RefObject, useLayoutEffect, useState } from 'react'

export function useSize(element: RefObject<HTMLElement | null>, side: 'width' | 'height'): number {
  const [size, setSize] = useState(0)
  useLayoutEffect(() => {
    const target = element.current
    if (!target) return
    const measure = () => setSize(Math.round(target.getBoundingClientRect()[side]))
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [element, side])
  return size
}
