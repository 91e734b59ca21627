/** One setting: title, description, and its control at the right. */
import type { ReactNode } from 'react'

interface SettingRowProps {
  readonly title: string
  /** For the control's `aria-labelledby`. */
  readonly id?: string
  readonly children?: ReactNode
  /** The control. */
  readonly control?: ReactNode
}

export function SettingRow({ title, id, children, control }: SettingRowProps) {
  return (
    <div className="setting">
      <div className="grow">
        <p className="n" id={id}>
          {title}
        </p>
        {children ? <div className="d">{children}</div> : null}
      </div>
      {control}
    </div>
  )
}

interface SwitchRowProps {
  readonly title: string
  readonly id: string
  readonly on: boolean
  readonly onChange: (on: boolean) => void
  readonly children?: ReactNode
}

export function SwitchRow({ title, id, on, onChange, children }: SwitchRowProps) {
  return (
    <label className="setting" htmlFor={id}>
      <span className="grow">
        <span className="n">{title}</span>
        {children ? (
          <span className="d" id={`${id}-about`}>
            {children}
          </span>
        ) : null}
      </span>
      <input
        type="checkbox"
        role="switch"
        className="switch"
        id={id}
        checked={on}
        aria-checked={on}
        aria-label={title}
        aria-describedby={children ? `${id}-about` : undefined}
        onChange={(event) => onChange(event.target.checked)}
      />
    </label>
  )
}
