/** The list of a conversation's rows: keyboard, details of tool calls, menu, and a notice of new messages. */
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState
} from 'react'
import type { MessagePage, SessionTurn } from '../../../contract/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { callPath } from '../../../contract/words/tool-calls.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { paneAction } from '../../commands/pane-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isTextField, type KeyPress } from '../../ui/keys.ts'
import { listMove } from '../../ui/list-keys.ts'
import { Menu, type MenuEntry } from '../../ui/menu.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { useOpenWorkspace, useWorkspaceState } from '../workspace/state/context.tsx'
import { type MessageActions, MessageRowView } from './message-row.tsx'
import { countNewerMessages, estimateHeight, type MessageRow, turnOfRow } from './message-rows.ts'

export interface MessageListHandle {
  /** Scrolls a row into view, at the top or at the bottom. */
  show(index: number, at?: 'start' | 'end'): void
  /** Moves focus to a row and scrolls it into view. */
  focus(index: number): void
  /** Moves focus to the row that had it last. */
  focusList(): void
}

interface MessageListProps {
  readonly rows: readonly MessageRow[]
  /** Whether there are messages before and after the rows. */
  readonly more: MessagePage['more']
  readonly onLoadMore: (side: 'before' | 'after') => void
  /** Moves to the first or last message, which is not loaded. */
  readonly onEnd: (end: 'first' | 'last') => void
  /** Index of the selected turn's prompt, -1 without one. */
  readonly current: number
  /** Seq of the message that was found, null without one. */
  readonly match: number | null
  readonly onFind: () => void
  /** Shows the changes of a turn, at one of its files if given; `enter` moves focus to the diff. */
  readonly onTurn: (turn: SessionTurn, path: string | null, enter: boolean) => void
  /** Shows grouped reads one by one. */
  readonly onExpandReads: (call: string) => void
  readonly ref?: Ref<MessageListHandle>
}

export function MessageList(props: MessageListProps) {
  const { rows, current, more, onLoadMore } = props
  const { workspace, actions: workspaceActions } = useOpenWorkspace()
  const { letterKeys } = usePreferences()
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const offline = useWorkspaceState((state) => state.offline)
  const list = useRef<VirtualListHandle>(null)
  const [focusKey, setFocusKey] = useState<string | null>(null)
  const [details, setDetails] = useState<ReadonlySet<string>>(new Set())
  const [menu, setMenu] = useState<{ readonly row: MessageRow; readonly anchor: DOMRect } | null>(null)
  const prompts = useMemo(() => rows.flatMap(({ kind }, index) => (kind === 'prompt' ? [index] : [])), [rows])
  const found = focusKey === null ? -1 : rows.findIndex(({ key }) => key === focusKey)
  const focusAt = found >= 0 ? found : Math.max(0, current)
  useImperativeHandle(
    props.ref,
    () => ({
      show: (index, at = 'start') => list.current?.reveal(index, at),
      focus: (index) => {
        setFocusKey(latest.current.rows[index]?.key ?? null)
        list.current?.focusRow(index)
      },
      focusList: () => list.current?.focusRow(latest.current.focusAt)
    }),
    []
  )

  const { newer, onEndVisible } = useNewMessages(rows, !more.after)
  const loadBefore = useCallback(() => onLoadMore('before'), [onLoadMore])
  const loadAfter = useCallback(() => onLoadMore('after'), [onLoadMore])
  const pathOf = (row: MessageRow) => (row.kind === 'call' ? callPath(row.calls[0]) : null)
  const openTurn = (row: MessageRow, enter: boolean) => {
    const turn = turnOfRow(row)
    if (turn) props.onTurn(turn, pathOf(row), enter)
  }
  const setDetailsOf = (row: MessageRow, open: boolean | null) => {
    if (row.kind !== 'call') return
    if (row.calls.length > 1) {
      if (open !== false) props.onExpandReads(row.key)
      return
    }
    setDetails((before) => {
      const next = new Set(before)
      if (open ?? !next.has(row.key)) next.add(row.key)
      else next.delete(row.key)
      return next
    })
  }
  const restore = (row: MessageRow | undefined) => {
    const turn = turnOfRow(row)
    if (turn) workspaceActions.openPreview({ kind: 'restore', target: `${turn.id}:start` })
  }
  const latest = useRef({ rows, focusAt, pick: (_row: MessageRow, _index: number) => {}, restore })
  latest.current = {
    rows,
    focusAt,
    restore,
    pick: (row, index) => {
      setFocusKey(row.key)
      list.current?.focusRow(index)
      if (row.kind === 'call') setDetailsOf(row, null)
      if (row.kind === 'prompt' || pathOf(row) !== null) openTurn(row, false)
    }
  }
  const [actions] = useState<MessageActions>(() => ({
    pick: (row, index) => latest.current.pick(row, index),
    onFocusRow: (row) => setFocusKey(row.key),
    restore: (row) => latest.current.restore(row),
    menu: (row, anchor) => setMenu({ row, anchor })
  }))

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return
    const move = messageMove(focusAt, rows.length, prompts, event, letterKeys)
    const row = rows[focusAt]
    if (!move || !row) return
    // With text selected, the browser copies the selection.
    if ('do' in move && move.do === 'copy' && !getSelection()?.isCollapsed) return
    event.preventDefault()
    if ('to' in move) {
      if (event.key === 'Home' && more.before) return props.onEnd('first')
      if (event.key === 'End' && more.after) return props.onEnd('last')
      const to = rows[move.to]
      if (to) setFocusKey(to.key)
      list.current?.focusRow(move.to)
    } else if ('details' in move) setDetailsOf(row, move.details)
    else if (move.do === 'restore') restore(row)
    else if (move.do === 'open-turn') openTurn(row, true)
    else if (move.do === 'copy') copy(row)
    else if (move.do === 'find') props.onFind()
    else {
      const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
      if (element) setMenu({ row, anchor: element.getBoundingClientRect() })
    }
  }

  const menuItems = (row: MessageRow): readonly MenuEntry[] => {
    const turn = turnOfRow(row)
    const noTurn = turn ? null : 'This message belongs to no turn'
    const disabled = noTurn ?? offline
    const undo = () => turn && workspaceActions.openPreview({ kind: 'undo-run', run: turn.id })
    const showChanges = () => openTurn(row, true)
    return [
      { id: 'restore', label: 'Restore to here…', icon: 'restore', keys: 'R', disabled, run: () => restore(row) },
      { id: 'undo', label: 'Undo this turn…', icon: 'undo', disabled, run: undo },
      {
        id: 'files',
        label: 'Show changes of this turn',
        icon: 'list',
        keys: 'Enter',
        disabled: noTurn,
        run: showChanges
      },
      'separator',
      { id: 'copy', label: 'Copy text', icon: 'copy', keys: 'Mod+C', run: () => copy(row) }
    ]
  }

  return (
    <>
      <VirtualList
        ref={list}
        role="list"
        label="Conversation"
        className="talk"
        items={rows}
        keyOf={(row) => row.key}
        heightOf={estimateHeight}
        measured
        padding={12}
        alwaysRendered={focusAt}
        onKeyDown={onKeyDown}
        onEndVisible={onEndVisible}
        onNearStart={loadBefore}
        onNearEnd={loadAfter}
        renderRow={(row, index) => (
          <MessageRowView
            row={row}
            index={index}
            size={more.before || more.after ? -1 : rows.length}
            root={workspace.root}
            current={index === current}
            found={props.match !== null && row.key === `m${props.match}`}
            open={details.has(row.key)}
            inDiff={path !== null && pathOf(row) === path}
            focusable={index === focusAt}
            offline={offline}
            actions={actions}
          />
        )}
      />
      {newer > 0 ? (
        <div className="pilln" role="status">
          <Icon name="adown" size="s" />
          {plural(newer, 'newer message')}
          <Button size="sm" kind="plain" onClick={() => list.current?.reveal(rows.length - 1, 'end')}>
            Show
          </Button>
        </div>
      ) : null}
      {menu ? (
        <Menu label="Message actions" anchor={menu.anchor} onClose={() => setMenu(null)} items={menuItems(menu.row)} />
      ) : null}
    </>
  )
}

/** Counts the messages that arrived since the end of the list was last on screen. */
function useNewMessages(
  rows: readonly MessageRow[],
  atEnd: boolean
): {
  readonly newer: number
  readonly onEndVisible: (visible: boolean) => void
} {
  const [lastRead, setLastRead] = useState<string | null>(null)
  const [endVisible, onEndVisible] = useState(false)
  const lastKey = rows.at(-1)?.key ?? null
  useEffect(() => {
    if (atEnd && (endVisible || lastRead === null)) setLastRead(lastKey)
  }, [atEnd, endVisible, lastRead, lastKey])
  return { newer: endVisible || !atEnd ? 0 : countNewerMessages(rows, lastRead), onEndVisible }
}

function copy(row: MessageRow): void {
  const text =
    row.kind === 'marker'
      ? row.text
      : row.kind === 'call'
        ? row.calls.flatMap(({ summary, output }) => [summary, output?.text ?? []].flat()).join('\n')
        : row.message.text
  void navigator.clipboard?.writeText(text)
}

type MessageMove =
  | { readonly to: number }
  | { readonly do: 'open-turn' | 'restore' | 'menu' | 'copy' | 'find' }
  /** Shows or hides the details of a tool call; null toggles them. */
  | { readonly details: boolean | null }

const PAGE_ROWS = 8

/**
 * The move for a key on the row at `at`; null if the list does not use the key. `rows`: number of rows; `prompts`:
 * indexes of prompts.
 */
export function messageMove(
  at: number,
  rows: number,
  prompts: readonly number[],
  press: KeyPress,
  letterKeys: boolean
): MessageMove | null {
  const action = paneAction('conversation', press, letterKeys)
  switch (action) {
    case null: {
      const move = listMove({ length: rows, pageRows: PAGE_ROWS }, at, press, letterKeys)
      return move && 'to' in move ? { to: move.to } : null
    }
    case 'next-prompt':
      return { to: prompts.find((index) => index > at) ?? at }
    case 'previous-prompt':
      return { to: prompts.findLast((index) => index < at) ?? at }
    case 'toggle':
      return { details: null }
    case 'show':
    case 'hide':
      return { details: action === 'show' }
    default:
      return { do: action }
  }
}
