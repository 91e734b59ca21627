/**
 * Deletes the text of a conversation from all tables that hold some: rows of edits, runs and messages stay, without
 * text.
 */
import { SESSION_N } from './messages.ts'
import type { Store } from './open-store.ts'
import { all, run as execute, type Sync, transact, type Writable } from './sql.ts'
import { TURN_SESSION } from './turns.ts'

const TABLES_WITH_TEXT = [
  'message',
  'message_pack',
  'late_step',
  'session',
  'turn',
  'run',
  'tool_call',
  'call_output',
  'test_result',
  'checkpoint',
  'restore',
  'restore_conversation',
  'unknown_record',
  'review',
  'comment'
]

const SESSION_TURNS = `SELECT t.id FROM turn t WHERE ${TURN_SESSION} = ?`

/**
 * Runs `body`, which deletes text, and rewrites the tables in the same transaction, so that no byte of the text stays
 * in the file: SQLite's secure_delete clears the space of a deleted row, but not the copies that page splits leave in
 * unused parts of other pages. For small tables only: contents are removed by rewriting the whole file
 * (retention/vacuum.ts). Foreign keys are not checked meanwhile, because the tables are empty for a moment: `body` must
 * leave all references valid.
 */
export function rewriteText<T>(store: Store, body: (tx: Writable<Store>) => Sync<T>): T {
  const { db } = store
  // These have no effect, or fail, inside a transaction. In memory: a temporary file would hold the rows, too. A
  // database of its own, whose memory is free afterwards; that of dropped temporary tables is kept.
  db.exec("ATTACH ':memory:' AS aside")
  db.pragma('foreign_keys = OFF')
  // ON instead of FAST: overflow pages of long rows that are reused in this transaction keep the rest of their old
  // content.
  db.pragma('secure_delete = ON')
  try {
    return transact(store, (tx) => {
      const result = body(tx)
      for (const table of TABLES_WITH_TEXT) {
        db.exec(
          `CREATE TABLE aside.rewritten AS SELECT * FROM main.${table}; DELETE FROM main.${table};
           INSERT INTO main.${table} SELECT * FROM aside.rewritten ORDER BY rowid; DROP TABLE aside.rewritten`
        )
      }
      return result
    })
  } finally {
    db.exec('DETACH aside')
    db.pragma('secure_delete = FAST')
    db.pragma('foreign_keys = ON')
  }
}

/**
 * Returns how many messages lost their text, and how many runs their conversation. Runs are titled `title` from then
 * on.
 */
export function deleteText(tx: Writable<Store>, session: string, title: string): { messages: number; runs: number } {
  const change = (sql: string): number => execute(tx, sql, session).changes
  redactRestoreTitles(tx, all(tx, 'SELECT title FROM run WHERE session = ?', session), title)
  redactRestoreTitles(tx, all(tx, `SELECT prompt AS title FROM turn WHERE id IN (${SESSION_TURNS})`, session), title)
  // The title of a `driftline run` is its command line, which may contain the prompts of several conversations.
  const sql = `UPDATE run SET title = ? WHERE EXISTS
       (SELECT 1 FROM turn t WHERE t.run = run.id AND t.prompt <> '' AND instr(run.title, t.prompt) > 0 AND t.id IN (${SESSION_TURNS}))`
  execute(tx, sql, title, session)
  change(`UPDATE turn SET prompt = '', sum = 0 WHERE id IN (${SESSION_TURNS})`)
  change('UPDATE checkpoint SET session = NULL, revision = NULL, head = NULL WHERE session = ?')
  change('DELETE FROM call_output WHERE call IN (SELECT id FROM tool_call WHERE session = ?)')
  change('DELETE FROM test_result WHERE call IN (SELECT id FROM tool_call WHERE session = ?)')
  change('DELETE FROM tool_call WHERE session = ?')
  change('DELETE FROM fork WHERE session = ?')
  change("UPDATE unknown_record SET text = '', sum = 0 WHERE session = ?")
  change('DELETE FROM restore_conversation WHERE session = ?')
  // Other comments are a person's and about the files, so they stay; no agent gets them any more.
  change('DELETE FROM comment WHERE (message IS NOT NULL OR call IS NOT NULL) AND session = ?')
  change('UPDATE comment SET session = NULL, review = NULL WHERE session = ?')
  change('DELETE FROM review WHERE session = ?')
  const runs = execute(tx, 'UPDATE run SET session = NULL, title = ? WHERE session = ?', title, session).changes
  const messages = change(`UPDATE message SET size = 0 WHERE session = ${SESSION_N} AND size > 0`)
  change(`DELETE FROM message_pack WHERE session = ${SESSION_N}`)
  change(`DELETE FROM late_step WHERE session = ${SESSION_N}`)
  change(
    "UPDATE session SET title = '', todos = '[]', plan = '', position = '{}', mode = '', deleted = 1, stored = 0, behind = 0, run = NULL, turn = NULL WHERE id = ?"
  )
  return { messages, runs }
}

/** The title of a restore quotes the title or prompt of its target. */
function redactRestoreTitles(tx: Writable<Store>, titles: readonly { readonly title: string }[], title: string): void {
  for (const { title: deleted } of titles) {
    if (deleted === '') continue
    const quoted = `"${deleted}"`
    const sql = 'UPDATE restore SET title = replace(title, ?, ?) WHERE instr(title, ?) > 0'
    execute(tx, sql, quoted, `"${title}"`, quoted)
  }
}
