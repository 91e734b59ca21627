/** Deletes the text of a conversation from all tables that hold some: rows of edits, runs and messages stay, without text. */

import type { Store } from './open-store.ts'
import { rewriteTables } from './rewrite-tables.ts'
import { all, run as execute, type Sync, type Writable } from './sql.ts'
import { TURN_SESSION } from './turns.ts'

/** They are rewritten completely, so that no copy of the text stays in a free part of a page. */
const TABLES_WITH_TEXT = [
  'message',
  'session',
  'turn',
  'run',
  'tool_call',
  'call_output',
  'checkpoint',
  'restore',
  'restore_conversation',
  'unknown_record'
]

const SESSION_TURNS = `SELECT t.id FROM turn t WHERE ${TURN_SESSION} = ?`

/** Runs `body`, which deletes text, and rewrites the tables in the same transaction. */
export function rewriteText<T>(store: Store, body: (tx: Writable<Store>) => Sync<T>): T {
  return rewriteTables(store, TABLES_WITH_TEXT, body)
}

/** Returns how many messages lost their text, and how many runs their conversation. Runs are titled `title` from then on. */
export function deleteText(tx: Writable<Store>, session: string, title: string): { messages: number; runs: number } {
  const change = (sql: string): number => execute(tx, sql, session).changes
  redactRestoreTitles(tx, all(tx, 'SELECT title FROM run WHERE session = ?', session), title)
  redactRestoreTitles(tx, all(tx, `SELECT prompt AS title FROM turn WHERE id IN (${SESSION_TURNS})`, session), title)
  // The title of a `driftline run` is its command line, which may contain the prompts of several conversations.
  const sql = `UPDATE run SET title = ? WHERE EXISTS
       (SELECT 1 FROM turn t WHERE t.run = run.id AND t.prompt <> '' AND instr(run.title, t.prompt) > 0 AND t.id IN (${SESSION_TURNS}))`
  execute(tx, sql, title, session)
  change(`UPDATE turn SET prompt = '' WHERE id IN (${SESSION_TURNS})`)
  change('UPDATE checkpoint SET session = NULL, revision = NULL, head = NULL WHERE session = ?')
  change('DELETE FROM call_output WHERE call IN (SELECT id FROM tool_call WHERE session = ?)')
  change('DELETE FROM tool_call WHERE session = ?')
  change('DELETE FROM fork WHERE session = ?')
  change("UPDATE unknown_record SET text = '' WHERE session = ?")
  change('DELETE FROM restore_conversation WHERE session = ?')
  const runs = execute(tx, 'UPDATE run SET session = NULL, title = ? WHERE session = ?', title, session).changes
  const messages = change("UPDATE message SET text = '' WHERE session = ? AND text <> ''")
  change(
    "UPDATE session SET title = '', todos = '[]', plan = '', position = '{}', mode = '', deleted = 1, run = NULL, turn = NULL WHERE id = ?"
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
