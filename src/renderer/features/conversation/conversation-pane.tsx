/** The conversation beside the diff: what the agent set out to do, and everything that was said and done. */
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import type { SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import type { ErrorShape } from '../../../contract/errors.ts'
import type { RestoreEntry } from '../../../contract/timeline.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TalkList, type TalkListHandle } from './talk-list.tsx'
import { promptIndex, talkRows } from './talk-rows.ts'
import { Todos } from './todos.tsx'
import './conversation.css'

export interface ConversationPaneProps {
  /** Instead of the title, left of the bar. */
  readonly head?: ReactNode
  /** How much the selection changed, right of the bar. */
  readonly changed: ReactNode
  readonly detail: SessionDetail | null
  readonly loading: boolean
  readonly error: ErrorShape | null
  readonly onRetry: () => void
  /** Restores that are loaded: they say when something was taken back. */
  readonly restores: readonly RestoreEntry[]
  readonly root: string
  /** What is selected in the timeline. */
  readonly run: string | null
  readonly turn: string | null
  /** The pin that is selected. */
  readonly pin: string | null
  /** A message to go to, once. */
  readonly goal: TalkGoal | null
  readonly onGoalReached: () => void
  readonly path: string | null
  /** The newest words are brought into sight as they come. */
  readonly follow: boolean
  readonly now: number
  readonly letterKeys: boolean
  readonly offline: string | null
  readonly onTurn: (turn: SessionTurn, path: string | null, enter: boolean) => void
  readonly onRestore: (turn: SessionTurn) => void
  readonly onUndo: (turn: SessionTurn) => void
}

/** A message of a conversation. */
export interface TalkGoal {
  readonly session: string
  readonly message: number
}

const NONE: ReadonlySet<string> = new Set()

export function ConversationPane(props: ConversationPaneProps) {
  const { detail, restores, run, turn, pin, goal } = props
  const list = useRef<TalkListHandle>(null)
  const [unfolded, setUnfolded] = useState(NONE)
  const rows = useMemo(() => (detail ? talkRows(detail, restores, unfolded) : []), [detail, restores, unfolded])
  const current = promptIndex(rows, run, turn)

  // A selection made elsewhere brings its prompt into sight; one made here leaves everything where it is.
  const own = useRef<string | null>(null)
  const session = detail?.session.id ?? ''
  const key = `${session} ${run} ${turn} ${pin}`
  const latest = useRef({ rows, current, pin })
  latest.current = { rows, current, pin }
  const ready = rows.length > 0
  useEffect(() => {
    if (!ready) return
    if (own.current !== null && key.includes(own.current)) {
      own.current = null
      return
    }
    const { current: at, rows: all, pin: pinned } = latest.current
    if (at >= 0) list.current?.show(at)
    else {
      // Selected is a pin, or a restore: what it took back, else where the conversation stands.
      const back = all.findIndex((row) => row.kind === 'mark' && (pinned ? row.key === pinned : row.icon === 'restore'))
      if (back >= 0) list.current?.show(back)
      else list.current?.show(all.length - 1, 'end')
    }
  }, [key, ready])
  const { follow } = props
  useEffect(() => {
    if (follow && rows.length > 0) list.current?.show(rows.length - 1, 'end')
  }, [follow, rows.length])
  const goalAt = goal?.session === session ? rows.findIndex(({ key: is }) => is === `m${goal.message}`) : -1
  const { onGoalReached } = props
  // biome-ignore lint/correctness/useExhaustiveDependencies: gone to once, as soon as it is there.
  useEffect(() => {
    if (goalAt < 0) return
    list.current?.focus(goalAt)
    onGoalReached()
  }, [goalAt])

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
          <h3>This conversation could not be read.</h3>
          <p>{props.error.message}</p>
          <Button size="sm" onClick={props.onRetry}>
            Retry
          </Button>
        </div>
      ) : detail && rows.length === 0 ? (
        <div className="blank">
          <Icon name="chat" size="big" />
          <h3>Nothing was said yet.</h3>
          <p>Prompts and answers appear here as the agent reports them.</p>
        </div>
      ) : (
        <TalkList
          ref={list}
          rows={rows}
          root={props.root}
          current={current}
          path={props.path}
          now={props.now}
          letterKeys={props.letterKeys}
          offline={props.offline}
          onTurn={(picked, path, enter) => {
            if (picked.run !== run || (turn !== null && picked.id !== turn)) own.current = picked.run
            props.onTurn(picked, path, enter)
          }}
          onRestore={props.onRestore}
          onUndo={props.onUndo}
          onUnfold={(call) => setUnfolded((before) => new Set(before).add(call))}
        />
      )}
    </aside>
  )
}
