/** Buttons. An unavailable button stays focusable and shows the reason. */
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { showKeys } from './keys.ts'

type Native = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'disabled' | 'className'>

/** Also prevents an unavailable submit button from submitting. */
function preventActivation(event: React.MouseEvent): void {
  event.preventDefault()
}

interface ButtonProps extends Native {
  readonly kind?: 'primary' | 'danger' | 'ghost' | 'plain'
  readonly size?: 'sm' | 'lg'
  readonly icon?: IconName
  /** Shown after the label, e.g. `Mod+Enter`. */
  readonly keys?: string | undefined
  /** Why the button is unavailable. It then stays in the tab order and does nothing. */
  readonly disabledReason?: string | null | undefined
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
  readonly children?: ReactNode
}

export function Button({ kind, size, icon, keys, disabledReason, className, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={['btn', kind, size, className].filter(Boolean).join(' ')}
      aria-disabled={disabledReason ? true : undefined}
      data-tip={disabledReason ?? undefined}
      aria-description={disabledReason ?? undefined}
      onClick={disabledReason ? preventActivation : onClick}
    >
      {icon ? <Icon name={icon} {...(size === 'sm' ? { size: 's' as const } : {})} /> : null}
      {children}
      {keys ? <kbd>{showKeys(keys)}</kbd> : null}
    </button>
  )
}

interface IconButtonProps extends Native {
  readonly icon: IconName
  /** Accessible name and tooltip. */
  readonly label: string
  readonly keys?: string
  readonly size?: 'sm'
  readonly iconSize?: 's' | 'xs'
  readonly disabledReason?: string | null | undefined
  readonly className?: string
  readonly ref?: Ref<HTMLButtonElement>
}

export function IconButton({
  icon,
  label,
  keys,
  size,
  iconSize,
  disabledReason,
  className,
  onClick,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={['icon-btn', size, className].filter(Boolean).join(' ')}
      aria-label={label}
      aria-disabled={disabledReason ? true : undefined}
      aria-description={disabledReason ?? undefined}
      data-tip={disabledReason ? `${label}: ${disabledReason}` : label}
      data-tip-keys={keys ? showKeys(keys) : undefined}
      onClick={disabledReason ? preventActivation : onClick}
    >
      <Icon name={icon} {...(iconSize ? { size: iconSize } : {})} />
    </button>
  )
}
