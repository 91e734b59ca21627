/** The conversation beside the diff: the agent's plan, the messages, and the tool calls. */
import { useEffect, useId, useRef, useState } from 'react'
import type { SessionDetail, SessionTurn, Todo } from '../../../contract/conversation.ts'
import { runIdOf } from '../../model/row-targets.ts'
import { type SelectableRow, turnOf } from '../../model/timeline-rows.ts'
import { isFollowing, listedFiles } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { Blank, FailedBlank } from '../../ui/blank.tsx'
import { IconButton } from '../../ui/button.tsx'
import { FindField } from '../../ui/find-field.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { MessageText } from '../../ui/message-text.tsx'
import { LineCounts } from '../files/files-head.tsx'
import { SideTabs } from '../files/side-tabs.tsx'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { findPrompt } from './message-rows.ts'
import './conversation.css'
import { useConversation } from './use-conversation.ts'
import { type Finding, useFind } from './use-find.ts'
import { useGoal, useSelectedPlace } from './use-goal.ts'

const NO_MORE = { before: false, after: false }

/** Mount it anew for another session. */
export function ConversationPane({ session }: { readonly session: string }) {
  const { workspace, store, actions } = useOpenWorkspace()
  const run = useWorkspaceState(({ shown }) => runIdOf(shown?.node ?? null))
  const turn = useWorkspaceState(({ shown }) => turnOf(shown?.node ?? null)?.id ?? null)
  const pin = useWorkspaceState(({ shown }) => pinOf(shown?.node ?? null))
  const target = useWorkspaceState(({ message }) => (message?.session === session ? message : null))
  const follow = useWorkspaceState(isFollowing)
  const list = useRef<MessageListHandle>(null)
  const promptIn = (detail: SessionDetail) => promptOf(detail.turns, run, turn)
  const { detail, page, rows, threads, loading, error, loadMore, jump, retry, expandGroup } = useConversation(
    session,
    (loaded) => target?.message ?? promptIn(loaded) ?? checkpointAt(loaded, pin) ?? 'end'
  )
  const prompt = detail ? promptIn(detail) : null
  const current = findPrompt(rows, run, turn)

  const goTo = useGoal(list, rows, page, jump)
  const ignoreNextSelection = useSelectedPlace(goTo, rows, page, `${session} ${run} ${turn} ${pin}`, () => {
    if (prompt !== null) return { seq: prompt }
    const marker = rows.find((row) => row.kind === 'marker' && (pin ? row.key === pin : row.icon === 'restore'))
    if (marker) return { key: marker.key }
    const at = detail ? checkpointAt(detail, pin) : null
    return at === null ? 'end' : { seq: at }
  })
  const leaveTurn = (next: SessionTurn) => {
    if (next.run !== run || (turn !== null && next.id !== turn)) ignoreNextSelection(next.run)
  }
  useEffect(() => {
    if (follow && rows.length > 0) goTo('end')
  }, [follow, rows.length, goTo])
  useEffect(() => {
    if (target === null || !page) return
    const place = target.call === undefined ? { seq: target.message } : { key: target.call, near: target.message }
    goTo({ ...place, ...(target.focus === false ? {} : { focus: true }) })
    store.setState({ message: null })
  }, [target, page, goTo, store])
  const finding = useFind(workspace.id, session, prompt ?? 0, (seq) => goTo({ seq }))

  return (
    <aside className="files conversation" aria-label="Conversation">
      <ConversationHead finding={finding} onLeave={() => list.current?.focusList()} />
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the conversation" /> : null}
      {detail ? <Todos key={session} todos={detail.todos} plan={detail.plan} /> : null}
      {error && !(detail && page) ? (
        <FailedBlank
          title="Couldn’t load this conversation."
          text={error.message}
          details={JSON.stringify(error, null, 2)}
          onRetry={retry}
        />
      ) : page && rows.length === 0 ? (
        <Blank className="files-blank" icon="chat" title="No messages yet.">
          <p>Prompts and answers appear here as the agent reports them.</p>
        </Blank>
      ) : (
        <MessageList
          ref={list}
          session={session}
          rows={rows}
          threads={threads}
          more={page?.more ?? NO_MORE}
          current={current}
          match={finding.match}
          onFind={() => finding.setOpen(true)}
          onLoadMore={loadMore}
          onEnd={(end) => goTo(end === 'first' ? { seq: 1, focus: true } : 'end')}
          onSelectTurn={(picked, path) => {
            leaveTurn(picked)
            actions.selectTurn(picked, path)
          }}
          onShowTurn={(picked, path) => {
            leaveTurn(picked)
            actions.showTurn(picked, path)
          }}
          onExpandGroup={expandGroup}
        />
      )}
    </aside>
  )
}

/** The pane's tabs, and the field that finds messages. */
function ConversationHead({ finding, onLeave }: { readonly finding: Finding; readonly onLeave: () => void }) {
  const files = useWorkspaceState(listedFiles)
  return (
    <>
      <div className="bar">
        <SideTabs title="Conversation" files={files?.length ?? null} />
        <span className="grow" />
        {files ? <LineCounts files={files} /> : null}
        <IconButton
          icon="search"
          iconSize="s"
          size="sm"
          label="Find in conversation"
          keys="/"
          onClick={() => finding.setOpen(!finding.open)}
        />
      </div>
      {finding.open ? (
        <div className="bar">
          <FindField
            ref={focusOnMount}
            find={finding.find}
            label="Find in conversation"
            unit="message"
            onClose={() => {
              finding.setOpen(false)
              onLeave()
            }}
          />
        </div>
      ) : null}
    </>
  )
}

function pinOf(node: SelectableRow | null): string | null {
  return node?.kind === 'entry' && node.entry.kind === 'checkpoint' ? node.entry.id : null
}

/** Seq of the prompt for a timeline selection: the turn's, else the first one of the run; null if it is not known. */
function promptOf(turns: readonly SessionTurn[], run: string | null, turn: string | null): number | null {
  return turns.find((each) => each.message !== null && (turn ? each.id === turn : each.run === run))?.message ?? null
}

/** Seq of the newest message at a pin. */
function checkpointAt({ checkpoints }: SessionDetail, pin: string | null): number | null {
  return checkpoints.find(({ id }) => id === pin)?.revision || null
}

const focusOnMount = (field: HTMLInputElement | null): void => field?.focus()

const STATUS_ICONS: Readonly<Record<Todo['status'], IconName | null>> = {
  completed: 'okc',
  in_progress: 'half',
  pending: null
}
const STATUS_LABELS: Readonly<Record<Todo['status'], string>> = {
  completed: 'done',
  in_progress: 'in progress',
  pending: 'to do'
}

/** The agent's plan, above the messages: its to-do list with the status of each item, and its plan text. */
function Todos({ todos, plan }: { readonly todos: readonly Todo[]; readonly plan: string }) {
  const id = useId()
  const done = todos.filter(({ status }) => status === 'completed').length
  const current = todos.find(({ status }) => status === 'in_progress')
  const [open, setOpen] = useState(done < todos.length)
  if (todos.length === 0 && plan === '') return null
  return (
    <section className="plan" aria-label="Plan">
      <button
        type="button"
        className="plan-head"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen((before) => !before)}
      >
        <Icon name={open ? 'down' : 'right'} size="s" />
        <b>Plan</b>
        {todos.length > 0 ? (
          <span className="muted num">
            {done} of {todos.length} done
          </span>
        ) : null}
        {!open && current ? <span className="ell muted">{current.text}</span> : null}
      </button>
      <div id={id} hidden={!open} className="plan-in">
        {todos.length > 0 ? (
          <ul className="todos" aria-label={`Plan, ${done} of ${todos.length} done`}>
            {todos.map(({ text, status }, index) => {
              const icon = STATUS_ICONS[status]
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list replaced as a whole; its texts may repeat.
                <li key={index} data-status={status}>
                  {icon ? <Icon name={icon} /> : <span className="o" />}
                  <span dir="auto">{text}</span>
                  <span className="sr">, {STATUS_LABELS[status]}</span>
                </li>
              )
            })}
          </ul>
        ) : null}
        {plan ? <MessageText text={plan} formatted /> : null}
      </div>
    </section>
  )
}
