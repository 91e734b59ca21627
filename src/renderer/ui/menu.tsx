/** Menus: arrows move, letters jump, Escape closes; unavailable items show the reason. */
import { type ReactNode, useRef, useState } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { showKeys } from './keys.ts'
import { Popover } from './popover.tsx'
import { useListKeys } from './use-list-keys.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly keys?: string
  /** A second line. */
  readonly about?: string
  /** Why the item is unavailable. */
  readonly disabled?: string | null | undefined
  /** Present on radio items. */
  readonly checked?: boolean
  readonly run: () => void
}
/** The title of the items that follow. */
interface MenuHeading {
  readonly heading: string
  readonly about?: string
}
export type MenuEntry = MenuItem | MenuHeading | 'separator'

const isItem = (entry: MenuEntry): entry is MenuItem => entry !== 'separator' && 'run' in entry

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuEntry[]
  /** The element below which the menu opens, or a point as an empty rectangle. */
  readonly anchor: DOMRect
  readonly align?: 'left' | 'right'
  readonly onClose: () => void
}

export function Menu({ label, items, anchor, align = 'left', onClose }: MenuProps) {
  const [at, setAt] = useState(-1)
  const buttons = useRef<(HTMLButtonElement | null)[]>([])
  const rows = items.filter(isItem)
  const onListKey = useListKeys({
    list: { length: rows.length, textOf: (index) => rows[index]?.label ?? '', wraps: true },
    at,
    letters: false,
    onMove: (to) => buttons.current[to]?.focus()
  })
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    event.stopPropagation()
    onListKey(event)
    if (event.key !== 'Tab') return
    event.preventDefault()
    onClose()
  }
  return (
    <Popover
      role="menu"
      aria-label={label}
      className="menu"
      anchor={anchor}
      align={align}
      initialFocus={['[aria-checked="true"]', '.mi']}
      onKeyDown={onKeyDown}
      onClose={onClose}
    >
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity of their own.
          <hr className="sep" key={`separator-${index}`} />
        ) : 'heading' in item ? (
          <div className="mi-heading" key={`heading-${item.heading}`}>
            {item.heading}
            {item.about ? <span className="mi-why">{item.about}</span> : null}
          </div>
        ) : (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: checked is present on menuitemradio only.
          <button
            type="button"
            className="mi"
            key={item.id}
            ref={(button) => {
              buttons.current[rows.indexOf(item)] = button
            }}
            onFocus={() => setAt(rows.indexOf(item))}
            role={item.checked === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={item.checked}
            aria-disabled={item.disabled ? true : undefined}
            tabIndex={-1}
            onClick={() => {
              if (item.disabled) return
              onClose()
              item.run()
            }}
          >
            {item.icon ? <Icon name={item.icon} /> : null}
            {item.checked === undefined ? null : <Icon name="check" className={item.checked ? '' : 'blank-icon'} />}
            <span className="mi-label">
              {item.label}
              {item.about ? <span className="mi-why">{item.about}</span> : null}
              {item.disabled ? <span className="mi-why">{item.disabled}</span> : null}
            </span>
            {item.keys ? <kbd>{showKeys(item.keys)}</kbd> : null}
          </button>
        )
      )}
    </Popover>
  )
}

interface MenuButtonProps {
  readonly label: string
  /** A function is called while the menu is open. */
  readonly items: readonly MenuEntry[] | (() => readonly MenuEntry[])
  readonly className?: string
  readonly tone?: string | undefined
  readonly align?: 'left' | 'right'
  /** Content of the button. */
  readonly children: ReactNode
  readonly named?: boolean
  /** The entries stay what they were when the menu was opened, for a list that grows by itself. */
  readonly steady?: boolean
}

/** A button that opens a menu below itself. `named`: its visible text is the accessible name, else `label` is. */
export function MenuButton({
  label,
  items,
  className = 'icon-btn',
  tone,
  align = 'left',
  named,
  steady = false,
  children
}: MenuButtonProps) {
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  const shown = useRef(items)
  if (!steady || anchor === null) shown.current = items
  const entries = shown.current
  return (
    <>
      <button
        type="button"
        className={className}
        data-tone={tone}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={named ? undefined : label}
        data-tip={named ? undefined : label}
        onClick={() => setAnchor(button.current?.getBoundingClientRect() ?? null)}
      >
        {children}
      </button>
      {anchor ? (
        <Menu
          label={label}
          items={typeof entries === 'function' ? entries() : entries}
          anchor={anchor}
          align={align}
          onClose={() => setAnchor(null)}
        />
      ) : null}
    </>
  )
}
