/** The rows of a conversation: keys, details, and a pill for what came while somebody was reading. */
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
import type { SessionTurn } from '../../../contract/conversation.ts'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { Icon } from '../../ui/icon.tsx'
import { isTextField } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { callPath, isWorking } from './call-words.ts'
import { talkMove } from './talk-keys.ts'
import { type TalkActions, TalkRowView } from './talk-row.tsx'
import { guessHeight, newerMessages, type TalkRow, turnOfRow } from './talk-rows.ts'

export interface TalkListHandle {
  /** Brings a row into sight, at the top or at the bottom. */
  show(index: number, at?: 'start' | 'end'): void
  /** Moves focus to a row, wherever it is. */
  focus(index: number): void
}

interface TalkListProps {
  readonly rows: readonly TalkRow[]
  readonly root: string
  /** Index of the selected turn's prompt, -1 without one. */
  readonly current: number
  /** The file in the diff. */
  readonly path: string | null
  readonly now: number
  readonly letterKeys: boolean
  readonly offline: string | null
  /** Shows what a turn changed, with one of its files; `enter` moves on into the diff. */
  readonly onTurn: (turn: SessionTurn, path: string | null, enter: boolean) => void
  readonly onRestore: (turn: SessionTurn) => void
  readonly onUndo: (turn: SessionTurn) => void
  /** Shows the reads behind one line one by one. */
  readonly onUnfold: (call: string) => void
  readonly ref?: Ref<TalkListHandle>
}

export function TalkList(props: TalkListProps) {
  const { rows, current, root, path, offline } = props
  const list = useRef<VirtualListHandle>(null)
  const [focusKey, setFocusKey] = useState<string | null>(null)
  const [details, setDetails] = useState<ReadonlySet<string>>(new Set())
  const [menu, setMenu] = useState<{ readonly row: TalkRow; readonly anchor: DOMRect } | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
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
      }
    }),
    []
  )

  const lastKey = rows.at(-1)?.key ?? null
  const [endSeen, setEndSeen] = useState(false)
  useEffect(() => {
    if (endSeen || seen === null) setSeen(lastKey)
  }, [endSeen, seen, lastKey])
  const newer = endSeen ? 0 : newerMessages(rows, seen)

  const pathOf = (row: TalkRow) => (row.kind === 'call' ? callPath(row.calls[0]) : null)
  const openTurn = (row: TalkRow, enter: boolean) => {
    const turn = turnOfRow(row)
    if (turn) props.onTurn(turn, pathOf(row), enter)
  }
  const turnDetails = (row: TalkRow, wanted: boolean | null) => {
    if (row.kind !== 'call') return
    if (row.calls.length > 1) {
      if (wanted !== false) props.onUnfold(row.key)
      return
    }
    setDetails((before) => {
      const next = new Set(before)
      if (wanted ?? !next.has(row.key)) next.add(row.key)
      else next.delete(row.key)
      return next
    })
  }
  const restore = (row: TalkRow | undefined) => {
    const turn = turnOfRow(row)
    if (turn && !offline) props.onRestore(turn)
  }
  const latest = useRef({ rows, pick: (_row: TalkRow, _index: number) => {}, restore })
  latest.current = {
    rows,
    restore,
    pick: (row, index) => {
      setFocusKey(row.key)
      list.current?.focusRow(index)
      if (row.kind === 'call') turnDetails(row, null)
      if (row.kind === 'prompt' || pathOf(row) !== null) openTurn(row, false)
    }
  }
  const [actions] = useState<TalkActions>(() => ({
    pick: (row, index) => latest.current.pick(row, index),
    focused: (row) => setFocusKey(row.key),
    restore: (row) => latest.current.restore(row),
    menu: (row, anchor) => setMenu({ row, anchor })
  }))

  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    const onButton = event.target instanceof HTMLButtonElement
    if (onButton && (event.key === 'Enter' || event.key === ' ')) return
    const move = talkMove(focusAt, rows.length, prompts, event, props.letterKeys)
    const row = rows[focusAt]
    if (!move || !row) return
    // A marked piece of text is what is copied then.
    if ('do' in move && move.do === 'copy' && !getSelection()?.isCollapsed) return
    event.preventDefault()
    if ('to' in move) {
      const to = rows[move.to]
      if (to) setFocusKey(to.key)
      list.current?.focusRow(move.to)
    } else if ('details' in move) turnDetails(row, move.details)
    else if (move.do === 'restore') restore(row)
    else if (move.do === 'open-turn') openTurn(row, true)
    else if (move.do === 'copy') copy(row)
    else {
      const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
      if (element) setMenu({ row, anchor: element.getBoundingClientRect() })
    }
  }

  const turn = turnOfRow(menu?.row)
  const needsTurn = turn ? null : 'it belongs to no turn'
  const seenEnd = useCallback((is: boolean) => setEndSeen(is), [])
  const second = props.now - (props.now % 1000)
  return (
    <>
      <VirtualList
        ref={list}
        role="list"
        label="Conversation"
        className="talk"
        items={rows}
        keyOf={(row) => row.key}
        heightOf={guessHeight}
        measured
        padding={12}
        keep={focusAt}
        onKeyDown={key}
        onEndSeen={seenEnd}
        renderRow={(row, index) => (
          <TalkRowView
            row={row}
            index={index}
            size={rows.length}
            root={root}
            current={index === current}
            open={details.has(row.key)}
            shown={path !== null && pathOf(row) === path}
            focusable={index === focusAt}
            now={row.kind === 'call' && isWorking(row.calls[0]) ? second : 0}
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
        <Menu
          label="Actions of this message"
          anchor={menu.anchor}
          onClose={() => setMenu(null)}
          items={[
            {
              id: 'restore',
              label: 'Restore to here…',
              icon: 'restore',
              keys: 'R',
              disabled: needsTurn ?? offline,
              run: () => restore(menu.row)
            },
            {
              id: 'undo',
              label: 'Undo this turn…',
              icon: 'undo',
              disabled: needsTurn ?? offline,
              run: () => turn && props.onUndo(turn)
            },
            {
              id: 'files',
              label: 'Show what this turn changed',
              icon: 'list',
              keys: 'Enter',
              disabled: needsTurn,
              run: () => openTurn(menu.row, true)
            },
            'separator',
            { id: 'copy', label: 'Copy the text', icon: 'copy', keys: 'Mod+C', run: () => copy(menu.row) }
          ]}
        />
      ) : null}
    </>
  )
}

function copy(row: TalkRow): void {
  const text =
    row.kind === 'mark'
      ? row.text
      : row.kind === 'call'
        ? row.calls.flatMap(({ summary, output }) => [summary, output?.text ?? []].flat()).join('\n')
        : row.message.text
  void navigator.clipboard?.writeText(text)
}
