/** The conversation beside the diff: the agent's plan, the messages, and the tool calls. */
import { type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import type { SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import type { RestoreEntry } from '../../../contract/timeline.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { findPrompt, type MessageRow, messageRows } from './message-rows.ts'
import { Todos } from './todos.tsx'
import './conversation.css'

export interface ConversationPaneProps {
  /** Replaces the title of the pane. */
  readonly head?: ReactNode
  /** Line counts of the selection, right in the bar. */
  readonly changed: ReactNode
  readonly detail: SessionDetail | null
  readonly loading: boolean
  readonly error: ErrorShape | null
  readonly onRetry: () => void
  /** The loaded restores: they date the messages they undid. */
  readonly restores: readonly RestoreEntry[]
  readonly root: string
  /** The run and turn selected in the timeline. */
  readonly run: string | null
  readonly turn: string | null
  /** The pin selected in the timeline. */
  readonly pin: string | null
  /** A message to focus once. */
  readonly target: MessageTarget | null
  readonly onTargetReached: () => void
  readonly path: string | null
  /** Scrolls to the end as messages arrive. */
  readonly follow: boolean
  readonly now: number
  readonly letterKeys: boolean
  readonly offline: string | null
  readonly onTurn: (turn: SessionTurn, path: string | null, enter: boolean) => void
  readonly onRestore: (turn: SessionTurn) => void
  readonly onUndo: (turn: SessionTurn) => void
}

/** A message of a conversation. */
export interface MessageTarget {
  readonly session: string
  readonly message: number
}

const NONE: ReadonlySet<string> = new Set()

export function ConversationPane(props: ConversationPaneProps) {
  const { detail, restores, run, turn, pin, target } = props
  const list = useRef<MessageListHandle>(null)
  const [expandedReads, setExpandedReads] = useState(NONE)
  const rows = useMemo(
    () => (detail ? messageRows(detail, restores, expandedReads) : []),
    [detail, restores, expandedReads]
  )
  const current = findPrompt(rows, run, turn)

  const session = detail?.session.id ?? ''
  const ignoreNextSelection = useScrollToSelection(list, rows, current, `${session} ${run} ${turn} ${pin}`, pin)
  const { follow, onTargetReached } = props
  useEffect(() => {
    if (follow && rows.length > 0) list.current?.show(rows.length - 1, 'end')
  }, [follow, rows.length])
  const targetAt = target?.session === session ? rows.findIndex(({ key }) => key === `m${target.message}`) : -1
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the target is loaded.
  useEffect(() => {
    if (targetAt < 0) return
    list.current?.focus(targetAt)
    onTargetReached()
  }, [targetAt])

  return (
    <aside className="files conversation" aria-label="Conversation">
      <div className="bar">
        {props.head ?? <h2 className="files-title">Conversation</h2>}
        <span className="grow" />
        {props.changed}
      </div>
      {props.loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the conversation" /> : null}
      {detail ? <Todos key={session} todos={detail.todos} plan={detail.plan} /> : null}
      {props.error && !detail ? (
        <div className="blank" role="alert">
          <Icon name="stop" size="big" />
          <h3>Couldn’t load this conversation.</h3>
          <p>{props.error.message}</p>
          <Button size="sm" onClick={props.onRetry}>
            Retry
          </Button>
        </div>
      ) : detail && rows.length === 0 ? (
        <div className="blank">
          <Icon name="chat" size="big" />
          <h3>No messages yet.</h3>
          <p>Prompts and answers appear here as the agent reports them.</p>
        </div>
      ) : (
        <MessageList
          ref={list}
          rows={rows}
          root={props.root}
          current={current}
          path={props.path}
          now={props.now}
          letterKeys={props.letterKeys}
          offline={props.offline}
          onTurn={(picked, path, enter) => {
            if (picked.run !== run || (turn !== null && picked.id !== turn)) ignoreNextSelection(picked.run)
            props.onTurn(picked, path, enter)
          }}
          onRestore={props.onRestore}
          onUndo={props.onUndo}
          onExpandReads={(call) => setExpandedReads((before) => new Set(before).add(call))}
        />
      )}
    </aside>
  )
}

/**
 * Scrolls to the selected row of the timeline when the selection changes: to its prompt, else to the selected pin or to
 * the messages a restore undid, else to the end. Returns a function that excepts the next selection of a run, for one
 * that is made in this pane.
 */
function useScrollToSelection(
  list: RefObject<MessageListHandle | null>,
  rows: readonly MessageRow[],
  current: number,
  selectionKey: string,
  pin: string | null
): (run: string) => void {
  const ignored = useRef<string | null>(null)
  const latest = useRef({ rows, current, pin })
  latest.current = { rows, current, pin }
  const ready = rows.length > 0
  useEffect(() => {
    if (!ready) return
    if (ignored.current !== null && selectionKey.includes(ignored.current)) {
      ignored.current = null
      return
    }
    const { current: prompt, rows: all, pin: pinned } = latest.current
    if (prompt >= 0) return list.current?.show(prompt)
    const marker = all.findIndex(
      (row) => row.kind === 'marker' && (pinned ? row.key === pinned : row.icon === 'restore')
    )
    if (marker >= 0) list.current?.show(marker)
    else list.current?.show(all.length - 1, 'end')
  }, [list, selectionKey, ready])
  return (run) => {
    ignored.current = run
  }
}
