/** A dialog with one text field. */
import { type ReactNode, useState } from 'react'
import { ConfirmDialog } from './confirm-dialog.tsx'

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
