/**
 * A popover in the browser's top layer: a press outside, Escape and another size of the window close it, and the focus returns to its
 * opener.
 */
import { type HTMLAttributes, type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { overlayParent } from './dialog.tsx'

type Align = 'left' | 'right' | 'center'

interface PopoverProps extends Pick<HTMLAttributes<HTMLElement>, 'role' | 'aria-label' | 'onKeyDown'> {
  readonly className: string
  /** The element it opens below, or a point as an empty rectangle. */
  readonly anchor: DOMRect
  readonly align?: Align
  /** Selectors of the initial focus; the first one that is found. */
  readonly initialFocus: readonly string[]
  readonly onClose: () => void
  readonly children: ReactNode
}

export function Popover({ anchor, align = 'left', initialFocus, onClose, className, ...rest }: PopoverProps) {
  const box = useRef<HTMLDivElement>(null)
  const [parent] = useState(overlayParent)
  const selectors = useRef(initialFocus)
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const show = () => {
      element.showPopover()
      placeBelow(element, anchor, align)
      for (const selector of selectors.current) {
        const found = element.querySelector<HTMLElement>(selector)
        found?.focus()
        if (found) break
      }
    }
    const cancel = afterRelease(show)
    // What it belongs to is elsewhere then.
    const hide = () => element.hidePopover()
    window.addEventListener('resize', hide)
    return () => {
      window.removeEventListener('resize', hide)
      cancel()
      hide()
    }
  }, [anchor, align])
  return createPortal(
    <div
      {...rest}
      ref={box}
      popover="auto"
      className={`pop ${className}`}
      onToggle={(event) => {
        if (event.target === event.currentTarget && event.newState === 'closed') onClose()
      }}
    />,
    parent
  )
}

let pressed = false
// From the start: a press comes before the menu that it opens. Tests import this without a page, too.
for (const [event, isDown] of [
  ['pointerdown', true],
  ['pointerup', false],
  ['pointercancel', false]
] as const)
  globalThis.window?.addEventListener(
    event,
    () => {
      pressed = isDown
    },
    { capture: true }
  )

/**
 * Calls `show` at once, or after the release of a press: where a right press opens a menu, the release would count as one
 * outside of it and close it. Returns what cancels this.
 */
function afterRelease(show: () => void): () => void {
  if (!pressed) {
    show()
    return () => {}
  }
  const waiting = new AbortController()
  const { signal } = waiting
  const released = () => setTimeout(() => signal.aborted || show())
  for (const event of ['pointerup', 'pointercancel'])
    window.addEventListener(event, released, { capture: true, once: true, signal })
  return () => waiting.abort()
}

const MARGIN_PX = 8

/** Places a fixed element below the anchor or, where it does not fit, above it; always inside the window. */
export function placeBelow(element: HTMLElement, anchor: DOMRect, align: Align, gap = 4): void {
  const { width, height } = element.getBoundingClientRect()
  const left =
    align === 'left' ? anchor.left : align === 'right' ? anchor.right - width : anchor.left + (anchor.width - width) / 2
  const below = anchor.bottom + gap
  const fits = below + height <= innerHeight - MARGIN_PX
  element.style.left = `${Math.round(Math.max(MARGIN_PX, Math.min(left, innerWidth - width - MARGIN_PX)))}px`
  element.style.top = `${Math.round(fits ? below : Math.max(MARGIN_PX, anchor.top - height - gap))}px`
}
