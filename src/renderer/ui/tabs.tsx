/** Tabs: one is shown, arrow keys go to the next, and each may say how many things it has. */
interface TabsProps<T extends string> {
  readonly label: string
  readonly tabs: readonly { readonly value: T; readonly label: string; readonly count?: number | null }[]
  readonly value: T
  readonly onChange: (value: T) => void
}

export function Tabs<T extends string>({ label, tabs, value, onChange }: TabsProps<T>) {
  const step = (by: number) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = tabs[(at + by + tabs.length) % tabs.length]
    if (!next) return
    onChange(next.value)
    // What a tab shows may bring these tabs anew, in another place.
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>(`[aria-label="${label}"] [data-tab="${next.value}"]`)?.focus()
    )
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
          data-tab={tab.value}
          aria-selected={tab.value === value}
          tabIndex={tab.value === value ? 0 : -1}
          onClick={() => onChange(tab.value)}
        >
          {tab.label} {tab.count == null ? null : <span className="n num">{tab.count.toLocaleString('en-US')}</span>}
        </button>
      ))}
    </div>
  )
}
