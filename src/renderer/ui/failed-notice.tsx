/** An error message with a Retry button. */
import { Button } from './button.tsx'

interface FailedNoticeProps {
  readonly error: { readonly message: string }
  readonly className?: string
  readonly onRetry: () => void
}

export function FailedNotice({ error, className, onRetry }: FailedNoticeProps) {
  return (
    <div className={className ? `notice ${className}` : 'notice'} data-tone="warn" role="alert">
      <span className="grow">{error.message}</span>
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    </div>
  )
}
