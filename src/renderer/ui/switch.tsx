/** A switch: a checkbox that says that it is on. Other attributes name and describe it. */
import type { InputHTMLAttributes } from 'react'

interface SwitchProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange'> {
  readonly on: boolean
  readonly onChange: (on: boolean) => void
}

export function Switch({ on, onChange, ...rest }: SwitchProps) {
  return (
    <input
      type="checkbox"
      role="switch"
      className="switch"
      checked={on}
      aria-checked={on}
      onChange={(event) => onChange(event.target.checked)}
      {...rest}
    />
  )
}
