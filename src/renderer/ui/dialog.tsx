/** Modal dialog: focus moves in, stays in, and returns to the opener. */
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
  /** Called by Escape and by a press on the scrim. Absent: neither closes the dialog. */
  readonly onClose?: () => void
  /** Selector of the initial focus; absent: the first focusable element. */
  readonly initialFocus?: string
  /** Takes the focus if the opener no longer exists. */
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
    // If the focused element was removed, key events go to the body. They still belong to this dialog.
    const onOrphanedKey = (event: KeyboardEvent) => {
      if (element.inert || event.defaultPrevented || element.contains(document.activeElement)) return
      if (event.key === 'Escape') latest.current.onClose?.()
      else if (event.key !== 'Tab') return
      else element.querySelector<HTMLElement>(FOCUSABLE)?.focus()
      event.preventDefault()
    }
    document.addEventListener('keydown', onOrphanedKey)
    return () => {
      document.removeEventListener('keydown', onOrphanedKey)
      close()
      const target = opener?.isConnected && opener !== document.body ? opener : latest.current.fallbackFocus?.()
      if (target) focusNearest(target)
    }
  }, [])

  // Keys stay inside the dialog: portals bubble through their React parents.
  const onKey = (event: React.KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape' && !event.defaultPrevented) props.onClose?.()
    else if (event.key === 'Tab' && scrim.current) trapTab(scrim.current, event)
  }

  return createPortal(
    // biome-ignore lint/a11y/noStaticElementInteractions: a press beside the dialog closes it; Escape does the same.
    <div
      className={['scrim', props.scrimClassName].filter(Boolean).join(' ')}
      ref={scrim}
      onKeyDown={onKey}
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

/** Focuses the element or, if it is hidden, its nearest focusable ancestor. */
function focusNearest(element: HTMLElement): void {
  for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
    at.focus()
    if (document.activeElement !== document.body && at.contains(document.activeElement)) return
  }
}

/** Wraps Tab at the first and last focusable element. */
function trapTab(element: HTMLElement, event: React.KeyboardEvent): void {
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
