/** Sessions: one row per conversation with an agent, kept current by its events. */
import type { Todo } from '../agents/agent-action.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from './open-store.ts'
import { lastMessageSeq, messagesOf, seqsInForce } from './messages.ts'

export interface SessionRow {
  readonly id: string
  readonly agent: string
  readonly title: string
  readonly started_at: number
  readonly last_at: number
  readonly ended_at: number | null
  readonly cwd: string
  readonly transcript: string | null
  /** How much of the transcript was read, bytes. */
  readonly transcript_at: number
  readonly mode: string
  readonly model: string
  readonly phase: 'plan' | 'execute' | 'verify' | 'stopped'
  /** How many background tasks were still running when the agent stopped. */
  readonly background: number
  /** Seq of the newest message in force, 0 = none. */
  readonly revision: number
  /** JSON: StoredTodo[]; `id` is the agent's own. */
  readonly todos: string
  readonly plan: string
  /** JSON: StoredUsage (transcript-usage.ts). */
  readonly usage: string
  /** The live run, and the open turn in it. */
  readonly run: string | null
  readonly turn: string | null
  /** The agent's own data folder, when it is not the default one. */
  readonly home: string | null
  /** The session it was forked from, '' = none. */
  readonly forked_from: string
  /** Id of the last record that was read, for agents whose transcript records name their parent. */
  readonly leaf: string | null
  /** JSON: StoredPosition. */
  readonly position: string
  /** 1: its text was deleted (delete-conversation.ts), and no message was added since. */
  readonly deleted: number
}

export type StoredTodo = Todo & { readonly id?: string }

/** What every event of an agent says about its session; null = not known. */
export interface SessionUpdate {
  readonly id: string
  readonly agent: string
  readonly cwd: string
  readonly transcript: string | null
  readonly mode: string | null
  readonly model: string | null
  readonly home: string | null
}

export function findSession(store: Store, id: string): SessionRow | null {
  return (prepareCached(store.db, 'SELECT * FROM session WHERE id = ?').get(id) as SessionRow | undefined) ?? null
}

/** Newest first. */
export function listSessions(store: Store): SessionRow[] {
  return prepareCached(store.db, 'SELECT * FROM session WHERE deleted = 0 ORDER BY last_at DESC').all() as SessionRow[]
}

/** Sessions whose current or last work is in this run: several when `driftline run` contains more than one. */
export function sessionsIn(store: Store, run: string): string[] {
  const rows = prepareCached(store.db, "SELECT id FROM session WHERE run = ? OR position ->> 'run' = ?").all(run, run)
  return (rows as { id: string }[]).map(({ id }) => id)
}

/** Creates the session when it is new, else updates it; returns its row. Call inside a transaction. */
export function touchSession(store: Store, update: SessionUpdate, at: number): SessionRow {
  prepareCached(
    store.db,
    `INSERT INTO session(id, agent, started_at, last_at, cwd, transcript, mode, model, home, forked_from)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT session FROM fork WHERE id = ?), ''))
       ON CONFLICT(id) DO UPDATE SET last_at = max(last_at, excluded.last_at),
         transcript_at = iif(excluded.transcript <> transcript, 0, transcript_at),
         transcript = coalesce(excluded.transcript, transcript), home = coalesce(excluded.home, home),
         mode = iif(excluded.mode = '', mode, excluded.mode), model = iif(excluded.model = '', model, excluded.model)`
  ).run(
    update.id,
    update.agent,
    at,
    at,
    update.cwd,
    update.transcript,
    update.mode ?? '',
    update.model ?? '',
    update.home,
    update.id
  )
  return copyForkedHistory(store, findSession(store, update.id) as SessionRow)
}

/** A forked session starts with copies of the messages in force where it was cut, and with the todos and plan of its origin. */
function copyForkedHistory(store: Store, session: SessionRow): SessionRow {
  if (session.forked_from === '' || lastMessageSeq(store, session.id) > 0) return session
  const origin = findSession(store, session.forked_from)
  const cut = prepareCached(store.db, 'SELECT revision FROM fork WHERE id = ?').get(session.id) as
    | { revision: number }
    | undefined
  if (!origin || !cut || cut.revision === 0) return session
  const rows = messagesOf(store, origin.id)
  const copied = seqsInForce(rows, cut.revision)
  const insert = prepareCached(
    store.db,
    'INSERT INTO message(session, seq, parent, turn, role, text, at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  )
  let seq = 0
  for (const row of rows) {
    if (!copied.has(row.seq)) continue
    insert.run(session.id, ++seq, seq - 1, row.turn, row.role, row.text, row.at, row.source)
  }
  updateSession(store, session.id, { revision: seq, todos: origin.todos, plan: origin.plan })
  return findSession(store, session.id) as SessionRow
}

/** Sets columns of a session. Call inside a transaction. */
export function updateSession(
  store: Store,
  id: string,
  change: Partial<Omit<SessionRow, 'id' | 'agent' | 'started_at'>>
): void {
  const names = Object.keys(change)
  if (names.length === 0) return
  const sql = `UPDATE session SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
  prepareCached(store.db, sql).run(...Object.values(change), id)
}

export function todosOfSession(session: SessionRow): StoredTodo[] {
  return JSON.parse(session.todos) as StoredTodo[]
}
