/** Narrow windows and high zoom: one pane at a time. */
import type { Pane } from '../../commands/state.ts'

interface PaneTabsProps {
  /** What is selected has a conversation. */
  readonly conversation: boolean
  readonly tab: Pane
  readonly files: number | null
  readonly onTab: (tab: Pane) => void
}

const TABS: readonly { readonly value: Pane; readonly label: string }[] = [
  { value: 'timeline', label: 'Timeline' },
  { value: 'files', label: 'Files' },
  { value: 'conversation', label: 'Conversation' },
  { value: 'diff', label: 'Diff' }
]

export function PaneTabs({ conversation, tab, files, onTab }: PaneTabsProps) {
  const tabs = TABS.filter(({ value }) => value !== 'conversation' || conversation)
  return (
    <div className="bar pane-tabs">
      <div
        className="tabs"
        role="tablist"
        aria-label="Panes"
        onKeyDown={(event) => {
          const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
          if (by === 0) return
          const at = tabs.findIndex(({ value }) => value === tab)
          const next = tabs[(at + by + tabs.length) % tabs.length]
          if (!next) return
          event.preventDefault()
          onTab(next.value)
          event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.value}"]`)?.focus()
        }}
      >
        {tabs.map(({ value, label }) => (
          <button
            type="button"
            key={value}
            role="tab"
            data-tab={value}
            aria-selected={value === tab}
            tabIndex={value === tab ? 0 : -1}
            onClick={() => onTab(value)}
          >
            {label} {value === 'files' && files !== null ? <span className="n">{files}</span> : null}
          </button>
        ))}
      </div>
    </div>
  )
}
