/** The foot of an informational dialog: one button that closes it. */
import { Button } from './button.tsx'

interface CloseFooterProps {
  /** "Close" when absent. */
  readonly label?: string
  /** Shown after the label. */
  readonly keys?: string
  readonly onClose: () => void
}

export function CloseFooter({ label, keys, onClose }: CloseFooterProps) {
  return (
    <footer>
      <span className="grow" />
      <Button size="lg" keys={keys} onClick={onClose}>
        {label ?? 'Close'}
      </Button>
    </footer>
  )
}
