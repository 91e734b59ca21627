/** Rows below an open run: its plan, turns, tool calls and checkpoints, and where it began. */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import { clock, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { callEnd, callLook, isWorking } from '../conversation/call-words.ts'
import type { NodeRow } from './rows.ts'
import { REASONS, turnSentence } from './sentences.ts'

export type ChildRow = Exclude<NodeRow, { kind: 'entry' }>

/** Said instead of the time, when it cannot be gone back to any more. */
const STATUS: Partial<Readonly<Record<Checkpoint['status'], string>>> = { pruned: 'let go', broken: 'damaged' }

export function ChildText({ row, root, now }: { readonly row: ChildRow; readonly root: string; readonly now: number }) {
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
      const { icon, verb, what } = callLook(call, root)
      const bad = call.state === 'failed' || call.state === 'abandoned'
      return (
        <>
          <Icon name={icon} size="s" className={isWorking(call) ? 'c-live' : 'muted'} />
          <span className="ell">
            <span className="muted">{verb}</span> <span className="mono">{lastPart(what)}</span>
          </span>
          <span className={bad ? 'end c-danger' : isWorking(call) ? 'end c-live' : 'end'}>{callEnd(call, now)}</span>
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
          <span className="end">{planWords(row)}</span>
        </>
      )
    }
    case 'points':
      return (
        <>
          <span className="ell muted">{plural(row.count, 'checkpoint')}</span>
          <span className="end">
            <Icon name={row.open ? 'down' : 'right'} size="xs" />
          </span>
        </>
      )
    case 'point': {
      const { point } = row
      return (
        <>
          <span className="ell muted">{point.label || REASONS[point.reason]}</span>
          <span className="end">
            {point.files > 0 ? <i className="changed" /> : null}
            {STATUS[point.status] ?? clock(point.at)}
          </span>
        </>
      )
    }
  }
}

/** The row as one sentence. */
export function childSentence(row: ChildRow, root: string, now: number): string {
  switch (row.kind) {
    case 'start':
      return `Start of run, ${clock(row.run.at)}.`
    case 'turn': {
      const calls = row.calls > 0 ? ` ${plural(row.calls, 'tool call')}.` : ''
      return turnSentence(row.turn, now) + calls
    }
    case 'call': {
      const { verb, what } = callLook(row.call, root)
      const state = isWorking(row.call) ? `working, ${callEnd(row.call, now)}` : callEnd(row.call, now)
      return `Tool call, ${[`${verb} ${what}`.trim(), state].filter(Boolean).join(', ')}.`
    }
    case 'plan':
      return `Plan, ${planWords(row)} done.`
    case 'points':
      return `${plural(row.count, 'checkpoint')} of this run.`
    case 'point': {
      const { point } = row
      const files = point.files > 0 ? `${plural(point.files, 'path')} changed` : 'no changes'
      const why = point.why ? ` ${point.why}` : ''
      return `Checkpoint, ${point.label || REASONS[point.reason]}, ${clock(point.at)}, ${files}.${why}`
    }
  }
}

function planWords({ todos }: Extract<ChildRow, { kind: 'plan' }>): string {
  return `${todos.filter(({ status }) => status === 'completed').length} of ${todos.length}`
}

/** There is little room: of a single path its name is enough. */
function lastPart(what: string): string {
  return /^[^\s,]+\/[^\s,]+$/.test(what) ? what.slice(what.lastIndexOf('/') + 1) : what
}
