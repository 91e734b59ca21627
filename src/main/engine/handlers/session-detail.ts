/** One conversation with its turns, tool calls and checkpoints; to a caller who has most of it, only how it goes on. */
import type { Message, SessionDetail, SessionTurn } from '../../../contract/conversation.ts'
import type { RunState } from '../../../contract/timeline.ts'
import { type CheckpointRow, toCheckpoint } from '../checkpoints/checkpoints.ts'
import { promptsOf } from '../sessions/conversation.ts'
import { inForce, type MessageRow, messagesOf } from '../sessions/messages.ts'
import { STARTS_TURN, TURN_SESSION } from '../sessions/runs.ts'
import { toSessionCalls } from '../sessions/session-calls.ts'
import type { SessionRow } from '../sessions/sessions.ts'
import { markOf, newsOf, type Outlines } from '../sessions/told-lists.ts'
import type { ToolCallRow } from '../sessions/tool-calls.ts'
import type { Store } from '../store/open-store.ts'
import { turnList } from './timeline.ts'

/** `since`: the mark of an earlier answer. What is cheap to read is read whole; what is told is made of new rows only. */
export function detailOf(
  store: Store,
  row: SessionRow,
  since: string | undefined
): Omit<SessionDetail, 'session' | 'revision' | 'todos' | 'plan'> {
  const messages = messageLines(store, row)
  const turns = turnLines(store, row)
  const calls = callRows(store, row)
  const checkpoints = store.db
    .prepare('SELECT * FROM checkpoint WHERE session = ? ORDER BY n')
    .all(row.id) as CheckpointRow[]
  const outlines: Outlines = {
    messages: messages.map(({ seq, superseded }) => ({
      id: `${row.id} ${seq}`,
      said: String(superseded),
      open: false
    })),
    turns,
    calls: calls.map(({ id, state, closed_at, paths }) => ({
      id,
      said: [state, closed_at, paths].join(' '),
      open: closed_at === null
    })),
    checkpoints: checkpoints.map(({ id, status, why, label, revision }) => ({
      id,
      said: [status, why, label, revision].join(' '),
      open: false
    }))
  }
  const news = {
    messages: newsOf('messages', messages, outlines, since),
    turns: newsOf('turns', turns, outlines, since),
    calls: newsOf('calls', calls, outlines, since),
    checkpoints: newsOf('checkpoints', checkpoints, outlines, since)
  }
  const told = toSessionCalls(store, news.calls.told)
  const uncounted = new Set(told.filter((call) => !call.counted).map((call) => call.id))
  return {
    messages: tellMessages(store, row, news.messages.told),
    turns: tellTurns(store, row, news.turns.told),
    calls: told,
    checkpoints: news.checkpoints.told.map((checkpoint) => toCheckpoint(store, checkpoint)),
    from: {
      messages: news.messages.from,
      turns: news.turns.from,
      calls: news.calls.from,
      checkpoints: news.checkpoints.from
    },
    // What is not counted yet is told again with the next answer.
    mark: markOf({
      ...outlines,
      calls: outlines.calls.map((call) => (uncounted.has(call.id) ? { ...call, open: true } : call))
    })
  }
}

export function allMessages(store: Store, row: SessionRow): Message[] {
  return tellMessages(store, row, messageLines(store, row))
}

interface MessageLine {
  readonly seq: number
  readonly superseded: boolean
}

function messageLines(store: Store, row: SessionRow): MessageLine[] {
  const rows = store.db
    .prepare("SELECT seq, parent, text = '' AS wordless FROM message WHERE session = ? ORDER BY seq")
    .all(row.id) as (Pick<MessageRow, 'seq' | 'parent'> & { wordless: number })[]
  const standing = inForce(rows, row.revision)
  return rows.filter(({ wordless }) => !wordless).map(({ seq }) => ({ seq, superseded: !standing.has(seq) }))
}

function tellMessages(store: Store, row: SessionRow, lines: readonly MessageLine[]): Message[] {
  const [first] = lines
  if (!first) return []
  const superseded = new Map(lines.map((line) => [line.seq, line.superseded]))
  return messagesOf(store, row.id, first.seq).map(({ seq, role, text, at, turn }) => ({
    seq,
    role,
    text,
    at,
    turn,
    superseded: superseded.get(seq) ?? false
  }))
}

interface TurnLine {
  readonly id: string
  readonly run: string
  /** Seq of its prompt. */
  readonly message: number | null
  readonly said: string
  readonly open: boolean
}

interface TurnRead {
  readonly id: string
  readonly run: string
  readonly prompt: string
  readonly ended_at: number | null
  readonly state: RunState
  readonly files: number
  readonly own: string | null
}

function turnLines(store: Store, row: SessionRow): TurnLine[] {
  const rows = store.db
    .prepare(
      `SELECT t.id, t.run, t.prompt, t.ended_at, r.state, r.files, ${TURN_SESSION} AS own FROM turn t JOIN run r ON r.id = t.run
       WHERE r.session = ? OR t.id IN (SELECT turn FROM checkpoint WHERE session = ?)${ofForks(row, ' OR t.id IN')} ORDER BY r.n, t.n`
    )
    .all(row.id, ...ids(row)) as TurnRead[]
  const prompts = promptsOf(store, row.id)
  return rows.flatMap(({ id, run, own, prompt, ended_at, state, files }) => {
    const message = prompts.get(id) ?? null
    if (own !== row.id && message === null) return []
    const said = [prompt, ended_at, state, files, message].join(' ')
    return [{ id, run, message, said, open: ended_at === null || state === 'live' }]
  })
}

function tellTurns(store: Store, row: SessionRow, lines: readonly TurnLine[]): SessionTurn[] {
  // By its run, which has an index.
  const startOf = store.db.prepare(
    `SELECT id FROM checkpoint WHERE run = ? AND turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`
  )
  const wanted = new Map(lines.map((line) => [line.id, line]))
  return [...new Set(lines.map(({ run }) => run))].flatMap((run) =>
    turnList(store, run).flatMap((turn) => {
      const line = wanted.get(turn.id)
      if (!line) return []
      const checkpoint = (startOf.get(run, turn.id) as { id: string } | undefined)?.id ?? null
      return [{ ...turn, session: row.id, message: line.message, run, checkpoint }]
    })
  )
}

function callRows(store: Store, row: SessionRow): ToolCallRow[] {
  return store.db
    .prepare(
      `SELECT * FROM tool_call WHERE session = ?${ofForks(row, ' OR turn IN')} ORDER BY opened_at, start_seq, rowid`
    )
    .all(...ids(row)) as ToolCallRow[]
}

/** A session cut from another has that one's turns before its own: those its messages belong to. */
function ofForks(row: SessionRow, words: string): string {
  return row.forked_from === '' ? '' : `${words} (SELECT turn FROM message WHERE session = ?)`
}

function ids(row: SessionRow): string[] {
  return row.forked_from === '' ? [row.id] : [row.id, row.id]
}
