/** A confirmation: an explanation, Cancel, and a button that names the action. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface ConfirmDialogProps {
  readonly title: string
  readonly children: ReactNode
  /** Input that must be filled in; it takes the focus. */
  readonly field?: ReactNode
  /** Repeats the action, e.g. "Record it anyway". */
  readonly confirmLabel: string
  readonly danger?: boolean | undefined
  /** Why the action is unavailable, null if it is available. */
  readonly disabledReason?: string | null
  /** Why the action failed. */
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
