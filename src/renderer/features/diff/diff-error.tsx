/** Shown instead of a diff that failed to load: the error, that the file is safe, and Retry. */
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
      <h3>Couldn’t show this file.</h3>
      <p>{error} The file on disk is unchanged.</p>
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
