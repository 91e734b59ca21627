/** The list of a conversation's rows: keyboard, details of tool calls, menu, and a notice of new messages. */
import { type KeyboardEvent, type Ref, useCallback, useImperativeHandle, useMemo, useRef, useState } from 'react'
import type { MessagePage, SessionTurn } from '../../../contract/conversation.ts'
import { plural } from '../../../contract/words/numbers.ts'
import { callPath } from '../../../contract/words/tool-calls.ts'
import { usePreferences } from '../../app/preferences.tsx'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { isTextField } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { useOpenWorkspace, useWorkspaceState } from '../workspace/state/context.tsx'
import { messageMove } from './message-keys.ts'
import { copyMessage, messageMenu, restoreRequestOf } from './message-menu.ts'
import { type MessageActions, MessageRowView } from './message-row.tsx'
import { estimateHeight, type MessageRow, turnOfRow } from './message-rows.ts'
import { useNewMessages } from './use-new-messages.ts'

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
    const request = restoreRequestOf(row)
    if (request) workspaceActions.openPreview(request)
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
    else if (move.do === 'copy') copyMessage(row)
    else if (move.do === 'find') props.onFind()
    else {
      const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
      if (element) setMenu({ row, anchor: element.getBoundingClientRect() })
    }
  }

  const { openPreview } = workspaceActions
  const menuOf = (row: MessageRow) =>
    messageMenu(row, { offline, openPreview, showChanges: (shown) => openTurn(shown, true) })
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
        <Menu label="Message actions" anchor={menu.anchor} onClose={() => setMenu(null)} items={menuOf(menu.row)} />
      ) : null}
    </>
  )
}
