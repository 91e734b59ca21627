/** Where a diff would stand that could not be shown: what failed, what is safe, and how to go on. */
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface DiffErrorProps {
  readonly path: string
  readonly error: string
  readonly onRetry: () => void
}

export function DiffError({ path, error, onRetry }: DiffErrorProps) {
  return (
    <div className="blank" role="alert">
      <Icon name="stop" size="big" />
      <h3>This file could not be shown.</h3>
      <p>{error} The file on disk is untouched.</p>
      <div className="row">
        <Button size="sm" onClick={onRetry}>
          Retry
        </Button>
        <Button size="sm" kind="ghost" onClick={() => void navigator.clipboard?.writeText(`${path}\n${error}`)}>
          Copy details
        </Button>
      </div>
    </div>
  )
}
