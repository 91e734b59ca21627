/**
 * Owns table `unknown_record`: lines of a transcript whose kind is not known, as they are. `at` is the offset of the
 * line, bytes.
 */
import { DAMAGED_RECORD } from '../../../contract/words/damage.ts'
import type { Store } from './open-store.ts'
import { column, count, run as execute, type Writable } from './sql.ts'
import { readable, sumOf } from './text-sum.ts'

/** Returns whether it is new. */
export function insertUnknownRecord(tx: Writable<Store>, session: string, at: number, text: string): boolean {
  const sql = `INSERT OR IGNORE INTO unknown_record VALUES (@session, @at, @text, ${sumOf('@text')})`
  return execute(tx, sql, { session, at, text }).changes > 0
}

export function countUnknownRecords(store: Store, session: string): number {
  return count(store, 'SELECT count(*) FROM unknown_record WHERE session = ?', session)
}

/** In the order of the transcript. Deleted conversations leave empty texts, which are skipped. */
export function listUnknownRecords(store: Store, session: string): string[] {
  const text = readable('u', 'text', DAMAGED_RECORD)
  const sql = `SELECT ${text} FROM unknown_record u WHERE session = ? AND text <> '' ORDER BY at`
  return column(store, sql, session)
}
