/** The banner of a run that was stopped because it deleted many files. Pure. */
import type { StoppedRun } from '../../../contract/brake.ts'
import { deletionText, stoppedText } from '../../../contract/words/brake.ts'
import { type Banner, type BannerAction, banner } from './banner-parts.ts'

/** [BR-1] */
export function stoppedRun(stopped: StoppedRun): Banner {
  const { run, live } = stopped
  const decide = (decision: 'restore' | 'release' | 'end'): BannerAction => ({ do: 'brake', run, decision })
  return banner({
    key: `stopped-${run}`,
    tone: 'danger',
    icon: 'stop',
    lead: `${deletionText(stopped)}.`,
    rest: ` ${stoppedText(stopped)}`,
    detail: 'Everything it deleted is stored. A restore can be undone.',
    actions: live
      ? [
          { label: 'Restore and continue', action: decide('restore') },
          { label: 'Let it continue', action: decide('release') },
          { label: 'End it', action: decide('end') }
        ]
      : [
          { label: 'Restore', action: decide('restore') },
          { label: 'Leave deleted', action: decide('release') },
          { label: 'Review', action: { do: 'review', entry: run } }
        ]
  })
}
