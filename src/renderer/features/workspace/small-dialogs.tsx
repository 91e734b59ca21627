/** Small dialogs of the workspace: name a pin, find a moved folder, stop recording. */
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

interface TextDialogProps {
  readonly title: string
  readonly text: string
  readonly label: string
  readonly placeholder: string
  readonly act: string
  readonly initial?: string
  /** An empty answer is fine. */
  readonly optional?: boolean
  readonly error?: string | null
  readonly onAct: (value: string) => void
  readonly onClose: () => void
}

/** Asks for one line of text. */
export function TextDialog(props: TextDialogProps) {
  const [value, setValue] = useState(props.initial ?? '')
  const missing = !props.optional && value.trim() === ''
  return (
    <Dialog
      labelledBy="text-title"
      describedBy="text-about"
      className="dialog ask"
      initialFocus="input"
      onClose={props.onClose}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (!missing) props.onAct(value.trim())
        }}
      >
        <header>
          <h1 id="text-title">{props.title}</h1>
        </header>
        <div className="ask-text">
          <p id="text-about">{props.text}</p>
          <div className="field ask-field">
            <input
              aria-label={props.label}
              placeholder={props.placeholder}
              value={value}
              maxLength={500}
              onChange={(event) => setValue(event.target.value)}
            />
          </div>
          {props.error ? (
            <p className="c-danger" role="alert">
              {props.error}
            </p>
          ) : null}
        </div>
        <footer>
          <span className="grow" />
          <Button size="lg" onClick={props.onClose}>
            Cancel
          </Button>
          <Button size="lg" kind="primary" type="submit" disabledReason={missing ? 'type something first' : null}>
            {props.act}
          </Button>
        </footer>
      </form>
    </Dialog>
  )
}
