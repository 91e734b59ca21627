/** Notices below the entry bar: limits of the run's recording that matter before restoring it. */
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { runNotices } from '../../../contract/words/run-notices.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useNow } from '../../ui/use-now.ts'

interface RunNoticesProps {
  readonly run: RunEntry
  readonly detail: EntryDetail | null
  readonly status: WorkspaceStatus | null
}

export function RunNotices({ run, detail, status }: RunNoticesProps) {
  // An agent that has been silent for a while is a notice.
  const now = useNow(run.state === 'live')
  return runNotices(run, detail, status, now).map(({ icon, tone, text, command }) => (
    <div className={tone === 'warn' ? 'notice warn' : 'notice'} key={text}>
      <Icon name={icon} />
      <span className="grow">{text}</span>
      {command ? <CopyButton label="Copy resume command" text={command} /> : null}
    </div>
  ))
}
