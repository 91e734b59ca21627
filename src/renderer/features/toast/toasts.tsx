/**
 * Short messages at the bottom of the diff. A toast with an action stays 12 s, and longer while it has pointer or focus,
 * unless a person chooses something else meanwhile. The action is always available elsewhere, too.
 */
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Button, IconButton } from '../../ui/button.tsx'
import { useOverlayParent } from '../../ui/dialog.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'

export interface Toast {
  /** A newer toast with the same id replaces the older one. */
  readonly id: string
  readonly icon: IconName
  readonly text: string
  readonly action?: ToastAction
  /** Before `action`. */
  readonly second?: ToastAction | undefined
}

interface ToastAction {
  readonly label: string
  readonly keys?: string
  readonly run: () => void
}

export interface Toasts {
  show(toast: Toast): void
  hide(id: string): void
}

const Context = createContext<Toasts | null>(null)
const WITH_ACTION_MS = 12_000
const PLAIN_MS = 6000
/** What a person chooses from: a toast is about what was chosen before. */
const CHOICES = '[role="tree"], [role="tablist"], [role="listbox"], dialog'

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const parent = useOverlayParent()
  const [toasts, setToasts] = useState<readonly (Toast & { readonly shownAt: number })[]>([])
  const [api] = useState<Toasts>(() => ({
    show: (toast) =>
      setToasts((all) => [...all.filter(({ id }) => id !== toast.id).slice(-2), { ...toast, shownAt: Date.now() }]),
    hide: (id) => setToasts((all) => all.filter((toast) => toast.id !== id))
  }))
  useEffect(() => {
    const choose = (event: Event) => {
      if (!(event.target instanceof Element) || !event.target.closest(CHOICES) || isShortcut(event)) return
      setToasts((all) => (all.length === 0 ? all : []))
    }
    // Before the choice is handled: what it shows stays.
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerdown', choose, { capture: true, signal })
    document.addEventListener('keydown', choose, { capture: true, signal })
    return () => listening.abort()
  }, [])
  return (
    <Context value={api}>
      {children}
      {createPortal(
        <div className="toasts" role="status">
          {toasts.map((toast) => (
            <ToastView key={toast.id + toast.shownAt} toast={toast} onHide={() => api.hide(toast.id)} />
          ))}
        </div>,
        parent
      )}
    </Context>
  )
}

export function useToasts(): Toasts {
  const toasts = useContext(Context)
  if (!toasts) throw new Error('useToasts needs a ToastProvider above it')
  return toasts
}

/** A modifier alone or with a key is a command, such as undo, which may be about the toast. */
function isShortcut(event: Event): boolean {
  if (!(event instanceof KeyboardEvent)) return false
  return event.ctrlKey || event.metaKey || event.altKey || event.key === 'Tab' || event.key === 'Shift'
}

function ToastView({ toast, onHide }: { readonly toast: Toast; readonly onHide: () => void }) {
  const [held, setHeld] = useState(false)
  const hide = useRef(onHide)
  hide.current = onHide
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => hide.current(), toast.action ? WITH_ACTION_MS : PLAIN_MS)
    return () => clearTimeout(timer)
  }, [held, toast.action])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only pauses the timer while the pointer or focus is here.
    <div
      className="toast"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon name={toast.icon} />
      <span>{toast.text}</span>
      {toast.second ? (
        <Button
          size="sm"
          className="toast-action"
          onClick={() => {
            onHide()
            toast.second?.run()
          }}
        >
          {toast.second.label}
        </Button>
      ) : null}
      {toast.action ? (
        <Button
          size="sm"
          className="toast-action"
          {...(toast.action.keys ? { keys: toast.action.keys } : {})}
          onClick={() => {
            onHide()
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </Button>
      ) : null}
      <IconButton className="toast-close" icon="x" iconSize="s" size="sm" label="Dismiss" onClick={onHide} />
    </div>
  )
}
