/** One tooltip for all elements with `data-tip` (and `data-tip-keys`), shown on hover and focus. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { placeBelow } from './popover.tsx'

interface Tip {
  readonly text: string
  readonly keys: string
  readonly anchor: DOMRect
}

const HOVER_DELAY_MS = 450

/** The hint is the text of the element, which is not cut. */
function saysNothingNew(element: HTMLElement): boolean {
  return element.textContent?.trim() === element.dataset.tip && element.scrollWidth <= element.clientWidth
}

/** Mount once. Elements have their own accessible names, so the tooltip is hidden from assistive technology. */
export function TooltipLayer() {
  const [tip, setTip] = useState<Tip | null>(null)
  const box = useRef<HTMLDivElement>(null)

  useEffect(() => {
    let timer = 0
    const showAfter = (delay: number, element: HTMLElement) => {
      clearTimeout(timer)
      timer = window.setTimeout(() => {
        if (!element.isConnected || saysNothingNew(element)) return
        setTip({
          text: element.dataset.tip ?? '',
          keys: element.dataset.tipKeys ?? '',
          anchor: element.getBoundingClientRect()
        })
      }, delay)
    }
    const hide = () => {
      clearTimeout(timer)
      setTip(null)
    }
    const owner = (target: EventTarget | null) =>
      target instanceof Element ? target.closest<HTMLElement>('[data-tip]') : null
    const over = (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      const element = owner(event.target)
      hide()
      if (element) showAfter(HOVER_DELAY_MS, element)
    }
    const focus = (event: FocusEvent) => {
      const element = owner(event.target)
      // Later: a menu that closes gives its button the focus, and no popover can be shown before it is closed.
      if (element?.matches(':focus-visible') && element === event.target) showAfter(0, element)
    }
    const key = (event: KeyboardEvent) => {
      if (event.key === 'Escape') hide()
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerover', over, { signal })
    document.addEventListener('focusin', focus, { signal })
    document.addEventListener('keydown', key, { signal })
    for (const name of ['pointerdown', 'focusout', 'scroll'])
      document.addEventListener(name, hide, { signal, capture: name === 'scroll' })
    return () => {
      clearTimeout(timer)
      listening.abort()
    }
  }, [])

  useLayoutEffect(() => {
    const element = box.current
    if (!element || !tip) return
    // Shown anew for each tip, so that it is above a dialog that has opened meanwhile.
    element.showPopover()
    placeBelow(element, tip.anchor, 'center', 6)
    return () => element.hidePopover()
  }, [tip])

  if (!tip) return null
  return (
    <div className="hint-box" ref={box} popover="manual" aria-hidden="true">
      {tip.text}
      {tip.keys ? <kbd>{tip.keys}</kbd> : null}
    </div>
  )
}
