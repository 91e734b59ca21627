/** Modal dialog: focus moves in, stays in, and returns to where it came from. */
import { type ReactNode, useLayoutEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { openModal, overlayRoot } from './overlay-root.ts'

interface DialogProps {
  /** Accessible name; or `labelledBy`, the id of the heading. */
  readonly label?: string
  readonly labelledBy?: string
  readonly describedBy?: string
  readonly role?: 'dialog' | 'alertdialog'
  /** Class of the box: `dialog` when absent. */
  readonly className?: string
  readonly scrimClassName?: string
  /** Escape and a press on the scrim. Absent: the dialog cannot be left that way. */
  readonly onClose?: () => void
  /** Selector of what takes focus first; the first focusable thing when absent. */
  readonly initialFocus?: string
  /** Where focus goes when the opener is gone. */
  readonly fallbackFocus?: () => HTMLElement | null
  readonly children: ReactNode
}

const FOCUSABLE = 'button, [href], input, select, textarea, [tabindex]:not([tabindex="-1"])'

export function Dialog(props: DialogProps) {
  const scrim = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props

  useLayoutEffect(() => {
    const element = scrim.current
    if (!element) return
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
    const close = openModal(element)
    const { initialFocus } = latest.current
    const first =
      (initialFocus ? element.querySelector<HTMLElement>(initialFocus) : null) ??
      element.querySelector<HTMLElement>(FOCUSABLE)
    first?.focus()
    // What had the focus may be gone, a row that was deleted: keys come to nobody then, and still mean this dialog.
    const orphan = (event: KeyboardEvent) => {
      if (element.inert || event.defaultPrevented || element.contains(document.activeElement)) return
      if (event.key === 'Escape') latest.current.onClose?.()
      else if (event.key !== 'Tab') return
      else element.querySelector<HTMLElement>(FOCUSABLE)?.focus()
      event.preventDefault()
    }
    document.addEventListener('keydown', orphan)
    return () => {
      document.removeEventListener('keydown', orphan)
      close()
      const back = opener?.isConnected && opener !== document.body ? opener : latest.current.fallbackFocus?.()
      if (back) focusAtOrAround(back)
    }
  }, [])

  // Keys stay inside: neither the screen below nor its React parents see them.
  const key = (event: React.KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' && !event.defaultPrevented) props.onClose?.()
    else if (event.key === 'Tab' && scrim.current) keepInside(scrim.current, event)
  }

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the dialog closes it; Escape does the same.
    <div
      className={['scrim', props.scrimClassName].filter(Boolean).join(' ')}
      ref={scrim}
      onKeyDown={key}
      onPointerDown={(event) => {
        if (event.target === event.currentTarget) props.onClose?.()
      }}
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: the role is dialog or alertdialog, both modal. */}
      <div
        className={props.className ?? 'dialog'}
        role={props.role ?? 'dialog'}
        aria-modal="true"
        aria-label={props.label}
        aria-labelledby={props.labelledBy}
        aria-describedby={props.describedBy}
      >
        {props.children}
      </div>
    </div>,
    overlayRoot()
  )
}

/** What was left may be hidden by now: then the nearest part around it that takes focus. */
function focusAtOrAround(element: HTMLElement): void {
  for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
    at.focus()
    if (document.activeElement !== document.body && at.contains(document.activeElement)) return
  }
}

/** Tab at an end goes to the other end. */
function keepInside(element: HTMLElement, event: React.KeyboardEvent): void {
  const all = [...element.querySelectorAll<HTMLElement>(FOCUSABLE)].filter(
    (item) => item.tabIndex >= 0 && item.offsetParent !== null && !item.hasAttribute('disabled')
  )
  const first = all[0]
  const last = all.at(-1)
  if (!first || !last) return
  const at = document.activeElement
  if (event.shiftKey && (at === first || !element.contains(at))) {
    event.preventDefault()
    last.focus()
  } else if (!event.shiftKey && (at === last || !element.contains(at))) {
    event.preventDefault()
    first.focus()
  }
}
