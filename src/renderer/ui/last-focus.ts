/** Who had the focus last. It may be nowhere since: after a press on nothing, or when what had it was removed. */
import { type RefObject, useEffect, useRef } from 'react'

/** False again as soon as anything gets the focus: who follows its own focus sets it in `onFocus`, which comes after that. */
export function useLastFocus(): RefObject<boolean> {
  const isOwn = useRef(false)
  useEffect(() => {
    const clear = () => {
      isOwn.current = false
    }
    document.addEventListener('focusin', clear, true)
    return () => document.removeEventListener('focusin', clear, true)
  }, [])
  return isOwn
}
