/** One row of a conversation: a prompt with its turn, an answer, a tool call, or a marker. */
import { memo } from 'react'
import type { Message, SessionCall, SessionTurn } from '../../../contract/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { isOnePath } from '../../../contract/words/paths.ts'
import { clock } from '../../../contract/words/times.ts'
import {
  callDetails,
  callLabel,
  changedFilesLabel,
  duration,
  isWorking,
  repetitionText,
  visibleOutput
} from '../../../contract/words/tool-calls.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Dotted } from '../../ui/dotted.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { PathCut } from '../../ui/middle-cut.tsx'
import type { Thread } from '../review/comment-places.ts'
import { MessageComments } from '../review/message-comments.tsx'
import { type CallRow, commentableOf, isUndone, type MessageRow } from './message-rows.ts'
import { CALL_ICONS, CallStatus } from './tool-call.ts'

export interface MessageActions {
  readonly pick: (row: MessageRow, index: number) => void
  readonly onFocusRow: (row: MessageRow) => void
  readonly restore: (row: MessageRow) => void
  readonly comment: (row: MessageRow) => void
  readonly closeBox: () => void
  readonly menu: (row: MessageRow, anchor: DOMRect) => void
}

interface MessageRowProps {
  readonly row: MessageRow
  readonly index: number
  /** Number of rows, -1 = not known. */
  readonly size: number
  /** Absolute path of the workspace. */
  readonly root: string
  /** It is the prompt of the selected run or turn. */
  readonly current: boolean
  /** It is the match of a search. */
  readonly found: boolean
  /** The details of the call are shown. */
  readonly open: boolean
  /** The call's file is shown in the diff. */
  readonly inDiff: boolean
  readonly session: string
  /** Comments on the message or the call. */
  readonly threads: readonly Thread[] | undefined
  /** The box for another comment on it is open. */
  readonly writing: boolean
  readonly focusable: boolean
  readonly offline: string | null
  /** Why nothing can be restored or undone now, null if it can. */
  readonly unavailable: string | null
  readonly actions: MessageActions
}

export const MessageRowView = memo(function MessageRowView(props: MessageRowProps) {
  const { row, index, actions } = props
  const undone = isUndone(row)
  const commented = commentableOf(row)
  return (
    <li
      className="turn-row"
      data-kind={row.kind}
      data-found={props.found || undefined}
      data-undone={undone || undefined}
      data-index={index}
      data-key={row.key}
      aria-setsize={props.size}
      aria-posinset={props.size < 0 ? undefined : index + 1}
      aria-current={props.current || undefined}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) actions.onFocusRow(row)
      }}
      onClick={(event) => {
        if (!(event.target as Element).closest('button, .out, [data-comments]')) actions.pick(row, index)
      }}
      onKeyDown={() => {}}
      onContextMenu={(event) => {
        if ((event.target as Element).closest('[data-comments]')) return
        event.preventDefault()
        actions.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0))
      }}
    >
      <RowContent {...props} undone={undone} />
      {commented ? (
        <MessageComments
          session={props.session}
          on={commented}
          threads={props.threads}
          writing={props.writing}
          onWrite={() => actions.comment(row)}
          onClose={actions.closeBox}
        />
      ) : null}
    </li>
  )
})

function RowContent(props: MessageRowProps & { readonly undone: boolean }) {
  const { row, undone } = props
  switch (row.kind) {
    case 'marker':
      return (
        <div className="talk-mark">
          <Icon name={row.icon} size="s" />
          <Dotted facts={[row.text, row.at === null ? '' : clock(row.at)]} />
        </div>
      )
    case 'call':
      return <Call {...props} row={row} />
    case 'answer':
      return (
        <div className="say">
          <span className="sr">{undone ? 'Answer, undone: ' : 'Answer: '}</span>
          <MessageText text={row.message.text} formatted />
          <CommentButton {...props} />
        </div>
      )
    case 'prompt':
      return (
        <div className="ask">
          <PromptHead {...props} message={row.message} turn={row.turn} />
          <MessageText text={row.message.text} />
        </div>
      )
  }
}

interface PromptHeadProps extends MessageRowProps {
  readonly undone: boolean
  readonly message: Message
  readonly turn: SessionTurn | null
}

function PromptHead({ row, message, turn, undone, offline, unavailable, actions }: PromptHeadProps) {
  const working = turn?.endedAt === null && turn.files === 0
  const files = turn?.files === 0 ? 'no files' : plural(turn?.files ?? 0, 'file')
  return (
    <div className="by">
      <Icon name="person" size="xs" />
      you
      {undone ? <span className="sr">, undone</span> : null}
      <span className="grow" />
      {turn ? <span className={working ? 'c-live' : 'num'}>{working ? 'now' : files}</span> : null}
      <time>{clock(message.at)}</time>
      <CommentButton row={row} offline={offline} actions={actions} />
      {turn ? (
        <IconButton
          icon="restore"
          iconSize="s"
          size="sm"
          className="row-button"
          label="Restore to here…"
          keys="R"
          tabIndex={-1}
          disabledReason={unavailable}
          onClick={() => actions.restore(row)}
        />
      ) : null}
    </div>
  )
}

/** For the mouse: keys and the menu comment, too. */
function CommentButton({ row, offline, actions }: Pick<MessageRowProps, 'row' | 'offline' | 'actions'>) {
  return (
    <IconButton
      icon="chat"
      iconSize="s"
      size="sm"
      className="row-button"
      label="Comment on this message"
      keys="C"
      tabIndex={-1}
      disabledReason={offline}
      onClick={() => actions.comment(row)}
    />
  )
}

/** Right of a call: its line counts or number of files, and whether a subagent made it. */
function CallSummary({ call }: { readonly call: SessionCall }) {
  const { added, deleted } = call
  const notes = [added + deleted > 0 ? '' : changedFilesLabel(call), call.subagent === null ? '' : 'subagent']
  return (
    <span className="cap muted num">
      {notes.filter(Boolean).join(', ')} {added + deleted > 0 ? <Counts added={added} deleted={deleted} /> : null}
    </span>
  )
}

function Call({ row, index, root, open, inDiff, offline, actions }: MessageRowProps & { readonly row: CallRow }) {
  const [call, ...more] = row.calls
  const grouped = more.length > 0
  const { kind, verb, subject } = callLabel(call, root)
  const isPath = !grouped && isOnePath(subject)
  const working = isWorking(call)
  const totalMs = grouped
    ? row.calls.reduce((sum, { startedAt, endedAt }) => sum + ((endedAt ?? startedAt) - startedAt), 0)
    : 0
  const failed = call.state === 'failed' || call.state === 'abandoned'
  return (
    <div className={['calls', row.first ? 'first' : '', row.last ? 'last' : ''].filter(Boolean).join(' ')}>
      <button
        type="button"
        tabIndex={-1}
        aria-expanded={grouped ? false : open}
        className={['call', working ? 'working' : '', inDiff ? 'in-diff' : ''].filter(Boolean).join(' ')}
        onClick={() => actions.pick(row, index)}
      >
        <Icon name={CALL_ICONS[kind]} />
        <span className="call-text" data-path={isPath || undefined}>
          <span className="sr">Tool call, </span>
          <span className="v">{verb}</span>{' '}
          <span className="mono cap">
            {grouped ? repetitionText(call, row.calls.length) : isPath ? <PathCut path={subject} /> : subject}
          </span>
        </span>
        {grouped ? null : <CallSummary call={call} />}
        <span className="sr">{working ? ', working, ' : ', '}</span>
        <span className="ms" data-tone={failed ? 'danger' : working ? 'live' : undefined}>
          {grouped ? duration(totalMs) : <CallStatus call={call} />}
        </span>
      </button>
      {open && !grouped ? <div className="out">{callDetails(call, root).join('\n')}</div> : null}
      {grouped ? null : <Output call={call} open={open} />}
      {open && !grouped ? (
        <div className="call-foot">
          <Button size="sm" icon="chat" tabIndex={-1} disabledReason={offline} onClick={() => actions.comment(row)}>
            Comment
          </Button>
        </div>
      ) : null}
    </div>
  )
}

function Output({ call, open }: { readonly call: SessionCall; readonly open: boolean }) {
  const { shown, above } = visibleOutput(call.output, open)
  if (shown.length === 0) return null
  return (
    <div className={open ? 'out' : 'out brief'}>
      <span className="sr">Output: </span>
      {above === '' ? null : <span className="above">{above}</span>}
      {shown.join('\n')}
    </div>
  )
}
