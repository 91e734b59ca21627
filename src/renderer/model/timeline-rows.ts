/**
 * The timeline as a flat list of rows: days, conversations, entries, and the child rows of the one run that is open.
 * Adjacent runs of a conversation are below its first prompt; the order of the log is never changed for that. Pure.
 * Invariant: a row's key names the same thing in every list, because selection, focus, scroll position and rendered
 * rows are found again by it.
 */
import type { Checkpoint } from '../../contract/checkpoint.ts'
import type { Todo, ToolCall, Turn } from '../../contract/conversation.ts'
import type { SentReview } from '../../contract/review.ts'
import type { EntryDetail, RunEntry, TimelineEntry } from '../../contract/timeline.ts'
import { entryTitle } from '../../contract/words/timeline.ts'
import { dayKey, dayName } from '../../contract/words/times.ts'
import type { ListShape } from '../ui/list-keys.ts'
import type { RailRow } from './rail.ts'

/** `grouped`: below the head of a conversation. */
interface Grouped {
  readonly grouped?: boolean
}

/** A row below the open run. */
type Child<K extends string, More = unknown> = {
  readonly kind: K
  readonly key: string
  readonly run: RunEntry
} & Grouped &
  More

/** The head of adjacent runs of one conversation. */
interface ConversationRow {
  readonly kind: 'conversation'
  readonly key: string
  readonly title: string
  readonly runs: number
  readonly open: boolean
}

export type Row =
  | { readonly kind: 'day'; readonly key: string; readonly label: string }
  /** Entries that are not loaded; `next` is the newest one below them. */
  | { readonly kind: 'gap'; readonly key: string; readonly count: number; readonly next: TimelineEntry | null }
  | ConversationRow
  | ({
      readonly kind: 'entry'
      readonly key: string
      readonly entry: TimelineEntry
      readonly open: boolean
      /** Its title has two lines. */
      readonly wraps?: boolean
    } & Grouped)
  /** `turn`: null while its details are loading, when only the number of turns is known. */
  | Child<'turn', { readonly turn: Turn | null; readonly calls: number; readonly open: boolean }>
  | Child<'call', { readonly turn: Turn; readonly call: ToolCall }>
  /** A message of a review that a turn of the run got. */
  | Child<'review', { readonly review: SentReview }>
  | Child<'plan', { readonly todos: readonly Todo[] }>
  /** Groups the checkpoints of the run, except its start. */
  | Child<'checkpoints', { readonly count: number; readonly open: boolean }>
  /** `before`: target of the previous checkpoint of the run, or of its start. */
  | Child<'checkpoint', { readonly checkpoint: Checkpoint; readonly before: string }>
  | Child<'start'>

/** Every row that has changes of its own. */
export type SelectableRow = Exclude<Row, { kind: 'day' | 'gap' | 'conversation' }>

export function isSelectable(row: Row | undefined): row is SelectableRow {
  return row !== undefined && row.kind !== 'conversation' && canFocus(row)
}

function canFocus(row: Row | undefined): boolean {
  return row !== undefined && row.kind !== 'day' && row.kind !== 'gap'
}

export interface OpenRun extends Partial<Pick<EntryDetail, 'calls' | 'todos' | 'checkpoints' | 'reviews'>> {
  readonly run: string
  /** null while the details are loading. */
  readonly turns: readonly Turn[] | null
  /** Keys of its child rows that are expanded. */
  readonly expanded?: ReadonlySet<string>
}

const MAX_PLACEHOLDERS = 50
/** A single checkpoint repeats what the turns show, so it gets no row. */
const MIN_CHECKPOINTS_SHOWN = 2

/** What the rows depend on besides the newest entries. */
interface RowSources {
  readonly open: OpenRun | null
  readonly now: number
  /** Further runs whose rows are still shown. */
  readonly lingering?: readonly OpenRun[]
  /** Keys of conversations that are collapsed. */
  readonly collapsed?: ReadonlySet<string>
  /** Entries that are not loaded, and the loaded ones below them. */
  readonly gap?: number
  readonly oldest?: readonly TimelineEntry[]
  /** Whether the title of an entry needs two lines; none does without it. */
  readonly wraps?: (entry: TimelineEntry) => boolean
}

/** Rows for `entries`, newest first. A run with one turn and no tool calls gets no turn row, which would repeat the run. */
export function timelineRows(
  entries: readonly TimelineEntry[],
  open: OpenRun | null,
  now: number,
  more: Omit<RowSources, 'open' | 'now'> = {}
): Row[] {
  const { gap = 0, oldest = [] } = more
  const sources = { ...more, open, now }
  const rows = rowsOfEntries(entries, sources, '')
  if (gap === 0) return rows
  // The row above an entry tells where its changes end, so the newest entry below the gap is not shown itself.
  const [next = null, ...shown] = oldest
  const count = gap + (next ? 1 : 0)
  return [...rows, { kind: 'gap', key: 'gap', count, next }, ...rowsOfEntries(shown, sources, 'oldest-')]
}

/** `prefix`: both sides of the gap may show the same day. */
function rowsOfEntries(entries: readonly TimelineEntry[], sources: RowSources, prefix: string): Row[] {
  const { open, now, lingering = [], collapsed, wraps } = sources
  const rows: Row[] = []
  let day = ''
  let at = 0
  while (at < entries.length) {
    const first = entries[at] as TimelineEntry
    const key = dayKey(first.at)
    if (key !== day) {
      day = key
      rows.push({ kind: 'day', key: `day-${prefix}${key}`, label: dayName(first.at, now) })
    }
    const end = endOfConversation(entries, at)
    const head = conversationHead(entries.slice(at, end), collapsed)
    if (head) rows.push(head)
    for (const entry of head?.open === false ? [] : entries.slice(at, end)) {
      const shown = open?.run === entry.id ? open : lingering.find(({ run }) => run === entry.id)
      const grouped = head ? { grouped: true } : {}
      const title = wraps?.(entry) ? { wraps: true } : {}
      const isOpen = entry.kind === 'run' && shown !== undefined
      rows.push({ kind: 'entry', key: entry.id, entry, open: isOpen, ...title, ...grouped })
      if (entry.kind === 'run' && shown) rows.push(...childRows(entry, shown).map((row) => ({ ...row, ...grouped })))
    }
    at = end
  }
  return rows
}

/** The index after the last adjacent run of the same conversation and day. */
function endOfConversation(entries: readonly TimelineEntry[], at: number): number {
  const first = entries[at]
  let end = at + 1
  if (first?.kind !== 'run' || first.session === null || first.conversation === '') return end
  const day = dayKey(first.at)
  for (let next = entries[end]; next?.kind === 'run'; next = entries[++end]) {
    if (next.session !== first.session || dayKey(next.at) !== day) break
  }
  return end
}

/** The head of these runs; null for a run that is its own conversation so far. */
function conversationHead(
  entries: readonly TimelineEntry[],
  collapsed: ReadonlySet<string> | undefined
): ConversationRow | null {
  const oldest = entries.at(-1)
  if (oldest?.kind !== 'run' || oldest.session === null || oldest.conversation === '') return null
  if (entries.length === 1 && oldest.prompt === oldest.conversation) return null
  // Newer runs are added above, so the oldest one keeps the key.
  const key = `conversation-${oldest.id}`
  const open = collapsed?.has(key) !== true
  return { kind: 'conversation', key, title: oldest.conversation, runs: entries.length, open }
}

function childRows(run: RunEntry, open: OpenRun): Row[] {
  const { turns, calls = [], todos = [], reviews = [], expanded } = open
  const rows: Row[] = []
  // Rows go back in time from top to bottom, so the plan is above the turns.
  if (todos.length > 0) rows.push({ kind: 'plan', key: `${run.id}-plan`, run, todos })
  if (turns) {
    const newestFirst = [...turns].sort((a, b) => b.startSeq - a.startSeq || b.at - a.at)
    const hasTurns = newestFirst.length > 1 || calls.length > 0
    for (const [i, turn] of newestFirst.entries()) {
      const key = turnKey(run, newestFirst.length - i)
      const own = calls.filter((call) => call.turn === turn.id)
      const isOpen = expanded?.has(key) === true && own.length > 0
      if (hasTurns) rows.push({ kind: 'turn', key, run, turn, calls: own.length, open: isOpen })
      if (isOpen) rows.push(...own.toReversed().map((call): Row => ({ kind: 'call', key: call.id, run, turn, call })))
      // A turn gets its messages before it does anything.
      const sent = reviews.filter((review) => review.turn === turn.id)
      rows.push(...sent.toReversed().map((review): Row => ({ kind: 'review', key: review.id, run, review })))
    }
  } else if (run.turns > 1) {
    for (let i = 0; i < Math.min(run.turns, MAX_PLACEHOLDERS); i++) {
      rows.push({ kind: 'turn', key: turnKey(run, run.turns - i), run, turn: null, calls: 0, open: false })
    }
  }
  rows.push(...checkpointRows(run, open))
  rows.push({ kind: 'start', key: `${run.id}:start`, run })
  return rows
}

function checkpointRows(run: RunEntry, { checkpoints = [], expanded }: OpenRun): Row[] {
  const afterStart = checkpoints.filter(({ reason }) => reason !== 'run_start')
  if (afterStart.length < MIN_CHECKPOINTS_SHOWN) return []
  const key = `${run.id}-checkpoints`
  const isOpen = expanded?.has(key) === true
  const head: Row = { kind: 'checkpoints', key, run, count: afterStart.length, open: isOpen }
  if (!isOpen) return [head]
  const all = checkpoints.map((checkpoint, i) => ({
    kind: 'checkpoint' as const,
    key: checkpoint.id,
    run,
    checkpoint,
    before: checkpoints[i - 1]?.id ?? `${run.id}:start`
  }))
  const reasons = [...new Set(afterStart.map(({ reason }) => reason))]
  return [
    head,
    ...reasons.flatMap((reason) => all.filter(({ checkpoint }) => checkpoint.reason === reason).toReversed())
  ]
}

/** Numbered from the first turn, so that a placeholder keeps its key (and focus) when its details arrive. */
function turnKey(run: RunEntry, number: number): string {
  return `${run.id}-turn-${number}`
}

const ENTRY_HEIGHT = 48
/** Of the second line of a title. */
const LINE_HEIGHT = 20

export function rowHeight(row: Row): number {
  if (row.kind === 'gap') return row.count * ENTRY_HEIGHT
  if (row.kind !== 'entry') return 28
  return row.wraps ? ENTRY_HEIGHT + LINE_HEIGHT : ENTRY_HEIGHT
}

/** Depth below the entry, from 1. */
export function rowDepth(row: Row | undefined): 1 | 2 | 3 {
  if (!row || row.kind === 'entry' || !isSelectable(row)) return 1
  return row.kind === 'call' || row.kind === 'checkpoint' ? 3 : 2
}

/** Depth in the tree, from 1. */
function rowLevel(row: Row | undefined): number {
  return rowDepth(row) + (row && 'grouped' in row && row.grouped ? 1 : 0)
}

/** Whether the child rows are shown; null for a row without children. */
export function isExpanded(row: Row): boolean | null {
  if (row.kind === 'entry') return row.entry.kind === 'run' ? row.open : null
  if (row.kind === 'turn') return row.calls > 0 ? row.open : null
  return row.kind === 'checkpoints' || row.kind === 'conversation' ? row.open : null
}

/** The turn a row is or belongs to; null for other rows and while its details are loading. */
export function turnOf(row: SelectableRow | null): Turn | null {
  return row?.kind === 'turn' || row?.kind === 'call' ? row.turn : null
}

/** Reduces a row to what the rail needs. */
export function toRailRow(row: Row): RailRow {
  const entry = isSelectable(row) ? (row.kind === 'entry' ? row.entry : row.run) : null
  const isEntry = row.kind === 'entry'
  const restore = isEntry && row.entry.kind === 'restore' ? row.entry : null
  const inForce = restore !== null && !restore.undone && (restore.state === 'done' || restore.state === 'partial')
  return {
    kind: entry === null ? 'day' : entry?.kind === 'drift' ? 'outside' : restore ? 'restore' : 'node',
    height: rowHeight(row),
    level: rowDepth(row),
    seq: entry?.seq ?? 0,
    undone: entry?.kind === 'run' && entry.undone,
    expanded: isEntry && row.open,
    open: entry?.kind === 'drift' && entry.state === 'open',
    restoredTo: inForce ? restore.toSeq : null
  }
}

/** The position of a row in the tree for assistive technology: level, number of siblings, own number. */
export interface TreePosition {
  readonly level: number
  readonly size: number
  readonly position: number
}

/** `total`: matching entries, loaded or not. Day headings are no tree items and do not count. */
export function treePositions(rows: readonly Row[], total: number): TreePosition[] {
  /** By level: the siblings of the last row so far. */
  const siblings = [{ count: 0 }, { count: 0 }, { count: 0 }, { count: 0 }]
  let below = 0
  const numbered = rows.map((row) => {
    const level = rowLevel(row)
    const group = siblings[level - 1] ?? { count: 0 }
    if (row.kind === 'gap') group.count += row.count
    else if (row.kind !== 'day') {
      group.count++
      for (let deeper = level; deeper < siblings.length; deeper++) siblings[deeper] = { count: 0 }
    }
    if (row.kind === 'conversation') below += row.runs - 1
    return { level, group, position: group.count }
  })
  // A group is counted only when all its rows are. The runs of a conversation are below one row of the first level.
  return numbered.map(({ level, group, position }) => ({
    level,
    size: level === 1 ? total - below : group.count,
    position
  }))
}

/** The rows as list keys see them. */
export function listShape(rows: readonly Row[]): ListShape {
  return {
    length: rows.length,
    canFocus: (index) => canFocus(rows[index]),
    levelOf: (index) => rowLevel(rows[index]),
    isExpanded: (index) => (rows[index] ? isExpanded(rows[index]) : null),
    textOf: (index) => textOf(rows[index])
  }
}

function textOf(row: Row | undefined): string {
  if (row?.kind === 'entry') return entryTitle(row.entry)
  if (row?.kind === 'conversation') return row.title
  if (row?.kind === 'turn') return row.turn?.prompt ?? ''
  if (row?.kind === 'call') return row.call.summary
  if (row?.kind === 'plan') return 'Plan'
  if (row?.kind === 'review') return 'Review'
  if (row?.kind === 'checkpoints') return 'Checkpoints'
  return row?.kind === 'start' ? 'Start of run' : ''
}
