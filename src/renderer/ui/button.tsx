/** Buttons. An unavailable button stays focusable and shows the reason. */
import type { ButtonHTMLAttributes, MouseEvent, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { showKeys } from './keys.ts'

interface CommonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'> {
  /** Shown after the label or in the tooltip, e.g. `Mod+Enter`. */
  readonly keys?: string | undefined
  /** Why the button is unavailable. It then stays in the tab order and does nothing. */
  readonly disabledReason?: string | null | undefined
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
}

interface ButtonProps extends CommonProps {
  readonly kind?: 'primary' | 'danger' | 'ghost' | 'plain' | undefined
  readonly size?: 'sm' | 'lg'
  readonly icon?: IconName
  readonly children?: ReactNode
}

export function Button({ kind, size, icon, keys, disabledReason, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...unavailable(disabledReason)}
      className={['btn', kind, size, className].filter(Boolean).join(' ')}
    >
      {icon ? <Icon name={icon} size={size === 'sm' ? 's' : undefined} /> : null}
      {children}
      {keys ? <kbd>{showKeys(keys)}</kbd> : null}
    </button>
  )
}

interface IconButtonProps extends CommonProps {
  readonly icon: IconName
  /** Accessible name and tooltip. */
  readonly label: string
  readonly size?: 'sm'
  readonly iconSize?: 's' | 'xs'
}

export function IconButton({ icon, label, keys, size, iconSize, disabledReason, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      {...unavailable(disabledReason)}
      className={['icon-btn', size, className].filter(Boolean).join(' ')}
      aria-label={label}
      data-tip={disabledReason ? `${label}: ${disabledReason}` : label}
      data-tip-keys={keys ? showKeys(keys) : undefined}
    >
      <Icon name={icon} size={iconSize} />
    </button>
  )
}

/** Canceled, so that an unavailable submit button does not submit. */
function unavailable(reason: string | null | undefined) {
  if (!reason) return {}
  const onClick = (event: MouseEvent) => event.preventDefault()
  return { 'aria-disabled': true, 'aria-description': reason, 'data-tip': reason, onClick }
}
