/**
 * Below the title of a run: limits of its recording that matter before restoring it, what it did to git, and its findings.
 * Side by side where there is room for that, each cut to one line until a person asks for the whole.
 */
import { Fragment, useRef } from 'react'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import type { EntryDetail, RunEntry } from '../../../contract/timeline.ts'
import { runNotices } from '../../../contract/words/run-notices.ts'
import { useWorkspaceState } from '../../state/open-workspace.tsx'
import { IconButton } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useFold } from '../../ui/use-fold.ts'
import { useKeptRoom } from '../../ui/use-kept-room.ts'
import { useNow } from '../../ui/use-now.ts'
import { FindingsBar } from '../review/findings-bar.tsx'
import { RunGit } from './run-git.tsx'

interface RunBarsProps {
  readonly run: RunEntry
  readonly detail: EntryDetail | null
  readonly status: WorkspaceStatus | null
}

export function RunBars({ run, detail, status }: RunBarsProps) {
  const parts = useRef<HTMLDivElement>(null)
  const fold = useFold(parts, run.id, '.run-part')
  return (
    <div className="run-bars" data-open={fold.isOpen || undefined}>
      <div className="run-parts" ref={parts}>
        <RunNotices run={run} detail={detail} status={status} />
        <RunGit run={run} />
        <FindingsBar run={run} />
      </div>
      {fold.isCut ? (
        <IconButton
          size="sm"
          iconSize="s"
          className="run-fold"
          icon={fold.isOpen ? 'aup' : 'down'}
          label={fold.isOpen ? 'Show less about this run' : 'Show all about this run'}
          aria-expanded={fold.isOpen}
          onClick={fold.toggle}
        />
      ) : null}
    </div>
  )
}

function RunNotices({ run, detail, status }: RunBarsProps) {
  // An agent that has been silent for a while is a notice.
  const now = useNow(run.state === 'live' ? 'second' : 'minute')
  const inBanner = useWorkspaceState(({ noticedRun }) => noticedRun === run.id)
  const notices = runNotices(run, detail, status, now, inBanner)
  const lead = notices.find(({ tone }) => tone === 'warn') ?? notices[0]
  const command = notices.find((notice) => notice.command)?.command
  // Of a folded run nothing more is loaded.
  const isFolded = useWorkspaceState(({ open: shown }) => shown?.run === run.id && shown.folded)
  const hasRoom = useKeptRoom(lead ? true : isFolded || detail?.entry.id === run.id ? false : null)
  if (!hasRoom) return null
  if (!lead) return <div className="notice" />
  return (
    <section className="notice" data-tone={lead.tone} aria-label="About this run">
      <Icon name={lead.icon} />
      <span className="run-part grow">
        {notices.map(({ text }, i) => (
          <Fragment key={text}>
            {i > 0 ? ' ' : null}
            <span>{text}</span>
          </Fragment>
        ))}
      </span>
      {command ? <CopyButton label="Copy resume command" text={command} /> : null}
    </section>
  )
}
