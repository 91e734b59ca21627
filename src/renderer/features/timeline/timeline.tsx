/** The timeline pane: the filter, and the tree of entries beside the rail. */
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
import { Icon } from '../../ui/icon.tsx'
import { isTextField, showKeys } from '../../ui/keys.ts'
import { Menu } from '../../ui/menu.tsx'
import { usePreservedFocus } from '../../ui/preserved-focus.ts'
import { useTypeAhead } from '../../ui/use-type-ahead.ts'
import { VirtualList, type VirtualListHandle } from '../../ui/virtual-list.tsx'
import { isWorking } from '../../../contract/words/tool-calls.ts'
import type { RailSegment } from './rail.ts'
import { undoButtonLabel } from './row-actions.ts'
import { rowMenu } from './row-menu.ts'
import { isSelectable } from './row-targets.ts'
import { TimelineEmpty } from './timeline-empty.tsx'
import { type KindFilter, TimelineHead } from './timeline-head.tsx'
import { type TimelineMove, timelineMove, typeAhead } from './timeline-keys.ts'
import { type RowActions, TimelineRow, type TreePosition } from './timeline-row.tsx'
import { type Row, rowHeight, type SelectableRow } from './timeline-rows.ts'
import { treePositions } from './tree-positions.ts'
import type { Timeline as TimelineData } from './use-timeline.ts'

export interface TimelineHandle {
  focus(): void
  focusFilter(): void
}

interface TimelineProps {
  readonly data: TimelineData
  readonly rows: readonly Row[]
  /** Rail segments, one per row. */
  readonly rails: readonly RailSegment[]
  readonly status: WorkspaceStatus | null
  readonly selected: string | null
  readonly compared: string | null
  readonly now: number
  readonly filter: { readonly text: string; readonly kinds: KindFilter }
  readonly letterKeys: boolean
  /** Why nothing can be written now, null while connected. */
  readonly offline: string | null
  readonly onFilter: (filter: { text: string; kinds: KindFilter }) => void
  readonly onSelect: (row: SelectableRow, extend: boolean) => void
  readonly onCollapse: (row: SelectableRow, collapsed: boolean) => void
  readonly onEnter: () => void
  /** One pane is shown at a time: a click on a row opens the next pane. */
  readonly enterOnClick: boolean
  readonly onRestore: (row: SelectableRow) => void
  readonly onUndo: (row: SelectableRow) => void
  readonly onPin: () => void
  /** Searches messages and changes of the whole workspace for the filter's text. */
  readonly onSearch: (text: string) => void
  /** The splitter to the next pane. */
  readonly children?: ReactNode
  readonly ref?: React.Ref<TimelineHandle>
}

const UNKNOWN_POSITION: TreePosition = { level: 1, size: -1, position: 1 }
/** Letters that are commands in a selected row: restore, undo, pin, swap. */
const COMMAND_LETTERS = 'rupxRUPX'

function isLive(row: Row): boolean {
  if (row.kind === 'call') return isWorking(row.call)
  return row.kind === 'entry' && row.entry.kind === 'run' && row.entry.state === 'live'
}

export function Timeline(props: TimelineProps) {
  const { data, rows, rails, selected, compared, status, onSelect, offline } = props
  const list = useRef<VirtualListHandle>(null)
  const field = useRef<HTMLInputElement>(null)
  const [focusKey, setFocusKey] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ readonly row: SelectableRow; readonly anchor: DOMRect } | null>(null)
  const typeAheadState = useTypeAhead()
  const positions = useMemo(() => treePositions(rows, data.pages?.total ?? 0), [rows, data.pages?.total])

  const indexOf = (key: string | null) => (key === null ? -1 : rows.findIndex((row) => row.key === key))
  const firstSelectable = rows.findIndex((row) => row.kind !== 'day')
  const focusAt = [indexOf(focusKey), indexOf(selected), firstSelectable].find((index) => index >= 0) ?? 0

  useImperativeHandle(props.ref, () => ({
    focus: () => {
      const index = indexOf(selected)
      list.current?.focusRow(index >= 0 ? index : focusAt)
    },
    focusFilter: () => field.current?.focus()
  }))

  const held = usePreservedFocus(list, focusAt, rows)

  const goTo = (index: number, extend: boolean) => {
    const row = rows[index]
    if (!isSelectable(row)) return
    setFocusKey(row.key)
    list.current?.focusRow(index)
    onSelect(row, extend)
  }
  const openMenu = (row: SelectableRow, anchor: DOMRect) => setMenu({ row, anchor })

  const goToEnd = useGoToEnd(data, () => goTo(rows.length - 1, false))
  const perform = (move: TimelineMove) => {
    const row = rows[focusAt]
    if ('to' in move) return goTo(move.to, move.extend)
    if (!isSelectable(row)) return
    if ('collapse' in move) {
      if (row.kind === 'entry' && row.key !== selected) onSelect(row, false)
      return props.onCollapse(row, move.collapse)
    }
    switch (move.do) {
      case 'enter':
        onSelect(row, false)
        return props.onEnter()
      case 'select':
        return onSelect(row, false)
      case 'menu': {
        const element = list.current?.element?.querySelector(`[data-index="${focusAt}"]`)
        if (element) openMenu(row, element.getBoundingClientRect())
        return
      }
      case 'clear':
        if (props.filter.text) props.onFilter({ ...props.filter, text: '' })
        else if (compared !== null) onSelect(row, false)
        return
      case 'end':
        void goToEnd()
    }
  }

  // A changed filter makes a new list, which starts at its top.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a changed filter scrolls.
  useLayoutEffect(() => {
    const element = list.current?.element
    if (element) element.scrollTop = 0
  }, [props.filter.text, props.filter.kinds])

  const pick = (row: SelectableRow, index: number, extend: boolean) => {
    setFocusKey(row.key)
    list.current?.focusRow(index)
    onSelect(row, extend)
    if (props.enterOnClick && !extend) props.onEnter()
  }
  const latest = useRef({ pick, props })
  latest.current = { pick, props }
  const [actions] = useState<RowActions>(() => ({
    pick: (row, index, extend) => latest.current.pick(row, index, extend),
    onFocusRow: (row) => setFocusKey(row.key),
    menu: (row, anchor) => setMenu({ row, anchor }),
    collapse: (row, collapsed) => latest.current.props.onCollapse(row, collapsed),
    restore: (row) => latest.current.props.onRestore(row),
    undo: (row) => latest.current.props.onUndo(row)
  }))

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTextField(event.target)) return
    if (event.target instanceof HTMLButtonElement && (event.key === 'Enter' || event.key === ' ')) return
    const pending = typeAheadState.pending()
    const move = pending && event.key.length === 1 ? null : timelineMove(rows, focusAt, event, props.letterKeys)
    // With nothing to clear, Escape is left to the surrounding panes.
    if (move && 'do' in move && move.do === 'clear' && !props.filter.text && compared === null) return
    if (move) {
      event.preventDefault()
      return perform(move)
    }
    // Command letters are left to the command table; other letters jump to a row.
    const isLetter = event.key.length === 1 && /[\p{L}\p{N}]/u.test(event.key)
    if (!isLetter || event.metaKey || event.ctrlKey || event.altKey) return
    if (!pending && props.letterKeys && COMMAND_LETTERS.includes(event.key)) return
    // A longer prefix may still match the focused row.
    const found = typeAhead(rows, pending ? focusAt - 1 : focusAt, typeAheadState.append(event.key))
    event.preventDefault()
    if (found !== null) goTo(found, false)
  }

  const filtered = props.filter.text !== '' || props.filter.kinds !== 'all'
  const selectedRow = rows[indexOf(selected)]
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
      <SearchEverything text={props.filter.text.trim()} onSearch={props.onSearch} />
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
          heightOf={rowHeight}
          alwaysRendered={focusAt}
          onKeyDown={onKeyDown}
          onNearEnd={data.loadOlder}
          renderRow={(row, index) => (
            <TimelineRow
              row={row}
              index={index}
              rail={rails[index]}
              place={positions[index] ?? UNKNOWN_POSITION}
              selected={row.key === selected}
              compared={row.key === compared}
              focusable={index === focusAt}
              root={status?.workspace.root ?? ''}
              now={isLive(row) ? props.now : minute}
              undoLabel={undoButtonLabel(row, status)}
              actions={actions}
            />
          )}
        />
      )}
      {menu ? (
        <Menu
          label="Row actions"
          anchor={menu.anchor}
          onClose={() => setMenu(null)}
          items={rowMenu(menu.row, {
            status,
            offline,
            comparable: isSelectable(selectedRow) && selectedRow.key !== menu.row.key,
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

/** Offers to search the whole workspace for a filter text that is long enough. */
function SearchEverything({ text, onSearch }: { readonly text: string; readonly onSearch: (text: string) => void }) {
  if (text.length < 2) return null
  return (
    <button type="button" className="tl-everywhere" onClick={() => onSearch(text)}>
      <Icon name="search" size="s" />
      <span className="ell">
        Search everything <span className="sr">, messages and changes, for “{text}”</span>
      </span>
      <kbd>{showKeys('Mod+Enter')}</kbd>
    </button>
  )
}

/** Returns the function for the End key: loads all entries first, then moves to the last row. */
function useGoToEnd(data: TimelineData, goToLast: () => void): () => Promise<void> {
  const latest = useRef(goToLast)
  latest.current = goToLast
  const [requests, setRequests] = useState(0)
  // Runs in the render that contains the loaded rows.
  useLayoutEffect(() => {
    if (requests > 0) latest.current()
  }, [requests])
  return async () => {
    if (!data.pages?.more) return latest.current()
    await data.loadAll()
    setRequests((count) => count + 1)
  }
}
