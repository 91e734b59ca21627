/** A conversation as a flat list of rows: prompts, answers, the tool calls between them, and marks. Pure. */

import type { Checkpoint } from '../../../contract/checkpoint.ts'
import type { Message, SessionCall, SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import type { RestoreEntry, TimelineEntry } from '../../../contract/timeline.ts'
import type { IconName } from '../../ui/icon-sprite.tsx'
import { isRead, outputLines } from './call-words.ts'

export type TalkRow =
  | { readonly kind: 'prompt'; readonly key: string; readonly message: Message; readonly turn: SessionTurn | null }
  | { readonly kind: 'say'; readonly key: string; readonly message: Message; readonly turn: SessionTurn | null }
  | CallRow
  | {
      readonly kind: 'mark'
      readonly key: string
      readonly icon: IconName
      readonly text: string
      readonly at: number | null
    }

/** Calls that follow each other are drawn as one box; `first` and `last` are its ends. */
export interface CallRow {
  readonly kind: 'call'
  readonly key: string
  /** One call, or reads that are told together. */
  readonly calls: readonly [SessionCall, ...SessionCall[]]
  readonly turn: SessionTurn | null
  readonly takenBack: boolean
  readonly first: boolean
  readonly last: boolean
}

/** Reads in a row beyond the first one are one line when there are at least this many. */
const FEWEST_FOLDED = 2

/** `unfolded`: keys of lines of several reads that are shown one by one. */
export function talkRows(
  detail: SessionDetail,
  restores: readonly RestoreEntry[],
  unfolded: ReadonlySet<string>
): TalkRow[] {
  const turns = new Map(detail.turns.map((turn) => [turn.id, turn]))
  const turnOf = (id: string | null) => (id === null ? null : (turns.get(id) ?? null))
  const goneTurns = new Set(
    detail.messages.filter(({ role, superseded }) => role === 'user' && superseded).map(({ turn }) => turn)
  )
  const rows: TalkRow[] = []
  const between = [...detail.calls.map(callMoment), ...detail.checkpoints.flatMap(markMoment)].sort(
    (a, b) => a.at - b.at
  )
  let next = 0
  const emitUntil = (at: number) => {
    const calls: SessionCall[] = []
    const flush = () => {
      if (calls.length > 0) rows.push(...callRows(calls.splice(0), unfolded, turnOf, goneTurns))
    }
    for (let moment = between[next]; moment && moment.at < at; moment = between[++next]) {
      if (moment.call) calls.push(moment.call)
      else {
        flush()
        rows.push(moment.mark)
      }
    }
    flush()
  }
  let backSince: string | null = null
  for (const message of detail.messages) {
    emitUntil(message.at)
    const at = message.superseded ? takenBackAt(message, detail.session.id, restores) : null
    const since = message.superseded ? String(at) : null
    if (since !== null && since !== backSince) {
      rows.push({ kind: 'mark', key: `back-${message.seq}`, icon: 'restore', text: 'Taken back', at })
    }
    backSince = since
    const turn = turnOf(message.turn)
    rows.push({ kind: message.role === 'user' ? 'prompt' : 'say', key: `m${message.seq}`, message, turn })
  }
  emitUntil(Number.POSITIVE_INFINITY)
  return rows
}

type Moment =
  | { readonly at: number; readonly call: SessionCall; readonly mark: null }
  | { readonly at: number; readonly call: null; readonly mark: TalkRow }

function callMoment(call: SessionCall): Moment {
  return { at: call.startedAt, call, mark: null }
}

const MARKS: Partial<Readonly<Record<Checkpoint['reason'], readonly [IconName, string]>>> = {
  compact: ['unfold', 'The agent shortened its context'],
  plan_mode: ['todo', 'Plan mode changed'],
  manual: ['pin', 'Pinned']
}

function markMoment({ id, reason, at, label }: Checkpoint): Moment[] {
  const [icon, words] = MARKS[reason] ?? []
  if (!icon || !words) return []
  const text = reason === 'manual' && label ? `${words} “${label}”` : words
  return [{ at, call: null, mark: { kind: 'mark', key: id, icon, text, at } }]
}

function callRows(
  calls: readonly SessionCall[],
  unfolded: ReadonlySet<string>,
  turnOf: (id: string | null) => SessionTurn | null,
  goneTurns: ReadonlySet<string | null>
): CallRow[] {
  const groups: [SessionCall, ...SessionCall[]][] = []
  for (let at = 0; at < calls.length; ) {
    const call = calls[at] as SessionCall
    const reads = isRead(call) ? calls.slice(at).findIndex((one) => !isRead(one)) : 1
    const run = reads === -1 ? calls.length - at : reads
    const rest = calls.slice(at + 1, at + run)
    groups.push([call])
    const [second, ...others] = rest
    if (second && rest.length >= FEWEST_FOLDED && !unfolded.has(second.id)) groups.push([second, ...others])
    else for (const one of rest) groups.push([one])
    at += Math.max(1, run)
  }
  return groups.map((group, index) => ({
    kind: 'call',
    key: group[0].id,
    calls: group,
    turn: turnOf(group[0].turn),
    takenBack: goneTurns.has(group[0].turn),
    first: index === 0,
    last: index === groups.length - 1
  }))
}

/** When a message was taken back: by the first restore after it that is still in force. null when that is not loaded. */
function takenBackAt(message: Message, session: string, restores: readonly RestoreEntry[]): number | null {
  const after = restores
    .filter(({ conversation, undone, at }) => conversation?.session === session && !undone && at >= message.at)
    .map(({ at }) => at)
  return after.length > 0 ? Math.min(...after) : null
}

/** Restores among loaded entries that did something to a conversation. */
export function conversationRestores(entries: readonly TimelineEntry[], session: string): RestoreEntry[] {
  return entries.filter(
    (entry): entry is RestoreEntry => entry.kind === 'restore' && entry.conversation?.session === session
  )
}

export function isTakenBack(row: TalkRow): boolean {
  if (row.kind === 'call') return row.takenBack
  return row.kind !== 'mark' && row.message.superseded
}

/** The turn a row belongs to. */
export function turnOfRow(row: TalkRow | undefined): SessionTurn | null {
  return row && row.kind !== 'mark' ? row.turn : null
}

/** Messages after the row that was last seen at the end. */
export function newerMessages(rows: readonly TalkRow[], seen: string | null): number {
  const at = rows.findIndex(({ key }) => key === seen)
  if (at < 0) return 0
  return rows.slice(at + 1).filter(({ kind }) => kind === 'prompt' || kind === 'say').length
}

/** Index of the prompt a selection of the timeline means: the turn's, or the first of the run's. -1 without one. */
export function promptIndex(rows: readonly TalkRow[], run: string | null, turn: string | null): number {
  return rows.findIndex(
    (row) => row.kind === 'prompt' && row.turn !== null && (turn ? row.turn.id === turn : row.turn.run === run)
  )
}

function outputHeight({ output }: SessionCall): number {
  const { shown, above } = outputLines(output, false)
  return shown.length === 0 ? 0 : 14 + 16 * (shown.length + (above === '' ? 0 : 1))
}

/** Height before it has been measured, px; only the scroll bar depends on how good it is. */
export function guessHeight(row: TalkRow): number {
  if (row.kind === 'call') return (row.last ? 42 : 30) + outputHeight(row.calls[0])
  if (row.kind === 'mark') return 32
  const lines = row.message.text
    .slice(0, 4000)
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / 46)), 0)
  return lines * 20 + (row.kind === 'prompt' ? 52 : 12)
}
