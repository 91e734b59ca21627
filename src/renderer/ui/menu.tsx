/** Menus: arrows move, letters jump, Escape closes; unavailable items show the reason. */
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Icon, type IconName } from './icon.tsx'
import { showKeys } from './keys.ts'
import { overlayRoot } from './overlay-root.ts'

export interface MenuItem {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  readonly keys?: string
  /** Why the item is unavailable. */
  readonly disabled?: string | null | undefined
  /** Present on radio items. */
  readonly checked?: boolean
  readonly run: () => void
}
export type MenuEntry = MenuItem | 'separator'

interface MenuProps {
  readonly label: string
  readonly items: readonly MenuEntry[]
  /** The element below which the menu opens, or a point as an empty rectangle. */
  readonly anchor: DOMRect
  readonly align?: 'left' | 'right'
  readonly onClose: () => void
}

export function Menu({ label, items, anchor, align = 'left', onClose }: MenuProps) {
  const box = useRef<HTMLDivElement>(null)

  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const opener = document.activeElement instanceof HTMLElement ? document.activeElement : null
    const { width, height } = element.getBoundingClientRect()
    const left = align === 'right' ? anchor.right - width : anchor.left
    const below = anchor.bottom + 4
    element.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
    element.style.top = `${below + height > innerHeight - 8 ? Math.max(8, anchor.top - height - 4) : below}px`
    ;(element.querySelector<HTMLElement>('[aria-checked="true"]') ?? element.querySelector<HTMLElement>('.mi'))?.focus()
    return () => opener?.focus()
  }, [anchor, align])

  useEffect(() => {
    const away = (event: PointerEvent) => {
      if (event.target instanceof Node && !box.current?.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', away, true)
    return () => document.removeEventListener('pointerdown', away, true)
  }, [onClose])

  const move = (event: React.KeyboardEvent) => {
    const all = [...(box.current?.querySelectorAll<HTMLElement>('.mi') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const to = (index: number) => {
      event.preventDefault()
      all[(index + all.length) % all.length]?.focus()
    }
    event.stopPropagation()
    if (event.key === 'ArrowDown') to(at + 1)
    else if (event.key === 'ArrowUp') to(at - 1)
    else if (event.key === 'Home') to(0)
    else if (event.key === 'End') to(all.length - 1)
    else if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      onClose()
    } else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLowerCase()
      const next = [...all.slice(at + 1), ...all.slice(0, at + 1)].find((item) =>
        item.textContent?.toLowerCase().startsWith(letter)
      )
      next?.focus()
    }
  }

  return createPortal(
    <div className="pop menu" role="menu" aria-label={label} ref={box} onKeyDown={move}>
      {items.map((item, index) =>
        item === 'separator' ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: separators have no identity of their own.
          <hr className="sep" key={`separator-${index}`} />
        ) : (
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: checked is present on menuitemradio only.
          <button
            type="button"
            className="mi"
            key={item.id}
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
              {item.disabled ? <span className="mi-why">{item.disabled}</span> : null}
            </span>
            {item.keys ? <kbd>{showKeys(item.keys)}</kbd> : null}
          </button>
        )
      )}
    </div>,
    overlayRoot()
  )
}

interface MenuButtonProps {
  readonly label: string
  readonly items: readonly MenuEntry[]
  readonly className?: string
  readonly align?: 'left' | 'right'
  /** Content of the button. */
  readonly children: ReactNode
  readonly named?: boolean
}

/** A button that opens a menu below itself. `named`: its visible text is the accessible name, else `label` is. */
export function MenuButton({ label, items, className = 'icon-btn', align = 'left', named, children }: MenuButtonProps) {
  const [anchor, setAnchor] = useState<DOMRect | null>(null)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        type="button"
        className={className}
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
        <Menu label={label} items={items} anchor={anchor} align={align} onClose={() => setAnchor(null)} />
      ) : null}
    </>
  )
}
