/** One row of a conversation: a prompt with its turn, an answer, a tool call, or a mark. */
import { memo } from 'react'
import type { SessionCall } from '../../../contract/conversation.ts'
import { IconButton } from '../../ui/button.tsx'
import { clock, plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { Counts } from '../timeline/counts.tsx'
import { callDetails, callEnd, callFiles, callLook, duration, isWorking, outputLines } from './call-words.ts'
import { MessageText } from './message-text.tsx'
import { type CallRow, isTakenBack, type TalkRow } from './talk-rows.ts'

export interface TalkActions {
  readonly pick: (row: TalkRow, index: number) => void
  readonly focused: (row: TalkRow) => void
  readonly restore: (row: TalkRow) => void
  readonly menu: (row: TalkRow, anchor: DOMRect) => void
}

interface TalkRowProps {
  readonly row: TalkRow
  readonly index: number
  readonly size: number
  /** Folder the agent worked in. */
  readonly root: string
  /** The prompt of what is selected. */
  readonly current: boolean
  /** Its details are shown. */
  readonly open: boolean
  /** The file it names is the one in the diff. */
  readonly shown: boolean
  readonly focusable: boolean
  readonly now: number
  readonly offline: string | null
  readonly actions: TalkActions
}

export const TalkRowView = memo(function TalkRowView(props: TalkRowProps) {
  const { row, index, actions } = props
  const gone = isTakenBack(row)
  return (
    <li
      className={['turn-row', `t-${row.kind}`, gone ? 'gone' : ''].filter(Boolean).join(' ')}
      data-index={index}
      data-key={row.key}
      aria-setsize={props.size}
      aria-posinset={index + 1}
      aria-current={props.current || undefined}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) actions.focused(row)
      }}
      onClick={(event) => {
        if (!(event.target as Element).closest('button, .out')) actions.pick(row, index)
      }}
      onKeyDown={() => {}}
      onContextMenu={(event) => {
        event.preventDefault()
        actions.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0))
      }}
    >
      <Inside {...props} gone={gone} />
    </li>
  )
})

function Inside(props: TalkRowProps & { readonly gone: boolean }) {
  const { row, gone } = props
  if (row.kind === 'mark') {
    return (
      <div className="talk-mark">
        <Icon name={row.icon} size="s" />
        {row.text}
        {row.at === null ? null : (
          <>
            <span className="dot-sep" />
            {clock(row.at)}
          </>
        )}
      </div>
    )
  }
  if (row.kind === 'call') return <Call {...props} row={row} />
  if (row.kind === 'say') {
    return (
      <div className="say">
        <span className="sr">{gone ? 'Answer, taken back: ' : 'Answer: '}</span>
        <MessageText text={row.message.text} />
      </div>
    )
  }
  return <Prompt {...props} row={row} />
}

function Prompt({
  row,
  gone,
  offline,
  actions
}: TalkRowProps & { readonly row: Extract<TalkRow, { kind: 'prompt' }>; readonly gone: boolean }) {
  const { message, turn } = row
  return (
    <div className="ask">
      <div className="by">
        <Icon name="person" size="xs" />
        you
        {gone ? <span className="sr">, taken back</span> : null}
        <span className="grow" />
        {turn === null ? null : turn.endedAt === null && turn.files === 0 ? (
          <span className="c-live">now</span>
        ) : (
          <span className="num">{turn.files === 0 ? 'no files' : plural(turn.files, 'file')}</span>
        )}
        <span className="num">{clock(message.at)}</span>
        {turn ? (
          <IconButton
            icon="restore"
            iconSize="s"
            size="sm"
            className="ask-restore"
            label="Restore to here…"
            keys="R"
            tabIndex={-1}
            disabledReason={offline}
            onClick={() => actions.restore(row)}
          />
        ) : null}
      </div>
      <MessageText text={message.text} />
    </div>
  )
}

/** Right of a call: what it changed, and that somebody else made it. */
function BesideCall({ call }: { readonly call: SessionCall }) {
  const { added, deleted } = call
  const words = [added + deleted > 0 ? '' : callFiles(call), call.subagent === null ? '' : 'subagent']
  return (
    <span className="cap muted num">
      {words.filter(Boolean).join(', ')} {added + deleted > 0 ? <Counts added={added} deleted={deleted} /> : null}
    </span>
  )
}

function Call({ row, index, root, open, shown, now, actions }: TalkRowProps & { readonly row: CallRow }) {
  const [call, ...others] = row.calls
  const several = others.length > 0
  const { icon, verb, what } = callLook(call, root)
  const working = isWorking(call)
  const took = several ? row.calls.reduce((sum, one) => sum + ((one.endedAt ?? one.startedAt) - one.startedAt), 0) : 0
  const bad = call.state === 'failed' || call.state === 'abandoned'
  return (
    <div className={['calls', row.first ? 'first' : '', row.last ? 'last' : ''].filter(Boolean).join(' ')}>
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={several ? false : open}
        className={['call', working ? 'run' : '', shown ? 'sel' : ''].filter(Boolean).join(' ')}
        onClick={() => actions.pick(row, index)}
      >
        <Icon name={icon} />
        <span className="ell">
          <span className="sr">Tool call, </span>
          <span className="v">{verb}</span>{' '}
          <span className="mono">{several ? plural(row.calls.length, 'more file') : what}</span>
        </span>
        {several ? null : <BesideCall call={call} />}
        <span className="sr">{working ? ', working, ' : ', '}</span>
        <span className={bad ? 'ms c-danger' : working ? 'ms c-live' : 'ms'}>
          {several ? duration(took) : callEnd(call, now)}
        </span>
      </button>
      {open && !several ? <div className="out">{callDetails(call, root).join('\n')}</div> : null}
      {several ? null : <Output call={call} open={open} />}
    </div>
  )
}

function Output({ call, open }: { readonly call: SessionCall; readonly open: boolean }) {
  const { shown, above } = outputLines(call.output, open)
  if (shown.length === 0) return null
  return (
    <div className={open ? 'out' : 'out brief'}>
      <span className="sr">Printed: </span>
      {above === '' ? null : <span className="above">{above}</span>}
      {shown.join('\n')}
    </div>
  )
}
