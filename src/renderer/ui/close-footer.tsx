/** The foot of a dialog that only tells: one button, which closes it. */
import { Button } from './button.tsx'

interface CloseFooterProps {
  /** "Close" when absent. */
  readonly label?: string
  /** Shown after the label, where keys are shown. */
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
