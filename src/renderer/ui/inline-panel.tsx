/** A panel below the row that opened it. It takes the focus, Escape closes it, and errors come first. */
import { type ReactNode, useEffect, useRef } from 'react'

interface InlinePanelProps {
  readonly label: string
  /** Aligned with rows that have no icon. */
  readonly flush?: boolean
  /** Do not take the focus: the panel was not opened by a button. */
  readonly keepFocus?: boolean
  /** The content is loading. */
  readonly busy?: boolean
  readonly problem: string | null
  /** Must return the focus to the opener. */
  readonly onClose: () => void
  readonly children: ReactNode
}

export function InlinePanel({ label, flush, keepFocus, busy, problem, onClose, children }: InlinePanelProps) {
  const box = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus moves once, when the panel opens.
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
        // Canceled, or the browser would close the dialog around the panel, too.
        event.preventDefault()
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
