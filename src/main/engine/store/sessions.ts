/** Owns table `session`: one row per conversation with an agent, kept current by its events. */
import type { Todo } from '../../../contract/conversation.ts'
import { WITH_PREFIX } from './ids.ts'
import type { Store } from './open-store.ts'
import { all, column, run as execute, get, scalar, type Writable } from './sql.ts'

export interface SessionRow {
  /** The agent's own id. */
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
  /** JSON: StoredUsage (agents/transcript-records.ts). */
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
  /** JSON: StoredPosition (runs/position.ts). */
  readonly position: string
  /** Names it in rows of messages. */
  readonly n: number
  /** What its messages take in the store, bytes. */
  readonly stored: number
  /** `late_step.n` of the newest step that waits for the import of its transcript, 0 = none. */
  readonly behind: number
  /** 1: its text was deleted (runs/delete-conversation.ts), and no message was added since. */
  readonly deleted: number
}

export type StoredTodo = Todo & { readonly id?: string }

/** What every event of an agent says about its session; null = not known. */
export interface SessionUpdate extends Pick<SessionRow, 'id' | 'agent' | 'cwd' | 'transcript' | 'home'> {
  readonly mode: string | null
  readonly model: string | null
}

export function findSession(store: Store, id: string): SessionRow | null {
  return get(store, 'SELECT * FROM session WHERE id = ?', id)
}

/** Its first prompt, or what it was named; "" for none. Lists of many entries read it without the rest of the row. */
export function titleOfSession(store: Store, id: string | null): string {
  return id === null ? '' : (scalar<string>(store, 'SELECT title FROM session WHERE id = ?', id) ?? '')
}

/** Throws when there is none. */
export function getSession(store: Store, id: string): SessionRow {
  const session = findSession(store, id)
  if (!session) throw new Error(`session ${id} is missing`)
  return session
}

/** Newest first. */
export function listSessions(store: Store): SessionRow[] {
  return all(store, 'SELECT * FROM session WHERE deleted = 0 ORDER BY last_at DESC')
}

/** At most two sessions whose id starts with `prefix`; an exact match comes first. */
export function sessionsWithPrefix(store: Store, prefix: string): SessionRow[] {
  const sql = `SELECT * FROM session WHERE deleted = 0 AND ${WITH_PREFIX} LIMIT 2`
  return all(store, sql, prefix, prefix)
}

/** Sessions whose current or last work is in this run: several when `driftline run` contains more than one. */
export function sessionsIn(store: Store, run: string): string[] {
  const sql = "SELECT id FROM session WHERE run = ? OR position ->> 'run' = ?"
  return column(store, sql, run, run)
}

/** Creates the session when it is new, else updates it. A new one whose id is that of a fork names its original. */
export function upsertSession(tx: Writable<Store>, update: SessionUpdate, at: number): void {
  const sql = `INSERT INTO session(id, agent, started_at, last_at, cwd, transcript, mode, model, home, forked_from, n)
    VALUES (@id, @agent, @at, @at, @cwd, @transcript, @mode, @model, @home, coalesce((SELECT session FROM fork WHERE id = @id), ''),
      (SELECT coalesce(max(n), 0) + 1 FROM session))
    ON CONFLICT(id) DO UPDATE SET last_at = max(last_at, excluded.last_at),
      transcript_at = iif(excluded.transcript <> transcript, 0, transcript_at),
      transcript = coalesce(excluded.transcript, transcript), home = coalesce(excluded.home, home),
      mode = iif(excluded.mode = '', mode, excluded.mode), model = iif(excluded.model = '', model, excluded.model)`
  execute(tx, sql, { ...update, at, mode: update.mode ?? '', model: update.model ?? '' })
}

/** Sets columns of a session. */
export function updateSession(
  tx: Writable<Store>,
  id: string,
  change: Partial<Omit<SessionRow, 'id' | 'agent' | 'started_at'>>
): void {
  const names = Object.keys(change)
  if (names.length === 0) return
  const sql = `UPDATE session SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`
  execute(tx, sql, ...Object.values(change), id)
}

/** Changes the title if it is still `from`. */
export function retitleSession(tx: Writable<Store>, id: string, from: string, to: string): void {
  execute(tx, 'UPDATE session SET title = ? WHERE id = ? AND title = ?', to, id, from)
}

/** The sessions that worked in a run that ends. */
export function detachSessions(tx: Writable<Store>, run: string): void {
  execute(tx, "UPDATE session SET run = NULL, turn = NULL, phase = 'stopped', background = 0 WHERE run = ?", run)
}

/**
 * Moves a session to its new message `seq`, and undeletes it. A prompt always does, because it builds on all messages;
 * an answer only when the message before it, `previous`, was the newest in force.
 */
export function advanceRevision(
  tx: Writable<Store>,
  id: string,
  { seq, previous, isPrompt }: { readonly seq: number; readonly previous: number; readonly isPrompt: boolean }
): void {
  const sql = 'UPDATE session SET revision = iif(? OR revision = ?, ?, revision), deleted = 0 WHERE id = ?'
  execute(tx, sql, isPrompt ? 1 : 0, previous, seq, id)
}

export function todosOfSession(session: SessionRow): StoredTodo[] {
  return JSON.parse(session.todos) as StoredTodo[]
}
