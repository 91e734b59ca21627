/**
 * Owns table `late_step`: what hooks reported while an earlier part of the transcript was still to be imported, in
 * its order. A session with such steps is behind; `session.behind` is the newest one.
 */
import { DAMAGED_MESSAGE } from '../../../contract/words/damage.ts'
import type { MessageRow } from './messages.ts'
import { SESSION_N } from './messages.ts'
import type { Store } from './open-store.ts'
import type { SessionRow } from './sessions.ts'
import { column, run as execute, exists, get, scalar, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'

type LateMessage = Pick<MessageRow, 'turn' | 'role' | 'text' | 'at' | 'source'>

export interface LateStep extends LateMessage {
  readonly n: number
  /**
   * Where the transcript ended, bytes, when the step is to import it up to there; `text` is then the prompt that
   * follows, or ''. Null: the step adds the message.
   */
  readonly up_to: number | null
}

export function addLateImport(
  tx: Writable<Store>,
  session: string,
  { upTo, prompt, turn }: { readonly upTo: number; readonly prompt: string; readonly turn: string | null }
): void {
  insertStep(tx, session, upTo, { turn, role: 'user', text: prompt, at: 0, source: '' })
}

export function addLateMessage(tx: Writable<Store>, session: string, message: LateMessage): void {
  insertStep(tx, session, null, message)
}

function insertStep(
  tx: Writable<Store>,
  session: string,
  upTo: number | null,
  { turn, role, text, at, source }: LateMessage
): void {
  execute(tx, 'UPDATE session SET behind = behind + 1 WHERE id = ?', session)
  const sql = `INSERT INTO late_step SELECT n, behind, @upTo, @turn, @role, @text, @at, @source, ${sumOf('@text')}
    FROM session WHERE id = @session`
  execute(tx, sql, { upTo, turn, role, text, at, source, session })
}

/** SQL: the text of the step `l`. */
const TEXT = readable('l', 'text', DAMAGED_MESSAGE)

/** The step to perform next; null when the session is not behind. */
export function firstLateStep(store: Store, session: string): LateStep | null {
  const columns = `n, up_to, turn, role, ${TEXT} AS text, at, source`
  return get(store, `SELECT ${columns} FROM late_step l WHERE session = ${SESSION_N} ORDER BY n LIMIT 1`, session)
}

/** Whether a message waits to be added. */
export function isLate(store: Store, session: string, source: string): boolean {
  return exists(store, `SELECT 1 FROM late_step WHERE session = ${SESSION_N} AND source = ?`, session, source)
}

/** The newest prompt that waits to be added. */
export function lastLatePrompt(store: Store, session: string): string | null {
  const sql = `SELECT ${TEXT} FROM late_step l WHERE session = ${SESSION_N} AND role = 'user' AND up_to IS NULL ORDER BY n DESC LIMIT 1`
  return scalar(store, sql, session)
}

/** The revision of a checkpoint that is made now: of a session that is behind, the step that decides it. */
export function revisionNow({ revision, behind }: Pick<SessionRow, 'revision' | 'behind'>): number {
  return behind > 0 ? -behind : revision
}

/** The step is performed: checkpoints that were made after it get their revision. */
export function finishLateStep(tx: Writable<Store>, session: string, n: number): void {
  execute(
    tx,
    'UPDATE checkpoint SET revision = (SELECT revision FROM session WHERE id = ?) WHERE session = ? AND revision = ?',
    session,
    session,
    -n
  )
  execute(tx, `DELETE FROM late_step WHERE session = ${SESSION_N} AND n = ?`, session, n)
  execute(tx, 'UPDATE session SET behind = 0 WHERE id = ? AND behind = ?', session, n)
}

/** Sessions that are behind, the one with the newest event first. */
export function sessionsBehind(store: Store): string[] {
  return column(store, 'SELECT id FROM session WHERE behind > 0 ORDER BY last_at DESC')
}
