/**
 * The list of a conversation's rows: keyboard, details of tool calls, menu, and a notice of new messages.
 *
 * The focus and the open details belong to rows by their keys, because pages that are loaded before the first row move
 * every index. Rows get one `actions` object for life, so that `memo` holds while the conversation grows.
 */
import {
  type KeyboardEvent,
  type Ref,
  type RefObject,
  useCallback,
  useImperativeHandle,
  useMemo,
  useRef,
  useState
} from 'react'
import type { MessagePage, SessionTurn } from '../../../contract/conversation.ts'
import { callPath } from '../../../contract/words/tool-calls.ts'
import { restoreUnavailable } from '../../state/derived.ts'
import { useOpenWorkspace, useWorkspaceState } from '../../state/open-workspace.tsx'
import { usePreferences } from '../../state/preferences.tsx'
import { isTextField } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { NewerPill } from '../../ui/newer-pill.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import type { Thread } from '../review/comment-places.ts'
import { type MessageCommand, messageMove } from './message-keys.ts'
import { messageMenu, restoreRequestOf, textOfRow } from './message-menu.ts'
import { type MessageActions, MessageRowView } from './message-row.tsx'
import { commentableOf, estimateHeight, type MessageRow, turnOfRow } from './message-rows.ts'
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
  readonly session: string
  readonly rows: readonly MessageRow[]
  /** Comments, by the key of the row they are on. */
  readonly threads: ReadonlyMap<string, readonly Thread[]>
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
  /** Shows the changes of a turn, at one of its files if given. */
  readonly onSelectTurn: (turn: SessionTurn, path: string | null) => void
  /** Also moves focus to the diff. */
  readonly onShowTurn: (turn: SessionTurn, path: string | null) => void
  /** Shows grouped reads one by one. */
  readonly onExpandGroup: (call: string) => void
  readonly ref?: Ref<MessageListHandle>
}

export function MessageList(props: MessageListProps) {
  const { rows, current, more, onLoadMore } = props
  const { workspace, actions: workspaceActions } = useOpenWorkspace()
  const path = useWorkspaceState(({ file }) => file?.path ?? null)
  const offline = useWorkspaceState((state) => state.offline)
  const unavailable = useWorkspaceState(restoreUnavailable)
  const list = useRef<VirtualListHandle>(null)
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const focus = useRowFocus(list, rows, current, props.ref)
  const details = useCallDetails(props.onExpandGroup)
  const box = useCommentBox(list, focus)
  const { newer, onEndVisible } = useNewMessages(rows, !more.after)
  const loadBefore = useCallback(() => onLoadMore('before'), [onLoadMore])
  const loadAfter = useCallback(() => onLoadMore('after'), [onLoadMore])
  const { actions, onKeyDown, showTurn } = useRowActions(props, { list, focus, details, box, setMenu })

  const { openPreview, copy } = workspaceActions
  const menuOf = (row: MessageRow) =>
    messageMenu(row, {
      offline,
      unavailable,
      openPreview,
      showChanges: showTurn,
      comment: box.open,
      copy: (copied) => copy(textOfRow(copied))
    })
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
        alwaysRendered={[focus.at, rows.findIndex(({ key }) => key === box.key)]}
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
            open={details.open.has(row.key)}
            inDiff={path !== null && pathOf(row) === path}
            session={props.session}
            threads={props.threads.get(row.key)}
            writing={box.key === row.key}
            focusable={index === focus.at}
            offline={offline}
            unavailable={unavailable}
            actions={actions}
          />
        )}
      />
      {newer > 0 ? (
        <NewerPill count={newer} noun="newer message" onShow={() => list.current?.reveal(rows.length - 1, 'end')} />
      ) : null}
      {menu ? (
        <Menu label="Message actions" anchor={menu.anchor} onClose={() => setMenu(null)} items={menuOf(menu.row)} />
      ) : null}
    </>
  )
}

interface OpenMenu {
  readonly row: MessageRow
  readonly anchor: DOMRect
}

interface ListParts {
  readonly list: RefObject<VirtualListHandle | null>
  readonly focus: ReturnType<typeof useRowFocus>
  readonly details: ReturnType<typeof useCallDetails>
  readonly box: ReturnType<typeof useCommentBox>
  readonly setMenu: (menu: OpenMenu) => void
}

/** What a click and a key do with a row. `actions` is one object for life, because every row holds it. */
function useRowActions(props: MessageListProps, { list, focus, details, box, setMenu }: ListParts) {
  const { rows, more } = props
  const workspaceActions = useOpenWorkspace().actions
  const selectTurn = (row: MessageRow) => {
    const turn = turnOfRow(row)
    if (turn) props.onSelectTurn(turn, pathOf(row))
  }
  const showTurn = (row: MessageRow) => {
    const turn = turnOfRow(row)
    if (turn) props.onShowTurn(turn, pathOf(row))
  }
  const restore = (row: MessageRow | undefined) => {
    const request = restoreRequestOf(row)
    if (request) workspaceActions.openPreview(request)
  }
  const pick = (row: MessageRow, index: number) => {
    focus.setKey(row.key)
    list.current?.focusRow(index)
    if (row.kind === 'call') details.set(row, null)
    if (row.kind === 'prompt' || pathOf(row) !== null) selectTurn(row)
  }
  const latest = useRef({ pick, restore, box })
  latest.current = { pick, restore, box }
  const [actions] = useState<MessageActions>(() => ({
    pick: (row, index) => latest.current.pick(row, index),
    onFocusRow: (row) => focus.setKey(row.key),
    restore: (row) => latest.current.restore(row),
    comment: (row) => latest.current.box.open(row),
    closeBox: () => latest.current.box.close(),
    menu: (row, anchor) => setMenu({ row, anchor })
  }))
  const onKeyDown = useMessageKeys(rows, focus.at, {
    move: (to, key) => {
      if (key === 'Home' && more.before) return props.onEnd('first')
      if (key === 'End' && more.after) return props.onEnd('last')
      const row = rows[to]
      if (row) focus.setKey(row.key)
      list.current?.focusRow(to)
    },
    setDetails: details.set,
    restore,
    comment: box.open,
    'open-turn': showTurn,
    copy: (row) => workspaceActions.copy(textOfRow(row)),
    find: props.onFind,
    menu: (row) => {
      const element = list.current?.element?.querySelector(`[data-index="${focus.at}"]`)
      if (element) setMenu({ row, anchor: element.getBoundingClientRect() })
    }
  })
  return { actions, onKeyDown, showTurn }
}

const pathOf = (row: MessageRow): string | null => (row.kind === 'call' ? callPath(row.calls[0]) : null)

/** The row that has the focus or had it last; the selected turn's prompt before that. */
function useRowFocus(
  list: RefObject<VirtualListHandle | null>,
  rows: readonly MessageRow[],
  current: number,
  ref: Ref<MessageListHandle> | undefined
) {
  const [focusKey, setFocusKey] = useState<string | null>(null)
  const found = focusKey === null ? -1 : rows.findIndex(({ key }) => key === focusKey)
  const focusAt = found >= 0 ? found : Math.max(0, current)
  const latest = useRef({ rows, focusAt })
  latest.current = { rows, focusAt }
  useImperativeHandle(
    ref,
    () => ({
      show: (index, at = 'start') => list.current?.reveal(index, at),
      focus: (index) => {
        setFocusKey(latest.current.rows[index]?.key ?? null)
        list.current?.focusRow(index)
      },
      focusList: () => list.current?.focusRow(latest.current.focusAt)
    }),
    [list]
  )
  return { at: focusAt, setKey: setFocusKey }
}

/** The row whose box for a comment is open; closed, the focus is on that row again. */
function useCommentBox(list: RefObject<VirtualListHandle | null>, focus: ReturnType<typeof useRowFocus>) {
  const [key, setKey] = useState<string | null>(null)
  return {
    key,
    open: (row: MessageRow) => {
      if (!commentableOf(row)) return
      focus.setKey(row.key)
      setKey(row.key)
    },
    close: () => {
      setKey(null)
      requestAnimationFrame(() => list.current?.focusRow(focus.at))
    }
  }
}

/** Keys of the calls whose details are open; null toggles them. Grouped reads open as rows of their own. */
function useCallDetails(onExpandGroup: (call: string) => void) {
  const [details, setDetails] = useState<ReadonlySet<string>>(new Set())
  const setDetailsOf = (row: MessageRow, open: boolean | null) => {
    if (row.kind !== 'call') return
    if (row.calls.length > 1) {
      if (open !== false) onExpandGroup(row.key)
      return
    }
    setDetails((before) => {
      const next = new Set(before)
      if (open ?? !next.has(row.key)) next.add(row.key)
      else next.delete(row.key)
      return next
    })
  }
  return { open: details, set: setDetailsOf }
}

interface MessageKeyActions extends Record<MessageCommand, (row: MessageRow) => void> {
  /** `key`: the pressed one. */
  readonly move: (to: number, key: string) => void
  readonly setDetails: (row: MessageRow, open: boolean | null) => void
}

/** Handles the keys of the list for the row at `focusAt`; those of buttons and fields in a row stay theirs. */
function useMessageKeys(rows: readonly MessageRow[], focusAt: number, actions: MessageKeyActions) {
  const { letterKeys } = usePreferences()
  const prompts = useMemo(() => rows.flatMap(({ kind }, index) => (kind === 'prompt' ? [index] : [])), [rows])
  return (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return
    const move = messageMove(focusAt, rows.length, prompts, event, letterKeys)
    const row = rows[focusAt]
    if (!move || !row) return
    // With text selected, the browser copies the selection.
    if ('do' in move && move.do === 'copy' && !getSelection()?.isCollapsed) return
    event.preventDefault()
    if ('to' in move) actions.move(move.to, event.key)
    else if ('details' in move) actions.setDetails(row, move.details)
    else actions[move.do](row)
  }
}
