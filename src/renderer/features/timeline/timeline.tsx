/** The timeline pane: filter, and the tree of entries on the line. */
import {
  type KeyboardEvent,
  type ReactNode,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from 'react'
import type { WorkspaceStatus } from '../../../contract/status.ts'
import { IconButton } from '../../ui/button.tsx'
import { useHeldFocus } from '../../ui/held-focus.ts'
import { Icon } from '../../ui/icon.tsx'
import { isTextField, showKeys } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { isWorking } from '../conversation/call-words.ts'
import { type Move, moveFor, typeAhead } from './moves.ts'
import { isNode, undoTitleOf } from './node.ts'
import { placesOf } from './places.ts'
import type { Stroke } from './rail.ts'
import { rowMenu } from './row-menu.ts'
import { heightOf, type NodeRow, type Row } from './rows.ts'
import { TimelineEmpty } from './timeline-empty.tsx'
import { type KindFilter, TimelineHead } from './timeline-head.tsx'
import { type RowActions, type RowPlace, TimelineRow } from './timeline-row.tsx'
import type { Timeline as TimelineData } from './use-timeline.ts'

export interface TimelineHandle {
  focus(): void
  focusFilter(): void
}

interface TimelineProps {
  readonly data: TimelineData
  readonly rows: readonly Row[]
  readonly rails: readonly (readonly Stroke[])[]
  readonly beside: ReadonlySet<string>
  readonly status: WorkspaceStatus | null
  readonly selected: string | null
  readonly compared: string | null
  readonly now: number
  readonly filter: { readonly text: string; readonly kinds: KindFilter }
  readonly letterKeys: boolean
  /** Why nothing can be written now, null when it can. */
  readonly offline: string | null
  readonly onFilter: (filter: { text: string; kinds: KindFilter }) => void
  readonly onSelect: (row: NodeRow, extend: boolean) => void
  readonly onFold: (row: NodeRow, folded: boolean) => void
  readonly onEnter: () => void
  /** A press on a row moves on into it: there is only one pane at a time. */
  readonly enterOnPress: boolean
  readonly onRestore: (row: NodeRow) => void
  readonly onUndo: (row: NodeRow) => void
  readonly onPin: () => void
  /** Looks for the filter's words in everything that was said and changed. */
  readonly onSearch: (text: string) => void
  /** The border to the next pane. */
  readonly children?: ReactNode
  readonly ref?: React.Ref<TimelineHandle>
}

const TYPE_AHEAD_MS = 700
const NO_STROKES: readonly Stroke[] = []
const NO_PLACE: RowPlace = { level: 1, size: -1, position: 1 }

function isLive(row: Row): boolean {
  if (row.kind === 'call') return isWorking(row.call)
  return row.kind === 'entry' && row.entry.kind === 'run' && row.entry.state === 'live'
}

export function Timeline(props: TimelineProps) {
  const { data, rows, rails, selected, compared, status, onSelect, offline } = props
  const list = useRef<VirtualListHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const [focusKey, setFocusKey] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ readonly row: NodeRow; readonly anchor: DOMRect } | null>(null)
  const typed = useRef({ text: '', at: 0 })
  const places = useMemo(() => placesOf(rows, data.pages?.total ?? 0), [rows, data.pages?.total])

  const at = (key: string | null) => (key === null ? -1 : rows.findIndex((row) => row.key === key))
  const firstNode = rows.findIndex((row) => row.kind !== 'day')
  const focusAt = [at(focusKey), at(selected), firstNode].find((index) => index >= 0) ?? 0

  useImperativeHandle(props.ref, () => ({
    focus: () => {
      const index = at(selected)
      list.current?.focusRow(index >= 0 ? index : focusAt)
    },
    focusFilter: () => field.current?.focus()
  }))

  const held = useHeldFocus(list, focusAt, rows)

  const goTo = (index: number, extend: boolean) => {
    const row = rows[index]
    if (!isNode(row)) return
    setFocusKey(row.key)
    list.current?.focusRow(index)
    onSelect(row, extend)
  }
  const openMenu = (row: NodeRow, anchor: DOMRect) => setMenu({ row, anchor })

  const act = (move: Move) => {
    const row = rows[focusAt]
    if ('to' in move) return goTo(move.to, move.extend)
    if (!isNode(row)) return
    if ('fold' in move) {
      if (row.kind === 'entry' && row.key !== selected) onSelect(row, false)
      return props.onFold(row, move.fold)
    }
    if (move.do === 'enter') {
      onSelect(row, false)
      props.onEnter()
    } else if (move.do === 'select') onSelect(row, false)
    else if (move.do === 'menu') {
      const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
      if (element) openMenu(row, element.getBoundingClientRect())
    } else if (move.do === 'clear') {
      if (props.filter.text) props.onFilter({ ...props.filter, text: '' })
      else if (compared !== null) onSelect(row, false)
    } else void goToEnd()
  }
  const goToEnd = async () => {
    if (data.pages?.more) {
      await data.loadAll()
      askEnd((times) => times + 1)
    } else latestEnd.current()
  }
  const latestEnd = useRef(() => {})
  latestEnd.current = () => goTo(rows.length - 1, false)
  // The rows that were loaded for it are there in this very render.
  const [endAsked, askEnd] = useState(0)
  useLayoutEffect(() => {
    if (endAsked > 0) latestEnd.current()
  }, [endAsked])

  // Another filter is another list: it is read from its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed filter scrolls.
  useLayoutEffect(() => {
    const element = list.current?.element
    if (element) element.scrollTop = 0
  }, [props.filter.text, props.filter.kinds])

  const pick = (row: NodeRow, index: number, extend: boolean) => {
    setFocusKey(row.key)
    list.current?.focusRow(index)
    onSelect(row, extend)
    if (props.enterOnPress && !extend) props.onEnter()
  }
  const latest = useRef({ pick, props })
  latest.current = { pick, props }
  const [actions] = useState<RowActions>(() => ({
    pick: (row, index, extend) => latest.current.pick(row, index, extend),
    focused: (row) => setFocusKey(row.key),
    menu: (row, anchor) => setMenu({ row, anchor }),
    fold: (row, folded) => latest.current.props.onFold(row, folded),
    restore: (row) => latest.current.props.onRestore(row),
    undo: (row) => latest.current.props.onUndo(row)
  }))

  const key = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
    const now = Date.now()
    const going = now - typed.current.at < TYPE_AHEAD_MS ? typed.current.text : ''
    const move = going && event.key.length === 1 ? null : moveFor(rows, focusAt, event, props.letterKeys)
    // With nothing to clear, Escape is for what lies around the timeline.
    if (move && 'do' in move && move.do === 'clear' && !props.filter.text && compared === null) return
    if (move) {
      event.preventDefault()
      return act(move)
    }
    // Letters that are commands run as commands; the others jump to a row.
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key)
    if (!isLetter || event.metaKey || event.ctrlKey || event.altKey) return
    if (!going && props.letterKeys && 'rupxRUPX'.includes(event.key)) return
    typed.current = { text: going + event.key, at: now }
    const found = typeAhead(rows, going ? focusAt - 1 : focusAt, typed.current.text)
    event.preventDefault()
    if (found !== null) goTo(found, false)
  }

  const filtered = props.filter.text !== '' || props.filter.kinds !== 'all'
  const selectedNode = rows[at(selected)]
  const minute = props.now - (props.now % 60_000)
  return (
    <nav className="timeline" aria-label="Timeline" data-pane="timeline" id="timeline-pane" {...held}>
      <TimelineHead
        filter={props.filter}
        field={field}
        onChange={props.onFilter}
        onLeave={() => list.current?.focusRow(focusAt)}
        onPin={props.onPin}
        onSearch={props.onSearch}
        pinUnavailable={offline}
      />
      {props.filter.text.trim().length > 1 ? (
        <button type="button" className="tl-everywhere" onClick={() => props.onSearch(props.filter.text.trim())}>
          <Icon name="search" size="s" />
          <span className="ell">
            Search everything <span className="sr">, messages and changes, for “{props.filter.text.trim()}”</span>
          </span>
          <kbd>{showKeys('Mod+Enter')}</kbd>
        </button>
      ) : null}
      {data.loading ? <div className="loadbar" role="progressbar" aria-label="Loading the timeline" /> : null}
      {data.error && data.pages ? (
        <div className="notice warn" role="alert">
          <span className="grow">{data.error.message}</span>
          <IconButton icon="redo" size="sm" label="Retry" onClick={data.retry} />
        </div>
      ) : null}
      {rows.length === 0 ? (
        <TimelineEmpty
          data={data}
          filter={props.filter.text}
          filtered={filtered}
          status={status}
          onClear={() => props.onFilter({ text: '', kinds: 'all' })}
        />
      ) : (
        <VirtualList
          ref={list}
          role="tree"
          label="Timeline"
          multiselectable
          className="tl-list"
          items={rows}
          keyOf={(row) => row.key}
          heightOf={heightOf}
          keep={focusAt}
          onKeyDown={key}
          onNearEnd={data.loadOlder}
          renderRow={(row, index) => (
            <TimelineRow
              row={row}
              index={index}
              strokes={rails[index] ?? NO_STROKES}
              place={places[index] ?? NO_PLACE}
              selected={row.key === selected}
              compared={row.key === compared}
              focusable={index === focusAt}
              root={status?.workspace.root ?? ''}
              now={isLive(row) ? props.now : minute}
              beside={props.beside.has(row.key)}
              undoTitle={undoTitleOf(row, status)}
              actions={actions}
            />
          )}
        />
      )}
      {menu ? (
        <Menu
          label="Actions of this row"
          anchor={menu.anchor}
          onClose={() => setMenu(null)}
          items={rowMenu(menu.row, {
            status,
            offline,
            comparable: isNode(selectedNode) && selectedNode.key !== menu.row.key,
            restore: () => props.onRestore(menu.row),
            undo: () => props.onUndo(menu.row),
            compare: () => onSelect(menu.row, true),
            pin: props.onPin
          })}
        />
      ) : null}
      {props.children}
    </nav>
  )
}
