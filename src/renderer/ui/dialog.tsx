/** Modal dialog: the native element keeps the focus inside, closes on Escape and makes the page inert. */
import { type ReactNode, useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Button } from './button.tsx'
import { createLostFocus, type LostFocus } from './lost-focus.ts'

interface DialogProps {
  /** Accessible name; or `labelledBy`, the id of the heading. */
  readonly label?: string
  readonly labelledBy?: string
  readonly describedBy?: string
  readonly role?: 'dialog' | 'alertdialog'
  /** `dialog` when absent. */
  readonly className?: string
  /** Called by Escape and by a press beside the dialog. Absent: neither closes the dialog. */
  readonly onClose?: () => void
  /** Selector of the initial focus; absent: the first focusable element. */
  readonly initialFocus?: string
  readonly children: ReactNode
}

export function Dialog(props: DialogProps) {
  const box = useRef<HTMLDialogElement>(null)
  const latest = useRef(props)
  latest.current = props

  useLayoutEffect(() => {
    const dialog = box.current
    if (!dialog) return
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
    dialog.showModal()
    const unregister = registerDialog(dialog)
    const { initialFocus } = latest.current
    if (initialFocus) dialog.querySelector<HTMLElement>(initialFocus)?.focus()
    return () => {
      unregister()
      dialog.close()
      if (opener?.isConnected && opener !== document.body) focusNearest(opener)
      // What opened this dialog is gone, from the dialog below it.
      else open.at(-1)?.lostFocus.restore()
    }
  }, [])

  return createPortal(
    <dialog
      ref={box}
      className={props.className ?? 'dialog'}
      role={props.role ?? 'dialog'}
      aria-modal="true"
      closedby={props.onClose ? 'any' : 'none'}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      aria-describedby={props.describedBy}
      // Keys stay inside the dialog: portals bubble through their React parents, as these events do.
      onKeyDown={(event) => event.stopPropagation()}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        props.onClose?.()
      }}
      // The browser closes a dialog itself if Escape is pressed repeatedly. Only the owner decides.
      onClose={(event) => {
        if (event.target === event.currentTarget && !event.currentTarget.open) event.currentTarget.showModal()
      }}
    >
      {props.children}
    </dialog>,
    document.body
  )
}

/** Focuses the element or, if it is hidden, its nearest focusable ancestor. */
function focusNearest(element: HTMLElement): void {
  for (let at: HTMLElement | null = element; at && at !== document.body; at = at.parentElement) {
    at.focus()
    if (document.activeElement !== document.body && at.contains(document.activeElement)) return
  }
}

interface CloseFooterProps {
  /** "Close" when absent. */
  readonly label?: string
  /** Shown after the label. */
  readonly keys?: string
  readonly onClose: () => void
}

/** The foot of an informational dialog: one button that closes it. */
export function CloseFooter({ label, keys, onClose }: CloseFooterProps) {
  return (
    <footer>
      <span className="grow" />
      <Button size="lg" keys={keys} onClick={onClose}>
        {label ?? 'Close'}
      </Button>
    </footer>
  )
}

/**
 * The open modal dialogs, newest last. The browser makes everything outside the newest one inert, so menus, toasts and
 * announcements are mounted inside it.
 */
const open: { readonly dialog: HTMLElement; readonly lostFocus: LostFocus }[] = []
const listeners = new Set<() => void>()

/** Registers a dialog until the returned function runs. */
function registerDialog(dialog: HTMLElement): () => void {
  const entry = { dialog, lostFocus: createLostFocus(dialog) }
  open.push(entry)
  notify()
  return () => {
    open.splice(open.indexOf(entry), 1)
    entry.lostFocus.end()
    notify()
  }
}

/** Whether a dialog is open: global keys are then off. */
export function isModalOpen(): boolean {
  return open.length > 0
}

/** Where overlays are mounted: the newest dialog, else the page. */
export function overlayParent(): HTMLElement {
  return open.at(-1)?.dialog ?? document.body
}

/** `overlayParent` for an overlay that stays while dialogs open and close. */
export function useOverlayParent(): HTMLElement {
  return useSyncExternalStore(subscribe, overlayParent)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function notify(): void {
  for (const listener of listeners) listener()
}
