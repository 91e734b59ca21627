/** The conversation beside the diff: the agent's plan, the messages, and the tool calls. */
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { applySessionUpdate, type Todo } from '../../../contract/conversation.ts'
import { type IncrementalFetch, useQuery } from '../../client/use-query.ts'
import { Blank, FailedBlank } from '../../ui/blank.tsx'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { LineCounts } from '../files/files-head.tsx'
import { runIdOf } from '../timeline/row-targets.ts'
import { type SelectableRow, turnOf } from '../timeline/timeline-rows.ts'
import { SideTabs } from '../workspace/side-tabs.tsx'
import { useOpenWorkspace, useWorkspaceState } from '../workspace/state/context.tsx'
import { isFollowing } from '../workspace/state/derived.ts'
import { NO_FILES } from '../workspace/state/store.ts'
import { MessageList, type MessageListHandle } from './message-list.tsx'
import { conversationRestores, findPrompt, type MessageRow, messageRows } from './message-rows.ts'
import './conversation.css'
import { MessageText } from './message-text.tsx'

/** A conversation is loaded once; later requests load only new messages. */
const SINCE: IncrementalFetch<'sessions.show'> = {
  params: ({ mark }, params) => ({ ...params, since: mark }),
  merge: applySessionUpdate
}

const NONE: ReadonlySet<string> = new Set()

/** Mount it anew for another session. */
export function ConversationPane({ session }: { readonly session: string }) {
  const { workspace, store, actions } = useOpenWorkspace()
  const {
    data: detail,
    loading,
    error,
    refetch
  } = useQuery('sessions.show', { workspace: workspace.id, session }, { incremental: SINCE })
  // The line counts of a long conversation arrive in several answers.
  const uncounted = detail?.calls.some(({ counted, endedAt }) => !counted && endedAt !== null) === true
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer requests the next one until all lines are counted.
  useEffect(() => {
    if (uncounted) refetch()
  }, [detail, uncounted, refetch])
  const entries = useWorkspaceState(({ timeline }) => timeline?.pages?.entries)
  const restores = useMemo(() => conversationRestores(entries ?? [], session), [entries, session])
  const run = useWorkspaceState(({ selected }) => runIdOf(selected?.node ?? null))
  const turn = useWorkspaceState(({ selected }) => turnOf(selected?.node ?? null)?.id ?? null)
  const pin = useWorkspaceState(({ selected }) => pinOf(selected?.node ?? null))
  const target = useWorkspaceState(({ message }) => (message?.session === session ? message.message : null))
  const follow = useWorkspaceState(isFollowing)
  const files = useWorkspaceState(({ diff }) => diff?.files ?? NO_FILES)
  const list = useRef<MessageListHandle>(null)
  const [expandedReads, setExpandedReads] = useState(NONE)
  const rows = useMemo(
    () => (detail ? messageRows(detail, restores, expandedReads) : []),
    [detail, restores, expandedReads]
  )
  const current = findPrompt(rows, run, turn)

  const ignoreNextSelection = useScrollToSelection(list, rows, current, `${session} ${run} ${turn} ${pin}`, pin)
  useEffect(() => {
    if (follow && rows.length > 0) list.current?.show(rows.length - 1, 'end')
  }, [follow, rows.length])
  const targetAt = target === null ? -1 : rows.findIndex(({ key }) => key === `m${target}`)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the target is loaded.
  useEffect(() => {
    if (targetAt < 0) return
    list.current?.focus(targetAt)
    store.setState({ message: null })
  }, [targetAt])

  return (
    <aside className="files conversation" aria-label="Conversation">
      <div className="bar">
        <SideTabs title="Conversation" />
        <span className="grow" />
        <LineCounts files={files} />
      </div>
      {loading ? <div className="loadbar late" role="progressbar" aria-label="Loading the conversation" /> : null}
      {detail ? <Todos key={session} todos={detail.todos} plan={detail.plan} /> : null}
      {error && !detail ? (
        <FailedBlank
          title="Couldn’t load this conversation."
          text={error.message}
          details={JSON.stringify(error, null, 2)}
          onRetry={refetch}
        />
      ) : detail && rows.length === 0 ? (
        <Blank icon="chat" title="No messages yet.">
          <p>Prompts and answers appear here as the agent reports them.</p>
        </Blank>
      ) : (
        <MessageList
          ref={list}
          rows={rows}
          current={current}
          onTurn={(picked, path, enter) => {
            if (picked.run !== run || (turn !== null && picked.id !== turn)) ignoreNextSelection(picked.run)
            actions.showTurn(picked, path, enter)
          }}
          onExpandReads={(call) => setExpandedReads((before) => new Set(before).add(call))}
        />
      )}
    </aside>
  )
}

function pinOf(node: SelectableRow | null): string | null {
  return node?.kind === 'entry' && node.entry.kind === 'checkpoint' ? node.entry.id : null
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

const STATUS_ICONS: Readonly<Record<Todo['status'], { readonly className: string; readonly icon: IconName | null }>> = {
  completed: { className: 'done', icon: 'okc' },
  in_progress: { className: 'now', icon: 'half' },
  pending: { className: '', icon: null }
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
              const { className, icon } = STATUS_ICONS[status]
              return (
                // biome-ignore lint/suspicious/noArrayIndexKey: a list replaced as a whole; its texts may repeat.
                <li key={index} className={className}>
                  {icon ? <Icon name={icon} /> : <span className="o" />}
                  <span dir="auto">{text}</span>
                  <span className="sr">, {STATUS_LABELS[status]}</span>
                </li>
              )
            })}
          </ul>
        ) : null}
        {plan ? <MessageText text={plan} /> : null}
      </div>
    </section>
  )
}
