/** What a pane shows when it has no content: an icon, a title, an explanation, and actions. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface BlankProps {
  readonly icon?: IconName
  readonly title: string
  /** Something failed: the text is announced. */
  readonly alert?: boolean
  /** `main` where no other element of the screen is one. */
  readonly as?: 'main' | 'div'
  readonly className?: string
  readonly tabIndex?: number
  /** Paragraphs below the title. */
  readonly children?: ReactNode
  readonly actions?: readonly { readonly label: string; readonly kind?: 'ghost'; readonly run: () => void }[]
  /** Offered for copying as "Copy details". */
  readonly details?: string
}

export function Blank({ icon, title, alert = false, as: Element = 'div', className, tabIndex, ...rest }: BlankProps) {
  const { children, actions = [], details } = rest
  return (
    <Element
      className={className ? `blank ${className}` : 'blank'}
      role={alert ? 'alert' : undefined}
      tabIndex={tabIndex}
    >
      {icon ? <Icon name={icon} size="big" /> : null}
      <h3>{title}</h3>
      {children}
      {actions.length > 0 ? (
        <div className="row blank-actions">
          {actions.map(({ label, run, ...kind }) => (
            <Button key={label} size="sm" {...kind} onClick={run}>
              {label}
            </Button>
          ))}
          {details === undefined ? null : <CopyButton label="Copy details" text={details} kind="ghost" />}
        </div>
      ) : null}
    </Element>
  )
}

interface FailedBlankProps extends Pick<BlankProps, 'title' | 'as' | 'details'> {
  readonly text: string
  readonly onRetry: () => void
}

/** Content that could not be loaded or drawn. */
export function FailedBlank({ text, onRetry, ...rest }: FailedBlankProps) {
  return (
    <Blank icon="stop" alert actions={[{ label: 'Retry', run: onRetry }]} {...rest}>
      <p>{text}</p>
    </Blank>
  )
}
