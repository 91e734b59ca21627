/** A panel in the page, below what it is about: it takes the focus, Escape closes it, and what went wrong stands first. */
import { type ReactNode, useEffect, useRef } from 'react'

interface InlinePanelProps {
  readonly label: string
  /** It stands below rows without an icon, and begins where they do. */
  readonly flush?: boolean
  /** It came by itself, not by a press: the focus stays where the person works. */
  readonly keepFocus?: boolean
  /** What it shows is still on its way. */
  readonly busy?: boolean
  readonly problem: string | null
  /** Also gives the focus back to what opened the panel. */
  readonly onClose: () => void
  readonly children: ReactNode
}

export function InlinePanel({ label, flush, keepFocus, busy, problem, onClose, children }: InlinePanelProps) {
  const box = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, as the panel comes.
  useEffect(() => {
    if (!keepFocus) box.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section
      className={flush ? 'inline-panel flush' : 'inline-panel'}
      ref={box}
      tabIndex={-1}
      aria-label={label}
      aria-busy={busy}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      {problem ? (
        <p className="small c-danger" role="alert">
          {problem}
        </p>
      ) : null}
      {children}
    </section>
  )
}
