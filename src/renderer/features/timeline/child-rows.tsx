/** The child rows of an open run: its plan, turns, tool calls, checkpoints, and its start. */
import type { ReactNode } from 'react'
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { agentIdentity } from '../../../contract/words/agents.ts'
import { checkpointCauseText, checkpointTitle } from '../../../contract/words/checkpoints.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { baseName, isOnePath } from '../../../contract/words/paths.ts'
import { sentReviewText } from '../../../contract/words/review.ts'
import { turnSentence } from '../../../contract/words/timeline.ts'
import { clock, clockInText } from '../../../contract/words/times.ts'
import { callLabel, callStatus, isWorking } from '../../../contract/words/tool-calls.ts'
import type { SelectableRow } from '../../model/timeline-rows.ts'
import { Icon } from '../../ui/icon.tsx'
import { CALL_ICONS, CallStatus } from '../conversation/tool-call.ts'

type ChildRow = Exclude<SelectableRow, { kind: 'entry' }>

/** Shown instead of the time for a checkpoint that can no longer be restored. */
const UNAVAILABLE: Partial<Readonly<Record<Checkpoint['status'], string>>> = { pruned: 'removed', broken: 'damaged' }

interface LineProps {
  readonly icon?: ReactNode
  readonly muted?: boolean
  readonly text: ReactNode
  /** The state at the right. */
  readonly end: ReactNode
}

function Line({ icon, muted = false, text, end }: LineProps) {
  return (
    <>
      {icon}
      <span className={muted ? 'ell grow muted' : 'ell grow'} dir="auto">
        {text}
      </span>
      {end}
    </>
  )
}

const end = (state: ReactNode, tone?: 'danger' | 'live') => (
  <span className="end" data-tone={tone}>
    {state}
  </span>
)
const chevron = (open: boolean) => <Icon name={open ? 'down' : 'right'} size="xs" />

export function ChildRowText({ row, root }: { readonly row: ChildRow; readonly root: string }) {
  switch (row.kind) {
    case 'start':
      return <Line muted text="Start of run" end={end(clock(row.run.at))} />
    case 'turn': {
      const { turn, run, calls, open } = row
      if (!turn) return <Line text="" end={end('')} />
      const working = turn.endedAt === null && run.state === 'live'
      const state = working ? <span className="c-live">now</span> : plural(turn.files, 'file')
      const expander = calls > 0 ? chevron(open) : null
      return (
        <Line
          text={turn.prompt || 'Turn without a prompt'}
          end={
            <span className="end">
              {state}
              {expander}
            </span>
          }
        />
      )
    }
    case 'call': {
      const { call } = row
      const { kind, verb, subject } = callLabel(call, root)
      const failed = call.state === 'failed' || call.state === 'abandoned'
      const live = isWorking(call)
      return (
        <Line
          icon={<Icon name={CALL_ICONS[kind]} size="s" className={live ? 'c-live' : 'muted'} />}
          text={
            <>
              <span className="muted">{verb}</span> <span className="mono cap">{shortenPath(subject)}</span>
            </>
          }
          end={end(<CallStatus call={call} />, failed ? 'danger' : live ? 'live' : undefined)}
        />
      )
    }
    case 'review': {
      const icon = <Icon name="chat" size="s" className="muted" />
      return <Line icon={icon} text={reviewText(row).short} end={end(clock(row.review.sentAt))} />
    }
    case 'plan': {
      const current = row.todos.find(({ status }) => status === 'in_progress')
      const icon = <Icon name="todo" size="s" className="muted" />
      return <Line icon={icon} text={current?.text ?? 'Plan'} end={end(planProgress(row))} />
    }
    case 'checkpoints':
      return <Line muted text={plural(row.count, 'checkpoint')} end={end(chevron(row.open))} />
    case 'checkpoint': {
      const { label, reason, files, status, at } = row.checkpoint
      const changed = files > 0 ? <i className="changed" /> : null
      const state = UNAVAILABLE[status] ?? clock(at)
      return (
        <Line
          muted
          text={checkpointTitle({ label, reason })}
          end={
            <span className="end">
              {changed}
              {state}
            </span>
          }
        />
      )
    }
  }
}

/** The row as one sentence for screen readers. */
export function childSentence(row: ChildRow, root: string, now: number): string {
  switch (row.kind) {
    case 'start':
      return `Start of run, ${clock(row.run.at)}.`
    case 'turn': {
      const calls = row.calls > 0 ? ` ${plural(row.calls, 'tool call')}.` : ''
      return turnSentence(row.turn, now) + calls
    }
    case 'call': {
      const { verb, subject } = callLabel(row.call, root)
      const state = isWorking(row.call) ? `working, ${callStatus(row.call, now)}` : callStatus(row.call, now)
      return `Tool call, ${[`${verb} ${subject}`.trim(), state].filter(Boolean).join(', ')}.`
    }
    case 'review':
      return `${reviewText(row).long}, ${clockInText(row.review.sentAt, now)}.`
    case 'plan':
      return `Plan, ${planProgress(row)} done.`
    case 'checkpoints':
      return `${plural(row.count, 'checkpoint')} of this run.`
    case 'checkpoint': {
      const { checkpoint } = row
      const files = checkpoint.files > 0 ? `${plural(checkpoint.files, 'file')} changed` : 'no changes'
      const cause = checkpointCauseText(checkpoint.cause)
      return `Checkpoint, ${checkpointTitle(checkpoint)}, ${clock(checkpoint.at)}, ${files}${cause && `, ${cause}`}.`
    }
  }
}

function reviewText({ review, run }: Extract<ChildRow, { kind: 'review' }>) {
  return sentReviewText(review.route, agentIdentity(run.agent).name)
}

function planProgress({ todos }: Extract<ChildRow, { kind: 'plan' }>): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length}`
}

/** Shortens a single path to its file name; the column is narrow. */
function shortenPath(subject: string): string {
  return isOnePath(subject) ? baseName(subject) : subject
}
