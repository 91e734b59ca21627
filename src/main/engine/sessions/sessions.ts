/** Conversations with agents: one row each, kept current by their events. */
import type { Todo } from '../agents/agent-action.ts'
import { prepareCached } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { seqsInForce, lastMessageSeq, messagesOf } from './messages.ts'

export interface SessionRow {
  readonly id: string
  readonly agent: string
  readonly title: string
  readonly started_at: number
  readonly last_at: number
  readonly ended_at: number | null
  readonly cwd: string
  readonly transcript: string | null
  /** Bytes of the transcript that were read. */
  readonly transcript_at: number
  readonly mode: string
  readonly model: string
  readonly phase: 'plan' | 'execute' | 'verify' | 'stopped'
  /** The agent stopped while this many things went on working. */
  readonly background: number
  readonly revision: number
  /** JSON: Todo[] with the agent's own ids where it has some. */
  readonly todos: string
  readonly plan: string
  /** JSON: StoredUsage (transcript-usage.ts). */
  readonly usage: string
  /** Its live run and that run's open turn. */
  readonly run: string | null
  readonly turn: string | null
  /** Where the agent keeps its own files, when not in the usual place. */
  readonly home: string | null
  readonly forked_from: string
  /** Id of the last record of the transcript that was read, for agents whose records name the one before. */
  readonly leaf: string | null
  /** JSON: StoredPosition. */
  readonly position: string
  /** 1: its words were removed (forget.ts) and nothing new was said since. */
  readonly deleted: number
}

export type StoredTodo = Todo & { readonly id?: string }

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

/** Conversations that stand in a run: several when `driftline run` holds more than one. */
export function sessionsIn(store: Store, run: string): string[] {
  const rows = prepareCached(store.db, "SELECT id FROM session WHERE run = ? OR position ->> 'run' = ?").all(run, run)
  return (rows as { id: string }[]).map(({ id }) => id)
}

/** The session's row, made when it is new and brought up to date. Call inside a transaction. */
export function touchSession(store: Store, seen: SessionUpdate, at: number): SessionRow {
  prepareCached(
    store.db,
    `INSERT INTO session(id, agent, started_at, last_at, cwd, transcript, mode, model, home, forked_from)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce((SELECT session FROM fork WHERE id = ?), ''))
       ON CONFLICT(id) DO UPDATE SET last_at = max(last_at, excluded.last_at),
         transcript_at = iif(excluded.transcript <> transcript, 0, transcript_at),
         transcript = coalesce(excluded.transcript, transcript), home = coalesce(excluded.home, home),
         mode = iif(excluded.mode = '', mode, excluded.mode), model = iif(excluded.model = '', model, excluded.model)`
  ).run(seen.id, seen.agent, at, at, seen.cwd, seen.transcript, seen.mode ?? '', seen.model ?? '', seen.home, seen.id)
  return copyForkedHistory(store, findSession(store, seen.id) as SessionRow)
}

/** A session that was cut from another begins with what that one had in force there. Call inside a transaction. */
function copyForkedHistory(store: Store, session: SessionRow): SessionRow {
  if (session.forked_from === '' || lastMessageSeq(store, session.id) > 0) return session
  const from = findSession(store, session.forked_from)
  const cut = prepareCached(store.db, 'SELECT revision FROM fork WHERE id = ?').get(session.id) as
    | { revision: number }
    | undefined
  if (!from || !cut || cut.revision === 0) return session
  const rows = messagesOf(store, from.id)
  const kept = seqsInForce(rows, cut.revision)
  const insert = prepareCached(
    store.db,
    'INSERT INTO message(session, seq, parent, turn, role, text, at, source) VALUES (?, ?, ?, ?, ?, ?, ?, ?)'
  )
  let seq = 0
  for (const row of rows) {
    if (!kept.has(row.seq)) continue
    insert.run(session.id, ++seq, seq - 1, row.turn, row.role, row.text, row.at, row.source)
  }
  updateSession(store, session.id, { revision: seq, todos: from.todos, plan: from.plan })
  return findSession(store, session.id) as SessionRow
}

/** Changes columns of a session. Call inside a transaction. */
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
