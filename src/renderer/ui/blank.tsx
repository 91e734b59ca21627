/** What a pane shows when it has no content: an icon, a title, an explanation, and actions. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface BlankProps {
  readonly icon?: IconName
  readonly title: string
  /** Something failed: the text is announced. */
  readonly alert?: boolean
  readonly className?: string
  /** Paragraphs below the title. */
  readonly children?: ReactNode
  readonly actions?: readonly { readonly label: string; readonly kind?: 'ghost'; readonly run: () => void }[]
}

export function Blank({ icon, title, alert = false, className, children, actions = [] }: BlankProps) {
  return (
    <div className={className ? `blank ${className}` : 'blank'} role={alert ? 'alert' : undefined}>
      {icon ? <Icon name={icon} size="big" /> : null}
      <h3>{title}</h3>
      {children}
      {actions.length > 0 ? (
        <div className="row">
          {actions.map(({ label, run, ...kind }) => (
            <Button key={label} size="sm" {...kind} onClick={run}>
              {label}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  )
}
