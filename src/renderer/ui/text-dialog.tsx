/** Asks for one line of text. */
import { type ReactNode, useState } from 'react'
import { Ask } from './ask.tsx'

interface TextDialogProps {
  readonly title: string
  readonly text: ReactNode
  readonly label: string
  readonly placeholder?: string
  readonly act: string
  readonly danger?: boolean
  readonly initial?: string
  /** Why an answer cannot be taken, null when it can. */
  readonly whyNot: (value: string) => string | null
  readonly problem?: string | null
  /** The answer without white space around it. */
  readonly onAct: (value: string) => void
  readonly onClose: () => void
}

export function TextDialog(props: TextDialogProps) {
  const [typed, setTyped] = useState(props.initial ?? '')
  const value = typed.trim()
  return (
    <Ask
      title={props.title}
      act={props.act}
      danger={props.danger}
      role={props.danger ? 'alertdialog' : 'dialog'}
      disabledReason={props.whyNot(value)}
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
      onAct={() => props.onAct(value)}
      onClose={props.onClose}
    >
      <p>{props.text}</p>
    </Ask>
  )
}

/** For `whyNot`: any answer but none. */
export function unlessEmpty(value: string): string | null {
  return value === '' ? 'type something first' : null
}
