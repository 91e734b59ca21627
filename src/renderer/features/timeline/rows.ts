/** The timeline as a flat list of rows: days, entries, and below the open run what it is made of. */

import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Todo, ToolCall, Turn } from '../../../contract/conversation.ts'
import type { RunEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { dayKey, dayName } from '../../ui/format.ts'
import type { RailPoint } from './rail.ts'

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly label: string; readonly at: number }
  | { readonly kind: 'entry'; readonly key: string; readonly entry: TimelineEntry; readonly open: boolean }
  | TurnRow
  | CallRow
  | { readonly kind: 'plan'; readonly key: string; readonly run: RunEntry; readonly todos: readonly Todo[] }
  | PointsRow
  | PointRow
  | { readonly kind: 'start'; readonly key: string; readonly run: RunEntry }

export interface TurnRow {
  readonly kind: 'turn'
  readonly key: string
  readonly run: RunEntry
  /** null: known by number only, its details are on their way. */
  readonly turn: Turn | null
  readonly calls: number
  /** Its tool calls are shown. */
  readonly open: boolean
}

export interface CallRow {
  readonly kind: 'call'
  readonly key: string
  readonly run: RunEntry
  readonly turn: Turn
  readonly call: ToolCall
}

/** All checkpoints of a run but its start, as one row until it is opened. */
export interface PointsRow {
  readonly kind: 'points'
  readonly key: string
  readonly run: RunEntry
  readonly count: number
  readonly open: boolean
}

export interface PointRow {
  readonly kind: 'point'
  readonly key: string
  readonly run: RunEntry
  readonly point: Checkpoint
  /** Target of the checkpoint before it in this run. */
  readonly before: string
}

/** A row a person can select. */
export type NodeRow = Exclude<Row, { kind: 'day' }>

export interface OpenRun {
  readonly run: string
  /** null while its details are on their way. */
  readonly turns: readonly Turn[] | null
  readonly calls?: readonly ToolCall[]
  readonly todos?: readonly Todo[]
  readonly checkpoints?: readonly Checkpoint[]
  /** Keys of the rows in it that are open. */
  readonly unfolded?: ReadonlySet<string>
}

const MOST_PLACEHOLDERS = 50
/** Fewer checkpoints than this say nothing that the turns do not say. */
const FEWEST_POINTS = 2

/** Rows for entries that are newest first. A run with a single turn without tool calls shows no turn row: the run says the same. */
export function rowsOf(entries: readonly TimelineEntry[], open: OpenRun | null, now: number): Row[] {
  const rows: Row[] = []
  let day = ''
  for (const entry of entries) {
    const key = dayKey(entry.at)
    if (key !== day) {
      day = key
      rows.push({ kind: 'day', key: `day-${key}`, label: dayName(entry.at, now), at: entry.at })
    }
    const isOpen = entry.kind === 'run' && open?.run === entry.id
    rows.push({ kind: 'entry', key: entry.id, entry, open: isOpen })
    if (isOpen) rows.push(...below(entry, open))
  }
  return rows
}

function below(run: RunEntry, open: OpenRun): Row[] {
  const { turns, calls = [], todos = [], unfolded } = open
  const rows: Row[] = []
  // Down is back in time: what is still to be done stands above what was done.
  if (todos.length > 0) rows.push({ kind: 'plan', key: `${run.id}-plan`, run, todos })
  if (turns) {
    const newestFirst = [...turns].sort((a, b) => b.startSeq - a.startSeq || b.at - a.at)
    if (newestFirst.length > 1 || calls.length > 0) {
      for (const [i, turn] of newestFirst.entries()) {
        const key = turnKey(run, newestFirst.length - i)
        const own = calls.filter((call) => call.turn === turn.id)
        const isOpen = unfolded?.has(key) === true && own.length > 0
        rows.push({ kind: 'turn', key, run, turn, calls: own.length, open: isOpen })
        if (isOpen)
          rows.push(...own.toReversed().map((call): CallRow => ({ kind: 'call', key: call.id, run, turn, call })))
      }
    }
  } else if (run.turns > 1) {
    for (let i = 0; i < Math.min(run.turns, MOST_PLACEHOLDERS); i++) {
      rows.push({ kind: 'turn', key: turnKey(run, run.turns - i), run, turn: null, calls: 0, open: false })
    }
  }
  rows.push(...points(run, open))
  rows.push({ kind: 'start', key: `${run.id}:start`, run })
  return rows
}

function points(run: RunEntry, { checkpoints = [], unfolded }: OpenRun): Row[] {
  const after = checkpoints.filter(({ reason }) => reason !== 'run_start')
  if (after.length < FEWEST_POINTS) return []
  const key = `${run.id}-points`
  const isOpen = unfolded?.has(key) === true
  const head: PointsRow = { kind: 'points', key, run, count: after.length, open: isOpen }
  if (!isOpen) return [head]
  const all = checkpoints.map(
    (point, i): PointRow => ({
      kind: 'point',
      key: point.id,
      run,
      point,
      before: checkpoints[i - 1]?.id ?? `${run.id}:start`
    })
  )
  const reasons = [...new Set(after.map(({ reason }) => reason))]
  return [head, ...reasons.flatMap((reason) => all.filter(({ point }) => point.reason === reason).toReversed())]
}

/** By number from the first turn: the row that waits for its details is the row that shows them. */
function turnKey(run: RunEntry, number: number): string {
  return `${run.id}-turn-${number}`
}

export function heightOf(row: Row): number {
  return row.kind === 'entry' ? 48 : 28
}

/** Depth in the tree, from 1. */
export function levelOf(row: Row | undefined): number {
  if (!row || row.kind === 'entry' || row.kind === 'day') return 1
  return row.kind === 'call' || row.kind === 'point' ? 3 : 2
}

/** Whether the rows below it are shown; null when it has none. */
export function isUnfolded(row: Row): boolean | null {
  if (row.kind === 'entry') return row.entry.kind === 'run' ? row.open : null
  if (row.kind === 'turn') return row.calls > 0 ? row.open : null
  return row.kind === 'points' ? row.open : null
}

/** The turn a row is or belongs to; null for others, and while its details are on their way. */
export function turnOfNode(row: NodeRow | null): Turn | null {
  return row?.kind === 'turn' || row?.kind === 'call' ? row.turn : null
}

/** A row as the line sees it. */
export function railPoint(row: Row): RailPoint {
  const entry = row.kind === 'entry' ? row.entry : row.kind === 'day' ? null : row.run
  const isEntry = row.kind === 'entry'
  const restore = isEntry && row.entry.kind === 'restore' ? row.entry : null
  const isThere = restore !== null && !restore.undone && (restore.state === 'done' || restore.state === 'partial')
  return {
    kind: row.kind === 'day' ? 'day' : entry?.kind === 'drift' ? 'outside' : restore ? 'restore' : 'node',
    height: heightOf(row),
    level: levelOf(row),
    seq: entry?.seq ?? 0,
    takenBack: entry?.kind === 'run' && entry.takenBack,
    unfolded: isEntry && row.open,
    open: entry?.kind === 'drift' && entry.state === 'open',
    backTo: isThere ? restore.toSeq : null
  }
}
