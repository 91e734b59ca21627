/** A small question before something that cannot be looked at first: a sentence, Cancel, and the act by its name. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** What has to be filled in first; it takes the focus. */
  readonly field?: ReactNode
  /** The confirming button repeats the act, e.g. "Record it anyway". */
  readonly confirmLabel: string
  readonly danger?: boolean | undefined
  /** Why the act cannot be done now, null when it can. */
  readonly disabledReason?: string | null
  /** Why it was not done. */
  readonly problem?: string | null | undefined
  readonly role?: 'dialog' | 'alertdialog'
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, field, confirmLabel, danger, disabledReason, problem, role, onConfirm, onClose } = props
  return (
    <Dialog
      labelledBy="ask-title"
      describedBy="ask-text"
      className="dialog question"
      role={role ?? 'alertdialog'}
      {...(field ? { initialFocus: 'input' } : {})}
      onClose={onClose}
    >
      <form
        className="dialog-frame"
        onSubmit={(event) => {
          event.preventDefault()
          if (!disabledReason) onConfirm()
        }}
      >
        <header>
          <h1 id="ask-title">{title}</h1>
        </header>
        <div className="question-text">
          <div id="ask-text">{children}</div>
          {field}
          {problem ? (
            <p className="c-danger" role="alert">
              {problem}
            </p>
          ) : null}
        </div>
        <footer>
          <span className="grow" />
          <Button size="lg" onClick={onClose}>
            Cancel
          </Button>
          <Button size="lg" kind={danger ? 'danger' : 'primary'} type="submit" disabledReason={disabledReason}>
            {confirmLabel}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
