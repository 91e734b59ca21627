/** Shown instead of the list: the error, no match, loading, or no changes. */
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'

interface FilesEmptyProps {
  readonly error: { readonly message: string } | null
  readonly loading: boolean
  readonly filter: string
  readonly isRun: boolean
  readonly onClear: () => void
}

export function FilesEmpty({ error, loading, filter, isRun, onClear }: FilesEmptyProps) {
  if (error) {
    return (
      <div className="blank" role="alert">
        <Icon name="stop" size="big" />
        <h3>Couldn’t load the changed files.</h3>
        <p>{error.message}</p>
        <div className="row">
          <Button size="sm" kind="ghost" onClick={() => void navigator.clipboard?.writeText(error.message)}>
            Copy details
          </Button>
        </div>
      </div>
    )
  }
  if (filter) {
    return (
      <div className="blank">
        <Icon name="search" size="big" />
        <h3>Nothing matches “{filter}”.</h3>
        <div className="row">
          <Button size="sm" onClick={onClear}>
            Clear filter
          </Button>
        </div>
      </div>
    )
  }
  if (loading) return <div className="blank late muted">Comparing…</div>
  return (
    <div className="blank">
      <Icon name="eye" size="big" />
      <h3>{isRun ? 'This run changed no files.' : 'No differences.'}</h3>
      <p>{isRun ? 'There is nothing to undo.' : 'Both sides are the same.'}</p>
    </div>
  )
}
