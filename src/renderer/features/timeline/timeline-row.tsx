/** One row of the timeline: its rail segment, its marker, two lines of text, and its actions. */
import { type ComponentProps, memo, type ReactNode, useEffect } from 'react'
import type { TimelineEntry } from '../../../contract/timeline.ts'
import { SEARCH_MARKS } from '../../../contract/words/bisect.ts'
import { formatNumber, plural } from '../../../contract/words/numbers.ts'
import { newestOfKinds } from '../../../contract/words/tests.ts'
import { capitalized } from '../../../contract/words/text.ts'
import { DRIFT_STATES, entryAuthor, entrySentence, entryTitle, INCOMPLETE } from '../../../contract/words/timeline.ts'
import { clock, elapsed } from '../../../contract/words/times.ts'
import { isWorking } from '../../../contract/words/tool-calls.ts'
import type { RailSegment } from '../../model/rail.ts'
import { restoreAction } from '../../model/row-actions.ts'
import type { SearchMark } from '../../model/searched-rows.ts'
import {
  isExpanded,
  type Row,
  rowDepth,
  rowHeight,
  type SelectableRow,
  type TreePosition
} from '../../model/timeline-rows.ts'
import { AgentTile } from '../../ui/agent.tsx'
import { IconButton } from '../../ui/button.tsx'
import { Counts } from '../../ui/counts.tsx'
import { Icon } from '../../ui/icon.tsx'
import { TestMark } from '../../ui/test-mark.tsx'
import { useNow } from '../../ui/use-now.ts'
import { ChildRowText, childSentence } from './child-rows.tsx'
import { Rail } from './rail-view.tsx'

export interface RowActions {
  readonly restore: (row: SelectableRow) => void
  readonly undo: (row: SelectableRow) => void
  /** Asks for the command whose failure is searched. */
  readonly bisect: (row: SelectableRow) => void
  readonly pick: (row: SelectableRow, index: number, extend: boolean) => void
  readonly onFocusRow: (row: SelectableRow) => void
  /** The pointer is over it. */
  readonly onNear: (row: SelectableRow) => void
  readonly onPress: (row: SelectableRow) => void
  readonly menu: (row: SelectableRow, anchor: DOMRect) => void
  readonly collapse: (row: SelectableRow, collapsed: boolean) => void
  readonly collapseConversation: (key: string, collapsed: boolean) => void
  readonly onFocusKey: (key: string) => void
}

/** Prompts can be pages long. */
const MAX_TIP = 300
const NO_PATHS: RailSegment['paths'] = []

interface TimelineRowProps {
  readonly row: Row
  readonly index: number
  readonly rail: RailSegment | undefined
  readonly place: TreePosition
  readonly selected: boolean
  /** What a search found at its position. */
  readonly searched: SearchMark | null
  /** Number of threads of comments that are not resolved. */
  readonly comments: number
  /** The second side of a comparison. */
  readonly compared: boolean
  readonly focusable: boolean
  /** Absolute path of the workspace; paths are shown relative to it. */
  readonly root: string
  /** Label of the undo button; null hides the button. */
  readonly undoLabel: string | null
  /** Why nothing can be restored or undone now, null if it can. */
  readonly unavailable: string | null
  /** The same object for all rows and renders, so that `memo` works. */
  readonly actions: RowActions
  /** Loads entries of the gap. */
  readonly onGap: (() => void) | undefined
}

/** Memoised: scrolling renders only the rows that come into view. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { row, rail } = props
  if (row.kind === 'day') {
    return (
      <div className="day" role="presentation">
        <Rail paths={rail?.paths ?? NO_PATHS} height={28} />
        <span className="label">{row.label}</span>
      </div>
    )
  }
  if (row.kind === 'gap') return <Gap row={row} onGap={props.onGap} />
  if (row.kind === 'conversation') return <ConversationHead {...props} row={row} />
  return <SelectableRowView {...props} row={row} />
})

type RowOf<K extends Row['kind']> = Extract<Row, { kind: K }>

/** Holds the place of entries that are not loaded, and loads them while it is in view. */
function Gap({ row, onGap }: { readonly row: RowOf<'gap'>; readonly onGap: (() => void) | undefined }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a smaller gap that is still in view loads the next page.
  useEffect(() => onGap?.(), [row, onGap])
  return <div className="tl-gap" role="presentation" style={{ height: rowHeight(row) }} />
}

/** The first prompt of a conversation, above its adjacent runs. */
function ConversationHead(props: TimelineRowProps & { readonly row: RowOf<'conversation'> }) {
  const { row, index, rail, place, focusable, actions } = props
  const count = plural(row.runs, 'prompt')
  return (
    <div
      className="tl"
      data-kind="turn"
      role="treeitem"
      data-index={index}
      data-key={row.key}
      aria-level={place.level}
      aria-setsize={place.size}
      aria-posinset={place.position}
      aria-expanded={row.open}
      aria-selected={false}
      tabIndex={focusable ? 0 : -1}
      onFocus={() => actions.onFocusKey(row.key)}
      onClick={() => actions.collapseConversation(row.key, row.open)}
      onKeyDown={() => {}}
    >
      <span className="sr">{`Conversation, ${row.title}, ${count}.`}</span>
      <Rail paths={rail?.paths ?? NO_PATHS} height={rowHeight(row)} />
      <span className="node">
        <Icon name={row.open ? 'down' : 'right'} size="xs" />
      </span>
      <div className="body" aria-hidden="true">
        <span className="ell grow muted" dir="auto" title={row.title.slice(0, MAX_TIP)}>
          {row.title}
        </span>
        <span className="end">{count}</span>
      </div>
    </div>
  )
}

function SelectableRowView({ row, index, rail, place, ...props }: TimelineRowProps & { readonly row: SelectableRow }) {
  const { root, undoLabel, unavailable, actions } = props
  const selected = props.selected || props.compared
  const run = row.kind === 'entry' && row.entry.kind === 'run' ? row.entry : null
  const undone = rail?.bypassed || run?.undone
  const kind = row.kind === 'entry' ? (hasTile(row) ? 'run' : 'note') : 'turn'
  const expanded = isExpanded(row)
  return (
    <div
      className="tl"
      data-kind={kind}
      data-deep={rowDepth(row) === 3 || undefined}
      data-undone={undone || undefined}
      data-wraps={(row.kind === 'entry' && row.wraps) || undefined}
      role="treeitem"
      data-index={index}
      data-key={row.key}
      aria-level={place.level}
      aria-setsize={place.size}
      aria-posinset={place.position}
      aria-expanded={expanded ?? undefined}
      aria-selected={selected}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) actions.onFocusRow(row)
      }}
      onPointerEnter={() => actions.onNear(row)}
      onPointerDown={() => actions.onPress(row)}
      onClick={(event) => {
        if (!(event.target as Element).closest('.acts')) actions.pick(row, index, event.shiftKey)
      }}
      onKeyDown={() => {}}
      onContextMenu={(event) => {
        event.preventDefault()
        actions.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0))
      }}
    >
      <RowSentence row={row} root={root} comments={props.comments} searched={props.searched} />
      <Rail paths={rail?.paths ?? NO_PATHS} height={rowHeight(row)} />
      <RowMarker row={row} />
      {props.searched ? <i className="tl-search" data-mark={props.searched} /> : null}
      <div className="body" aria-hidden="true">
        {row.kind === 'entry' ? (
          <EntryRowText row={row} comments={props.comments} />
        ) : (
          <ChildRowText row={row} root={root} />
        )}
      </div>
      {/* Hidden from assistive technology: the row's menu offers the same actions by keyboard. */}
      <span className={row.kind === 'entry' ? 'acts tl-acts' : 'acts'} data-actions aria-hidden="true">
        {expanded !== null && row.kind !== 'entry' ? (
          <RowButton
            icon={expanded ? 'down' : 'right'}
            label={expanded ? 'Collapse' : 'Expand'}
            onClick={() => actions.collapse(row, expanded)}
          />
        ) : null}
        {row.kind === 'entry' && newestOfKinds(row.entry.tests)[0]?.result === 'failed' ? (
          <RowButton icon="search" label="Find the edit that broke it" onClick={() => actions.bisect(row)} />
        ) : null}
        <RowButton
          icon="restore"
          label={restoreAction(row).label}
          disabledReason={unavailable}
          onClick={() => actions.restore(row)}
        />
        {undoLabel ? (
          <RowButton icon="undo" label={undoLabel} disabledReason={unavailable} onClick={() => actions.undo(row)} />
        ) : null}
        <RowButton
          icon="more"
          label="More actions"
          aria-haspopup="menu"
          onClick={(event) => actions.menu(row, event.currentTarget.getBoundingClientRect())}
        />
      </span>
    </div>
  )
}

function RowButton(props: ComponentProps<typeof IconButton>) {
  return <IconButton size="sm" tabIndex={-1} {...props} />
}

/** Runs that changed files have a tile with the agent's letter; others only a marker on the rail. */
function hasTile(row: SelectableRow): boolean {
  if (row.kind !== 'entry' || row.entry.kind !== 'run') return false
  return row.entry.files > 0 || row.entry.state === 'live'
}

/** The row for screen readers. It contains the time, so it ticks. */
function RowSentence({
  row,
  root,
  comments,
  searched
}: Pick<TimelineRowProps, 'root' | 'comments' | 'searched'> & { readonly row: SelectableRow }) {
  const now = useNow(isLive(row) ? 'second' : 'minute')
  return (
    <span className="sr">
      {row.kind === 'entry' ? entrySentence(row.entry, now) : childSentence(row, root, now)}
      {comments > 0 ? ` ${plural(comments, 'unresolved comment')}.` : ''}
      {searched ? ` ${SEARCH_MARKS[searched]}.` : ''}
    </span>
  )
}

function isLive(row: SelectableRow): boolean {
  if (row.kind === 'call') return isWorking(row.call)
  return row.kind === 'entry' && row.entry.kind === 'run' && row.entry.state === 'live'
}

/** How long a live run has been working. */
function Elapsed({ since }: { readonly since: number }) {
  return <> · {elapsed(useNow('second') - since)}</>
}

function RowMarker({ row }: { readonly row: SelectableRow }) {
  const drift = row.kind === 'entry' && row.entry.kind === 'drift'
  return <span className={drift ? 'node drift' : 'node'}>{marker(row)}</span>
}

const ENTRY_ICONS = { run: 'eye', checkpoint: 'pin', restore: 'restore' } as const

function marker(row: SelectableRow): ReactNode {
  if (row.kind === 'turn') return <i className="knot" data-tone="fill" />
  if (row.kind === 'start' || row.kind === 'checkpoint') return <i className="knot" />
  if (row.kind !== 'entry') return null
  const { entry } = row
  if (entry.kind === 'drift') return <i className="knot" data-tone={entry.state === 'open' ? 'warn' : 'done'} />
  if (entry.kind === 'run' && hasTile(row))
    return <AgentTile className="tl-tile" agent={entry.agent} live={entry.state === 'live'} />
  return (
    <span className="glyph">
      <Icon name={ENTRY_ICONS[entry.kind]} size="s" />
    </span>
  )
}

function EntryRowText({ row, comments }: { readonly row: RowOf<'entry'>; readonly comments: number }) {
  const { entry } = row
  const live = entry.kind === 'run' && entry.state === 'live'
  return (
    <>
      <div className="t1">
        <span className={row.wraps ? 'grow ttl tl-wrapped' : 'ell grow ttl'} dir="auto" title={tipOf(entry)}>
          {entryTitle(entry)}
        </span>
        {entry.kind === 'run' && entry.userNote !== '' ? (
          <span className="tl-comments tl-note" data-tip={entry.userNote.slice(0, MAX_TIP)}>
            <Icon name="pencil" size="xs" />
          </span>
        ) : null}
        {comments > 0 ? (
          <span className="tl-comments num" data-tip={plural(comments, 'unresolved comment')}>
            <Icon name="chat" size="xs" /> {formatNumber(comments)}
          </span>
        ) : null}
        <span className="when">
          {live ? (
            <span className="badge" data-tone="live">
              live
            </span>
          ) : (
            clock(entry.at)
          )}
        </span>
      </div>
      <div className="t2">
        <span className="ell">
          {entryAuthor(entry)}
          {live ? <Elapsed since={entry.at} /> : null}
        </span>
        {entry.kind === 'run' && entry.incomplete ? (
          <span className="c-warn tl-warn" data-tip={capitalized(INCOMPLETE)}>
            <Icon name="warn" size="xs" />
          </span>
        ) : null}
        <TestMark test={newestOfKinds(entry.tests)[0]} />
        <span className="end">{entryStatus(entry)}</span>
      </div>
    </>
  )
}

/** The whole title; of a run that a person named also its prompt. */
function tipOf(entry: TimelineEntry): string {
  const title = entryTitle(entry).slice(0, MAX_TIP)
  return entry.kind === 'run' && entry.label !== '' ? `${title}\nPrompt: ${entry.prompt.slice(0, MAX_TIP)}` : title
}

function entryStatus(entry: Extract<Row, { kind: 'entry' }>['entry']): ReactNode {
  switch (entry.kind) {
    case 'run':
      if (entry.undone) return 'undone'
      if (entry.files === 0) return entry.state === 'live' ? '' : 'no changes'
      if (entry.state === 'interrupted') return 'interrupted'
      // Lines of a live run with many files are counted when it ends.
      if (entry.added + entry.deleted === 0) return plural(entry.files, 'file')
      return <Counts added={entry.added} deleted={entry.deleted} />
    case 'checkpoint':
      return ''
    case 'restore':
      return entry.undone ? 'undone' : entry.state === 'partial' ? <span className="c-danger">partial</span> : ''
    case 'drift': {
      const undecided = entry.state === 'open' || entry.state === 'unreviewed'
      return undecided ? <span className="c-warn">{DRIFT_STATES[entry.state]}</span> : DRIFT_STATES[entry.state]
    }
  }
}
