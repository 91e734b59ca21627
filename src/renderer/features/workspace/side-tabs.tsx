/** Files or conversation: the two things the pane between timeline and diff can show of a run. */
import type { Side } from './layout.ts'

interface SideTabsProps {
  readonly side: Side
  readonly files: number | null
  readonly onSide: (side: Side) => void
}

const SIDES: readonly { readonly value: Side; readonly label: string }[] = [
  { value: 'files', label: 'Files' },
  { value: 'conversation', label: 'Conversation' }
]

export function SideTabs({ side, files, onSide }: SideTabsProps) {
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label="Files or conversation"
      onKeyDown={(event) => {
        if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
        event.preventDefault()
        const next = side === 'files' ? 'conversation' : 'files'
        onSide(next)
        // The other pane brings tabs of its own.
        requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-side="${next}"]`)?.focus())
      }}
    >
      {SIDES.map(({ value, label }) => (
        <button
          type="button"
          key={value}
          role="tab"
          data-side={value}
          aria-selected={value === side}
          tabIndex={value === side ? 0 : -1}
          onClick={() => onSide(value)}
        >
          {label}
          {value === 'files' && files !== null ? <span className="n num">{files.toLocaleString('en-US')}</span> : null}
        </button>
      ))}
    </div>
  )
}
