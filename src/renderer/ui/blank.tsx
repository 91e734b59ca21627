/** What a pane shows when it has no content: an icon, a sentence, and what can be done. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Icon, type IconName } from './icon.tsx'

interface BlankProps {
  readonly icon: IconName
  readonly title: ReactNode
  readonly text: ReactNode
  /** `main` where no other element of the screen is one. */
  readonly as?: 'main' | 'div'
  readonly role?: 'alert'
  /** Buttons. */
  readonly children?: ReactNode
}

export function Blank({ icon, title, text, as: Element = 'div', role, children }: BlankProps) {
  return (
    <Element className="blank" role={role}>
      <Icon name={icon} size="big" />
      <h3>{title}</h3>
      <p>{text}</p>
      {children ? <div className="row">{children}</div> : null}
    </Element>
  )
}

interface FailedBlankProps extends Pick<BlankProps, 'title' | 'text' | 'as'> {
  /** What "Copy details" copies. */
  readonly details: string
  readonly onRetry: () => void
}

/** Content that could not be loaded or drawn. */
export function FailedBlank({ details, onRetry, ...rest }: FailedBlankProps) {
  return (
    <Blank icon="stop" role="alert" {...rest}>
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
      <CopyButton label="Copy details" text={details} kind="ghost" />
    </Blank>
  )
}
