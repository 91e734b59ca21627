/** A tab list with arrow keys. Focus follows the selected tab. */
import { type RefObject, useLayoutEffect, useRef } from 'react'
import { formatNumber as formatCount } from '../../contract/words/numbers.ts'

interface TabsProps<T extends string> {
  readonly label: string
  readonly tabs: readonly { readonly value: T; readonly label: string; readonly count?: number | null }[]
  readonly value: T
  readonly onChange: (value: T) => void
  /**
   * Holds the tab to focus after it was chosen. Needed from the caller if another tab is drawn in another place, because
   * this component is then unmounted before the new one can take the focus.
   */
  readonly focusTarget?: RefObject<T | null>
}

export function Tabs<T extends string>({ label, tabs, value, onChange, focusTarget }: TabsProps<T>) {
  const ownTarget = useRef<T | null>(null)
  const target = focusTarget ?? ownTarget
  const selected = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (target.current !== value) return
    target.current = null
    selected.current?.focus()
  }, [target, value])

  const choose = (next: T) => {
    target.current = next
    // If no tab list is drawn for the new value, a later one must not take the focus.
    requestAnimationFrame(() => {
      target.current = null
    })
    onChange(next)
  }
  const step = (by: number) => {
    const index = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(index + by + tabs.length) % tabs.length]
    if (next) choose(next.value)
  }
  return (
    <div
      className="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
        if (by === 0) return
        event.preventDefault()
        step(by)
      }}
    >
      {tabs.map((tab) => (
        <button
          type="button"
          key={tab.value}
          role="tab"
          ref={tab.value === value ? selected : undefined}
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => choose(tab.value)}
        >
          {tab.label} {tab.count == null ? null : <span className="tabs-count num">{formatCount(tab.count)}</span>}
        </button>
      ))}
    </div>
  )
}
