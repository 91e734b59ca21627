/** One row of the timeline: the piece of line, the node on it, two lines of text, and the row's actions. */
import { memo, type ReactNode } from 'react'
import { Who } from '../../ui/agent.tsx'
import { IconButton } from '../../ui/button.tsx'
import { clock, elapsed, plural } from '../../ui/format.ts'
import { Icon, type IconName } from '../../ui/icon.tsx'
import { ChildText, childSentence } from './child-rows.tsx'
import { Counts } from './counts.tsx'
import { restoreOffer } from './node.ts'
import type { Stroke } from './rail.ts'
import { Rail } from './rail-view.tsx'
import { heightOf, isUnfolded, type NodeRow, type Row } from './rows.ts'
import { DRIFT_STATES, entrySentence, titleOf, whoLine } from './sentences.ts'

export interface RowPlace {
  readonly level: number
  readonly size: number
  readonly position: number
}

export interface RowActions {
  readonly restore: (row: NodeRow) => void
  readonly undo: (row: NodeRow) => void
  readonly pick: (row: NodeRow, index: number, extend: boolean) => void
  readonly focused: (row: NodeRow) => void
  readonly menu: (row: NodeRow, anchor: DOMRect) => void
  readonly fold: (row: NodeRow, folded: boolean) => void
}

interface TimelineRowProps {
  readonly row: Row
  readonly index: number
  readonly strokes: readonly Stroke[]
  readonly place: RowPlace
  readonly selected: boolean
  /** Second half of a comparison. */
  readonly compared: boolean
  readonly focusable: boolean
  /** The folder: paths are written from there. */
  readonly root: string
  readonly now: number
  readonly beside: boolean
  /** null: there is nothing to undo here, so no button. */
  readonly undoTitle: string | null
  /** The same object for every row and every render. */
  readonly actions: RowActions
}

/** Drawn again only when something of its own changes: a scroll draws new rows alone. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { row, strokes } = props
  if (row.kind === 'day') {
    return (
      <div className="day" role="presentation">
        <Rail strokes={strokes} height={28} />
        <span className="label">{row.label}</span>
      </div>
    )
  }
  return <NodeView {...props} row={row} />
})

function NodeView({
  row,
  index,
  strokes,
  place,
  selected,
  compared,
  focusable,
  root,
  now,
  beside,
  undoTitle,
  actions
}: TimelineRowProps & { readonly row: NodeRow }) {
  const isRun = row.kind === 'entry' && row.entry.kind === 'run'
  const height = heightOf(row)
  const quiet = beside || (row.kind === 'entry' && row.entry.kind === 'run' && row.entry.takenBack)
  const kind =
    row.kind === 'entry' ? (isRun && hasTile(row) ? 'run' : 'note') : place.level === 3 ? 'turn deep' : 'turn'
  const unfolded = isUnfolded(row)
  return (
    <div
      className={['tl', kind, selected || compared ? 'sel' : '', quiet ? 'gone' : ''].filter(Boolean).join(' ')}
      role="treeitem"
      data-index={index}
      data-key={row.key}
      aria-level={place.level}
      aria-setsize={place.size}
      aria-posinset={place.position}
      aria-expanded={unfolded ?? undefined}
      aria-selected={selected || compared}
      tabIndex={focusable ? 0 : -1}
      onFocus={(event) => {
        if (event.target === event.currentTarget) actions.focused(row)
      }}
      onClick={(event) => {
        if (!(event.target as Element).closest('.acts')) actions.pick(row, index, event.shiftKey)
      }}
      onKeyDown={() => {}}
      onContextMenu={(event) => {
        event.preventDefault()
        actions.menu(row, new DOMRect(event.clientX, event.clientY, 0, 0))
      }}
    >
      <span className="sr">{sentenceOf(row, root, now)}</span>
      <Rail strokes={strokes} height={height} />
      <NodeMark row={row} />
      <div className="body" aria-hidden="true">
        {row.kind === 'entry' ? <EntryText row={row} now={now} /> : <ChildText row={row} root={root} now={now} />}
      </div>
      {/* The same actions are in the row's menu, by key too. */}
      <span className="acts" aria-hidden="true">
        {unfolded !== null && row.kind !== 'entry' ? (
          <IconButton
            icon={unfolded ? 'down' : 'right'}
            size="sm"
            label={unfolded ? 'Close' : 'Open'}
            tabIndex={-1}
            onClick={() => actions.fold(row, unfolded)}
          />
        ) : null}
        <IconButton
          icon="restore"
          size="sm"
          label={restoreOffer(row).title}
          tabIndex={-1}
          onClick={() => actions.restore(row)}
        />
        {undoTitle ? (
          <IconButton icon="undo" size="sm" label={undoTitle} tabIndex={-1} onClick={() => actions.undo(row)} />
        ) : null}
        <IconButton
          icon="more"
          size="sm"
          label="More"
          tabIndex={-1}
          aria-haspopup="menu"
          onClick={(event) => actions.menu(row, event.currentTarget.getBoundingClientRect())}
        />
      </span>
    </div>
  )
}

/** Runs that changed nothing are an eye on the line, others a tile with the agent's letter. */
function hasTile(row: NodeRow): boolean {
  if (row.kind !== 'entry' || row.entry.kind !== 'run') return false
  return row.entry.files > 0 || row.entry.state === 'live'
}

function sentenceOf(row: NodeRow, root: string, now: number): string {
  if (row.kind === 'entry') return entrySentence(row.entry, now)
  return childSentence(row, root, now)
}

function NodeMark({ row }: { readonly row: NodeRow }) {
  if (row.kind === 'turn') return <Node>{<i className="knot fill" />}</Node>
  if (row.kind === 'start' || row.kind === 'point') return <Node>{<i className="knot" />}</Node>
  if (row.kind !== 'entry') return <Node />
  const { entry } = row
  switch (entry.kind) {
    case 'run':
      if (hasTile(row)) return <Node>{<Who agent={entry.agent} live={entry.state === 'live'} />}</Node>
      return <Glyph icon="eye" />
    case 'checkpoint':
      return <Glyph icon="pin" />
    case 'restore':
      return <Glyph icon="restore" />
    case 'drift':
      return <Node drift>{<i className={entry.state === 'open' ? 'knot warn' : 'knot done'} />}</Node>
  }
}

function Node({ drift, children }: { readonly drift?: boolean; readonly children?: ReactNode }) {
  return <span className={drift ? 'node drift' : 'node'}>{children}</span>
}

function Glyph({ icon }: { readonly icon: IconName }) {
  return (
    <span className="node">
      <span className="glyph">
        <Icon name={icon} size="s" />
      </span>
    </span>
  )
}

function EntryText({ row, now }: { readonly row: Extract<Row, { kind: 'entry' }>; readonly now: number }) {
  const { entry } = row
  const live = entry.kind === 'run' && entry.state === 'live'
  return (
    <>
      <div className="t1">
        <span className="ell ttl" dir="auto">
          {titleOf(entry)}
        </span>
        <span className="when">{live ? <span className="badge live">live</span> : clock(entry.at)}</span>
      </div>
      <div className="t2">
        <span className="ell">
          {whoLine(entry)}
          {live ? ` · ${elapsed(now - entry.at)}` : ''}
        </span>
        <span className="end">{endOf(entry)}</span>
      </div>
    </>
  )
}

function endOf(entry: Extract<Row, { kind: 'entry' }>['entry']): ReactNode {
  switch (entry.kind) {
    case 'run':
      if (entry.takenBack) return 'taken back'
      if (entry.files === 0) return entry.state === 'live' ? '' : 'no changes'
      // A live run is counted when it ends.
      if (entry.added + entry.deleted === 0) return plural(entry.files, 'file')
      return (
        <>
          {entry.state === 'interrupted' ? 'interrupted ' : ''}
          <Counts added={entry.added} deleted={entry.deleted} />
        </>
      )
    case 'checkpoint':
      return ''
    case 'restore':
      return entry.undone ? 'undone' : entry.state === 'partial' ? <span className="c-danger">partial</span> : ''
    case 'drift':
      return entry.state === 'open' ? <span className="c-warn">{DRIFT_STATES.open}</span> : DRIFT_STATES[entry.state]
  }
}
