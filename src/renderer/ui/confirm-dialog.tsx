/** A confirmation: an explanation, Cancel, and a button that names the action. */
import { type ReactNode, useState } from 'react'
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

interface TextDialogProps {
  readonly title: string
  readonly text: ReactNode
  readonly label: string
  readonly placeholder?: string
  readonly confirmLabel: string
  readonly danger?: boolean
  readonly initial?: string
  /** Why the value is invalid, null if it is valid. */
  readonly invalidReason: (value: string) => string | null
  readonly problem?: string | null
  /** Called with the trimmed value. */
  readonly onConfirm: (value: string) => void
  readonly onClose: () => void
}

/** A dialog with one text field. */
export function TextDialog(props: TextDialogProps) {
  const [typed, setTyped] = useState(props.initial ?? '')
  const value = typed.trim()
  return (
    <ConfirmDialog
      title={props.title}
      confirmLabel={props.confirmLabel}
      danger={props.danger}
      role={props.danger ? 'alertdialog' : 'dialog'}
      disabledReason={props.invalidReason(value)}
      problem={props.problem}
      field={
        <div className="field question-field">
          <input
            aria-label={props.label}
            placeholder={props.placeholder}
            autoComplete="off"
            maxLength={500}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
          />
        </div>
      }
      onConfirm={() => props.onConfirm(value)}
      onClose={props.onClose}
    >
      <p>{props.text}</p>
    </ConfirmDialog>
  )
}

/** For `invalidReason`: any value except an empty one. */
export function requireText(value: string): string | null {
  return value === '' ? 'enter a value first' : null
}
