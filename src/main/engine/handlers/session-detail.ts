/** One conversation with its turns, tool calls and checkpoints, or only what is new since an earlier answer. */
import type { Message, SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import type { RunState } from '../../../contract/timeline.ts'
import { type CheckpointRow, toCheckpoint } from '../checkpoints/checkpoints.ts'
import { promptSeqsByTurn } from '../runs/conversation.ts'
import { type MessageRow, messagesOf, seqsInForce } from '../store/messages.ts'
import { STARTS_TURN, TURN_SESSION } from '../store/runs.ts'
import { describeSessionCalls } from '../runs/session-calls.ts'
import { encodeMark, type ListOutlines, rowsSince } from '../runs/session-updates.ts'
import type { SessionRow } from '../store/sessions.ts'
import type { ToolCallRow } from '../store/tool-calls.ts'
import type { Store } from '../store/open-store.ts'
import { describeTurns } from './timeline-entries.ts'

/**
 * `since`: the mark of an earlier answer. The outlines of all lists are read, which is cheap; full rows, which need more queries
 * each, are built only for what is sent.
 */
export function describeSession(
  store: Store,
  row: SessionRow,
  since: string | undefined
): Omit<SessionDetail, 'session' | 'revision' | 'todos' | 'plan'> {
  const messages = messageOutlines(store, row)
  const turns = turnOutlines(store, row)
  const calls = callRows(store, row)
  const checkpoints = store.db
    .prepare('SELECT * FROM checkpoint WHERE session = ? ORDER BY n')
    .all(row.id) as CheckpointRow[]
  const outlines = outlinesOf(row.id, messages, turns, calls, checkpoints)
  const fresh = {
    messages: rowsSince('messages', messages, outlines, since),
    turns: rowsSince('turns', turns, outlines, since),
    calls: rowsSince('calls', calls, outlines, since),
    checkpoints: rowsSince('checkpoints', checkpoints, outlines, since)
  }
  const sentCalls = describeSessionCalls(store, fresh.calls.rows)
  const uncounted = new Set(sentCalls.filter((call) => !call.counted).map((call) => call.id))
  return {
    messages: readMessages(store, row, fresh.messages.rows),
    turns: readTurns(store, row, fresh.turns.rows),
    calls: sentCalls,
    checkpoints: fresh.checkpoints.rows.map((checkpoint) => toCheckpoint(store, checkpoint)),
    from: {
      messages: fresh.messages.from,
      turns: fresh.turns.from,
      calls: fresh.calls.from,
      checkpoints: fresh.checkpoints.from
    },
    // Calls that are not counted yet are marked as open, so that the next answer contains them again.
    mark: encodeMark({
      ...outlines,
      calls: outlines.calls.map((call) => (uncounted.has(call.id) ? { ...call, open: true } : call))
    })
  }
}

function outlinesOf(
  session: string,
  messages: readonly MessageOutline[],
  turns: readonly TurnOutline[],
  calls: readonly ToolCallRow[],
  checkpoints: readonly CheckpointRow[]
): ListOutlines {
  return {
    messages: messages.map(({ seq, superseded }) => ({
      id: `${session} ${seq}`,
      values: String(superseded),
      open: false
    })),
    turns,
    calls: calls.map(({ id, state, closed_at, paths }) => ({
      id,
      values: [state, closed_at, paths].join(' '),
      open: closed_at === null
    })),
    checkpoints: checkpoints.map(({ id, status, why, label, revision }) => ({
      id,
      values: [status, why, label, revision].join(' '),
      open: false
    }))
  }
}

/** Every message, undone ones too, oldest first. */
export function allMessages(store: Store, row: SessionRow): Message[] {
  return readMessages(store, row, messageOutlines(store, row))
}

interface MessageOutline {
  readonly seq: number
  readonly superseded: boolean
}

function messageOutlines(store: Store, row: SessionRow): MessageOutline[] {
  const rows = store.db
    .prepare("SELECT seq, parent, text = '' AS isEmpty FROM message WHERE session = ? ORDER BY seq")
    .all(row.id) as (Pick<MessageRow, 'seq' | 'parent'> & { isEmpty: number })[]
  const inForce = seqsInForce(rows, row.revision)
  return rows.filter(({ isEmpty }) => !isEmpty).map(({ seq }) => ({ seq, superseded: !inForce.has(seq) }))
}

function readMessages(store: Store, row: SessionRow, outlines: readonly MessageOutline[]): Message[] {
  const [first] = outlines
  if (!first) return []
  const superseded = new Map(outlines.map((outline) => [outline.seq, outline.superseded]))
  return messagesOf(store, row.id, first.seq).map(({ seq, role, text, at, turn }) => ({
    seq,
    role,
    text,
    at,
    turn,
    superseded: superseded.get(seq) ?? false
  }))
}

interface TurnOutline {
  readonly id: string
  readonly run: string
  /** Seq of its prompt. */
  readonly message: number | null
  readonly values: string
  readonly open: boolean
}

interface TurnColumns {
  readonly id: string
  readonly run: string
  readonly prompt: string
  readonly ended_at: number | null
  readonly state: RunState
  readonly files: number
  /** The session of the turn itself. */
  readonly own: string | null
}

function turnOutlines(store: Store, row: SessionRow): TurnOutline[] {
  const rows = store.db
    .prepare(
      `SELECT t.id, t.run, t.prompt, t.ended_at, r.state, r.files, ${TURN_SESSION} AS own FROM turn t JOIN run r ON r.id = t.run
       WHERE r.session = ? OR t.id IN (SELECT turn FROM checkpoint WHERE session = ?)${orForkedTurns(row, ' OR t.id IN')} ORDER BY r.n, t.n`
    )
    .all(row.id, ...sessionParameters(row)) as TurnColumns[]
  const prompts = promptSeqsByTurn(store, row.id)
  return rows.flatMap(({ id, run, own, prompt, ended_at, state, files }) => {
    const message = prompts.get(id) ?? null
    if (own !== row.id && message === null) return []
    const values = [prompt, ended_at, state, files, message].join(' ')
    return [{ id, run, message, values, open: ended_at === null || state === 'live' }]
  })
}

function readTurns(store: Store, row: SessionRow, outlines: readonly TurnOutline[]): SessionTurn[] {
  // Also by run, because checkpoints have an index on it.
  const startOf = store.db.prepare(
    `SELECT id FROM checkpoint WHERE run = ? AND turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`
  )
  const outlineById = new Map(outlines.map((outline) => [outline.id, outline]))
  return [...new Set(outlines.map(({ run }) => run))].flatMap((run) =>
    describeTurns(store, run).flatMap((turn) => {
      const outline = outlineById.get(turn.id)
      if (!outline) return []
      const checkpoint = (startOf.get(run, turn.id) as { id: string } | undefined)?.id ?? null
      return [{ ...turn, session: row.id, message: outline.message, run, checkpoint }]
    })
  )
}

function callRows(store: Store, row: SessionRow): ToolCallRow[] {
  return store.db
    .prepare(
      `SELECT * FROM tool_call WHERE session = ?${orForkedTurns(row, ' OR turn IN')} ORDER BY opened_at, start_seq, rowid`
    )
    .all(...sessionParameters(row)) as ToolCallRow[]
}

/** SQL. A fork also has the turns of the messages it copied from its original. */
function orForkedTurns(row: SessionRow, condition: string): string {
  return row.forked_from === '' ? '' : `${condition} (SELECT turn FROM message WHERE session = ?)`
}

/** The SQL parameter for the session itself, and for a fork the one of `orForkedTurns`. */
function sessionParameters(row: SessionRow): string[] {
  return row.forked_from === '' ? [row.id] : [row.id, row.id]
}
