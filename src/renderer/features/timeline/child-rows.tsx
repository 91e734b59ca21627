/** The child rows of an open run: its plan, turns, tool calls, checkpoints, and its start. */

import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { CHECKPOINT_REASONS, turnSentence } from '../../../contract/words/timeline.ts'
import { clock } from '../../../contract/words/times.ts'
import { callLabel, callStatus, isWorking } from '../../../contract/words/tool-calls.ts'
import { Icon } from '../../ui/icon.tsx'
import { CALL_ICONS } from '../conversation/call-icons.ts'
import { CallStatus } from '../conversation/call-status.tsx'
import type { SelectableRow } from './timeline-rows.ts'

export type ChildRow = Exclude<SelectableRow, { kind: 'entry' }>

/** Shown instead of the time for a checkpoint that can no longer be restored. */
const UNAVAILABLE: Partial<Readonly<Record<Checkpoint['status'], string>>> = { pruned: 'removed', broken: 'damaged' }

export function ChildRowText({ row, root }: { readonly row: ChildRow; readonly root: string }) {
  switch (row.kind) {
    case 'start':
      return (
        <>
          <span className="ell muted">Start of run</span>
          <span className="end">{clock(row.run.at)}</span>
        </>
      )
    case 'turn': {
      const { turn, run } = row
      const working = turn !== null && turn.endedAt === null && run.state === 'live'
      return (
        <>
          <span className="ell" dir="auto">
            {turn ? turn.prompt || 'Turn without a prompt' : ''}
          </span>
          <span className="end">
            {turn === null ? '' : working ? <span className="c-live">now</span> : plural(turn.files, 'file')}
            {row.calls > 0 ? <Icon name={row.open ? 'down' : 'right'} size="xs" /> : null}
          </span>
        </>
      )
    }
    case 'call': {
      const { call } = row
      const { kind, verb, subject } = callLabel(call, root)
      const failed = call.state === 'failed' || call.state === 'abandoned'
      return (
        <>
          <Icon name={CALL_ICONS[kind]} size="s" className={isWorking(call) ? 'c-live' : 'muted'} />
          <span className="ell">
            <span className="muted">{verb}</span> <span className="mono">{shortenPath(subject)}</span>
          </span>
          <span className={failed ? 'end c-danger' : isWorking(call) ? 'end c-live' : 'end'}>
            <CallStatus call={call} />
          </span>
        </>
      )
    }
    case 'plan': {
      const current = row.todos.find(({ status }) => status === 'in_progress')
      return (
        <>
          <Icon name="todo" size="s" className="muted" />
          <span className="ell" dir="auto">
            {current?.text ?? 'Plan'}
          </span>
          <span className="end">{planProgress(row)}</span>
        </>
      )
    }
    case 'checkpoints':
      return (
        <>
          <span className="ell muted">{plural(row.count, 'checkpoint')}</span>
          <span className="end">
            <Icon name={row.open ? 'down' : 'right'} size="xs" />
          </span>
        </>
      )
    case 'checkpoint': {
      const { checkpoint } = row
      return (
        <>
          <span className="ell muted">{checkpoint.label || CHECKPOINT_REASONS[checkpoint.reason]}</span>
          <span className="end">
            {checkpoint.files > 0 ? <i className="changed" /> : null}
            {UNAVAILABLE[checkpoint.status] ?? clock(checkpoint.at)}
          </span>
        </>
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
    case 'plan':
      return `Plan, ${planProgress(row)} done.`
    case 'checkpoints':
      return `${plural(row.count, 'checkpoint')} of this run.`
    case 'checkpoint': {
      const { checkpoint } = row
      const files = checkpoint.files > 0 ? `${plural(checkpoint.files, 'file')} changed` : 'no changes'
      const reason = checkpoint.why ? ` ${checkpoint.why}` : ''
      return `Checkpoint, ${checkpoint.label || CHECKPOINT_REASONS[checkpoint.reason]}, ${clock(checkpoint.at)}, ${files}.${reason}`
    }
  }
}

function planProgress({ todos }: Extract<ChildRow, { kind: 'plan' }>): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length}`
}

/** Shortens a single path to its file name; the column is narrow. */
function shortenPath(subject: string): string {
  return /^[^\s,]+\/[^\s,]+$/.test(subject) ? subject.slice(subject.lastIndexOf('/') + 1) : subject
}
