/**
 * A conversation as a flat list of rows: prompts, answers, the tool calls between them, and markers. Pure.
 * A row's key is that of its message, first call or marker and never an index, because pages are added at both ends.
 */
import type { Checkpoint } from '../../../contract/checkpoint.ts'
import {
  isInForce,
  type Message,
  type MessagePage,
  type SessionCall,
  type SessionDetail,
  type SessionTurn
} from '../../../contract/conversation.ts'
import type { RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import { repetitionKey, visibleOutput } from '../../../contract/words/tool-calls.ts'
import type { IconName } from '../../ui/icon.tsx'

/** A row that belongs to a turn, or to none. */
type InTurn<K extends string, More> = {
  readonly kind: K
  readonly key: string
  readonly turn: SessionTurn | null
} & More

/**
 * One call, or adjacent ones of the same kind shown as one line. Adjacent calls are drawn as one box; `first` and `last` are its ends.
 */
export type CallRow = InTurn<
  'call',
  {
    readonly calls: readonly [SessionCall, ...SessionCall[]]
    readonly undone: boolean
    readonly first: boolean
    readonly last: boolean
  }
>

interface MarkerRow {
  readonly kind: 'marker'
  readonly key: string
  readonly icon: IconName
  readonly text: string
  readonly at: number | null
}

type SaidRow = InTurn<'prompt' | 'answer', { readonly message: Message }>

export type MessageRow = SaidRow | CallRow | MarkerRow

/** What a comment on the row is on: its message or its one call; null for a group of calls, and a marker. */
export function commentableOf(row: MessageRow): Message | SessionCall | null {
  if (row.kind === 'marker') return null
  if (row.kind !== 'call') return row.message
  return row.calls.length === 1 ? row.calls[0] : null
}

/** Adjacent calls of the same kind after the first one are grouped if there are at least this many. */
const MIN_GROUPED = 2

/** A conversation with a part of its messages. */
export type Conversation = SessionDetail & Pick<MessagePage, 'messages' | 'more' | 'inForce'>

/**
 * `expanded`: calls whose group is shown one by one. Calls and markers from before the first and after
 * the last loaded message belong to pages that are not loaded.
 */
export function messageRows(
  detail: Conversation,
  restores: readonly RestoreEntry[],
  expanded: ReadonlySet<string>
): MessageRow[] {
  const turns = new Map(detail.turns.map((turn) => [turn.id, turn]))
  const turnOf = (id: string | null) => (id === null ? null : (turns.get(id) ?? null))
  const { messages, more, inForce } = detail
  const undoneTurns = new Set(
    detail.turns.flatMap(({ id, message }) => (message !== null && !isInForce(inForce, message) ? [id] : []))
  )
  const rows: MessageRow[] = []
  const from = more.before ? (messages[0]?.at ?? 0) : Number.NEGATIVE_INFINITY
  const to = more.after ? (messages.at(-1)?.at ?? 0) : Number.POSITIVE_INFINITY
  const events = [
    ...detail.calls.map((call) => ({ at: call.startedAt, call })),
    ...detail.checkpoints.flatMap(markersOf)
  ]
    .filter(({ at }) => at >= from && at < to)
    .sort((a, b) => a.at - b.at)
  let next = 0
  /** Adds the calls and markers from before a time. Adjacent calls form one box. */
  const addEventsUntil = (at: number) => {
    const calls: SessionCall[] = []
    const addCalls = () => {
      if (calls.length > 0) rows.push(...callRows(calls.splice(0), expanded, turnOf, undoneTurns))
    }
    for (let event = events[next]; event && event.at < at; event = events[++next]) {
      if ('call' in event) calls.push(event.call)
      else {
        addCalls()
        rows.push(event)
      }
    }
    addCalls()
  }
  let lastUndone: string | null = null
  for (const message of messages) {
    addEventsUntil(message.at)
    const at = message.superseded ? undoneAt(message, detail.session.id, restores) : null
    // One marker precedes adjacent messages that the same restore undid.
    const undone = message.superseded ? String(at) : null
    if (undone !== null && undone !== lastUndone) {
      rows.push({ kind: 'marker', key: `undone-${message.seq}`, icon: 'restore', text: 'Undone', at })
    }
    lastUndone = undone
    const turn = turnOf(message.turn)
    rows.push({ kind: message.role === 'user' ? 'prompt' : 'answer', key: `m${message.seq}`, message, turn })
  }
  addEventsUntil(Number.POSITIVE_INFINITY)
  return rows
}

const MARKERS: Partial<Readonly<Record<Checkpoint['reason'], readonly [IconName, string]>>> = {
  compact: ['unfold', 'The agent compacted its context'],
  plan_mode: ['todo', 'Plan mode changed'],
  manual: ['pin', 'Pinned']
}

function markersOf({ id, reason, at, label }: Checkpoint): (MarkerRow & { readonly at: number })[] {
  const [icon, title] = MARKERS[reason] ?? []
  if (!icon || !title) return []
  const text = reason === 'manual' && label ? `${title} “${label}”` : title
  return [{ kind: 'marker', key: id, icon, text, at }]
}

function callRows(
  calls: readonly SessionCall[],
  expanded: ReadonlySet<string>,
  turnOf: (id: string | null) => SessionTurn | null,
  undoneTurns: ReadonlySet<string | null>
): CallRow[] {
  const groups: [SessionCall, ...SessionCall[]][] = []
  for (let at = 0; at < calls.length; ) {
    const call = calls[at] as SessionCall
    const key = repetitionKey(call)
    const end = calls.findIndex((next, n) => n > at && (key === null || repetitionKey(next) !== key))
    const rest = calls.slice(at + 1, end === -1 ? calls.length : end)
    groups.push([call])
    const [second, ...later] = rest
    if (second && rest.length >= MIN_GROUPED && !rest.some(({ id }) => expanded.has(id)))
      groups.push([second, ...later])
    else for (const each of rest) groups.push([each])
    at += 1 + rest.length
  }
  return groups.map((group, index) => ({
    kind: 'call',
    key: group[0].id,
    calls: group,
    turn: turnOf(group[0].turn),
    undone: undoneTurns.has(group[0].turn),
    first: index === 0,
    last: index === groups.length - 1
  }))
}

/**
 * When a message was undone: at the first later restore of its session that is in force. null if that restore is not
 * loaded.
 */
function undoneAt(message: Message, session: string, restores: readonly RestoreEntry[]): number | null {
  const after = restores
    .filter(({ conversation, undone, at }) => conversation?.session === session && !undone && at >= message.at)
    .map(({ at }) => at)
  return after.length > 0 ? Math.min(...after) : null
}

/** The loaded restores that changed a conversation. */
export function conversationRestores(entries: readonly TimelineEntry[], session: string): RestoreEntry[] {
  return entries.filter(
    (entry): entry is RestoreEntry => entry.kind === 'restore' && entry.conversation?.session === session
  )
}

export function isUndone(row: MessageRow): boolean {
  if (row.kind === 'call') return row.undone
  return row.kind !== 'marker' && row.message.superseded
}

/** The turn a row belongs to. */
export function turnOfRow(row: MessageRow | undefined): SessionTurn | null {
  return row && row.kind !== 'marker' ? row.turn : null
}

/** Number of messages after the row with key `lastRead`. */
export function countNewerMessages(rows: readonly MessageRow[], lastRead: string | null): number {
  const at = rows.findIndex(({ key }) => key === lastRead)
  if (at < 0) return 0
  return rows.slice(at + 1).filter(({ kind }) => kind === 'prompt' || kind === 'answer').length
}

/** Index of the prompt for a timeline selection: the turn's prompt, else the first one of the run; -1 if none. */
export function findPrompt(rows: readonly MessageRow[], run: string | null, turn: string | null): number {
  return rows.findIndex(
    (row) => row.kind === 'prompt' && row.turn !== null && (turn ? row.turn.id === turn : row.turn.run === run)
  )
}

function outputHeight({ output }: SessionCall): number {
  const { shown, above } = visibleOutput(output, false)
  return shown.length === 0 ? 0 : 14 + 16 * (shown.length + (above === '' ? 0 : 1))
}

/** Height of a row until it is measured, px. The estimate only affects the scroll bar. */
export function estimateHeight(row: MessageRow): number {
  if (row.kind === 'call') return (row.last ? 42 : 30) + outputHeight(row.calls[0])
  if (row.kind === 'marker') return 32
  const lines = row.message.text
    .slice(0, 4000)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 46)), 0)
  return lines * 20 + (row.kind === 'prompt' ? 52 : 12)
}
