/** Shown instead of the timeline's rows: the error, no match, or nothing recorded yet. */

import type { WorkspaceStatus } from '../../../contract/status.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import type { Timeline } from './use-timeline.ts'

interface TimelineEmptyProps {
  readonly data: Timeline
  readonly filter: string
  readonly filtered: boolean
  readonly status: WorkspaceStatus | null
  readonly onClear: () => void
}

export function TimelineEmpty({ data, filter, filtered, status, onClear }: TimelineEmptyProps) {
  if (data.error && !data.pages) {
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
  if (!data.pages) return <div className="blank" aria-busy="true" />
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
