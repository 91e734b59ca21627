/**
 * Pages of what a search reads, newest first. Each page is a query of its own with a limit, so no statement stays open
 * while the search pauses.
 */
import { withTexts } from './message-text.ts'
import { SESSION_N } from './messages.ts'
import type { Store } from './open-store.ts'
import type { PathId } from './paths.ts'
import { all, column, count, get, tuples } from './sql.ts'
import { PROMPT } from './turns.ts'

interface PromptRow {
  readonly rowid: number
  readonly prompt: string
  readonly run: string
  readonly session: string | null
  readonly message: number | null
  readonly started_at: number
  readonly start_seq: number
}

/** Prompts of turns with rowid < `before`. */
export function promptPage(store: Store, before: number, limit: number): PromptRow[] {
  const sql = `SELECT t.rowid, ${PROMPT} AS prompt, t.run, r.session, t.started_at, t.start_seq,
       (SELECT min(m.seq) FROM message m WHERE m.session = (SELECT n FROM session WHERE id = r.session) AND m.turn = t.id AND m.role = 'user') AS message
     FROM turn t JOIN run r ON r.id = t.run WHERE t.rowid < ? ORDER BY t.rowid DESC LIMIT ?`
  return all(store, sql, before, limit)
}

/** Ids, the session with the newest event first. */
export function sessionIds(store: Store): string[] {
  return column(store, 'SELECT id FROM session ORDER BY last_at DESC')
}

interface MessageHitRow {
  readonly seq: number
  readonly text: string
  readonly at: number
  readonly run: string | null
}

/** Messages with seq < `before` that are no prompt of a turn. */
export function messagePage(store: Store, session: string, before: number, limit: number): MessageHitRow[] {
  const n = count(store, `SELECT ${SESSION_N}`, session)
  const sql = `SELECT m.seq, m.size, m.at, t.run FROM message m LEFT JOIN turn t ON t.id = m.turn
     WHERE m.session = ? AND m.seq < ? AND (m.role <> 'user' OR m.turn IS NULL) ORDER BY m.seq DESC LIMIT ?`
  return [...withTexts(store, n, all<Omit<MessageHitRow, 'text'> & { size: number }>(store, sql, n, before, limit))]
}

export interface PathHitRow {
  readonly id: number
  readonly name: string
  readonly edit: number
  readonly at: number | null
  readonly run: string | null
}

/** Paths with id < `before`, with their newest edit and a run that made it. */
export function pathPage(store: Store, before: number, limit: number): PathHitRow[] {
  const sql = `SELECT p.id, p.name, p.edit, e.at, (SELECT min(c.run) FROM edit_call c WHERE c.edit = p.edit) AS run
     FROM path p LEFT JOIN edit e ON e.seq = p.edit WHERE p.id < ? AND p.name <> '' ORDER BY p.id DESC LIMIT ?`
  return all(store, sql, before, limit)
}

/** Content ids are null if there is none, or it is larger than the limit. */
export type ChangeRow = readonly [seq: number, path: PathId, before: number | null, after: number | null]

/** Edits with seq < `before`, without those of restores: they only repeat lines of earlier edits. `maxSize`: bytes. */
export function changePage(store: Store, before: number, limit: number, maxSize: number): ChangeRow[] {
  const sql = `SELECT e.seq, e.path,
       iif(b.kind = 1 AND b.size <= ?, b.content, NULL), iif(a.kind = 1 AND a.size <= ?, a.content, NULL)
     FROM edit e JOIN version b ON b.id = e.before JOIN version a ON a.id = e.after
     WHERE e.seq < ? AND e.origin <> 2 ORDER BY e.seq DESC LIMIT ?`
  return tuples(store, sql, maxSize, maxSize, before, limit)
}

/** When an edit was recorded, and a run that made it. */
export function changeOrigin(store: Store, seq: number): { readonly at: number; readonly run: string | null } {
  const sql = 'SELECT at, (SELECT min(c.run) FROM edit_call c WHERE c.edit = e.seq) AS run FROM edit e WHERE seq = ?'
  return get(store, sql, seq) ?? { at: 0, run: null }
}

/** Number of edits that `changePage` lists. */
export function countChanges(store: Store): number {
  return count(store, 'SELECT count(*) FROM edit WHERE origin <> 2')
}
