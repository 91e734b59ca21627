/** A small question before something that cannot be looked at first: a sentence, Cancel, and the act by its name. */
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

interface AskProps {
  readonly title: string
  readonly children: ReactNode
  /** The confirming button repeats the act, e.g. "Record it anyway". */
  readonly act: string
  readonly danger?: boolean
  readonly busy?: string | null
  readonly onAct: () => void
  readonly onClose: () => void
}

export function Ask({ title, children, act, danger, busy, onAct, onClose }: AskProps) {
  return (
    <Dialog labelledBy="ask-title" describedBy="ask-text" className="dialog ask" role="alertdialog" onClose={onClose}>
      <header>
        <h1 id="ask-title">{title}</h1>
      </header>
      <div className="ask-text" id="ask-text">
        {children}
      </div>
      <footer>
        <span className="grow" />
        <Button size="lg" onClick={onClose}>
          Cancel
        </Button>
        <Button size="lg" kind={danger ? 'danger' : 'primary'} disabledReason={busy} onClick={onAct}>
          {act}
        </Button>
      </footer>
    </Dialog>
  )
}
