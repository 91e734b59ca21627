/** Shown instead of the timeline's rows: the error, no match, or nothing recorded yet. */

import { plural } from '../../../contract/words/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useWorkspaceState } from '../workspace/state/context.tsx'

export function TimelineEmpty({ onClear }: { readonly onClear: () => void }) {
  const data = useWorkspaceState((state) => state.timeline)
  const filter = useWorkspaceState((state) => state.filter.text)
  const filtered = useWorkspaceState((state) => state.filter.text !== '' || state.filter.kinds !== 'all')
  const status = useWorkspaceState((state) => state.status)
  if (data?.error && !data.pages) {
    return (
      <div className="blank" role="alert">
        <Icon name="stop" size="big" />
        <h3>Couldn’t load the timeline.</h3>
        <p>{data.error.message}</p>
        <div className="row">
          <Button size="sm" onClick={data.retry}>
            Retry
          </Button>
          <Button
            size="sm"
            kind="ghost"
            onClick={() => void navigator.clipboard?.writeText(JSON.stringify(data.error, null, 2))}
          >
            Copy details
          </Button>
        </div>
      </div>
    )
  }
  if (!data?.pages) return <div className="blank" aria-busy="true" />
  if (filtered) {
    return (
      <div className="blank">
        <Icon name="search" size="big" />
        <h3>{filter ? `Nothing matches “${filter}”.` : 'No entries of this kind yet.'}</h3>
        <p>The filter searches titles, prompts and agents in this folder.</p>
        <div className="row">
          <Button size="sm" onClick={onClear}>
            {filter ? 'Clear filter' : 'Show everything'}
          </Button>
        </div>
      </div>
    )
  }
  return (
    <div className="blank">
      <Icon name="history" size="big" />
      <h3>No runs recorded yet</h3>
      <p>
        {status
          ? `${plural(status.covered.files, 'file')} protected. Runs will appear here.`
          : 'Runs will appear here.'}
      </p>
    </div>
  )
}
