/**
 * Deletes the text of a conversation: messages, titles, prompts, todos, plans, tool inputs and command output. The edits of
 * its runs stay, without a title. Rows of messages stay without text, so that reading the agent's transcript again does not
 * add them back.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { rewriteTables } from '../db/rewrite.ts'
import { bumpRev } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { TURN_SESSION } from '../store/runs.ts'
import { findSession } from '../store/sessions.ts'

/** Title of a run whose conversation was deleted. */
export const DELETED_TITLE = 'Deleted conversation'

const SESSION_TURNS = `SELECT t.id FROM turn t WHERE ${TURN_SESSION} = ?`

/** The tables that hold text. They are rewritten completely, so that no copy of it stays in a free part of a page. */
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

/**
 * Throws UnknownTarget, and Refused while a run of the conversation is live. Free pages and the write-ahead log still hold the
 * text until the next vacuum (retention/vacuum.ts).
 */
export function deleteConversation(store: Store, id: string): { messages: number; runs: number } {
  const { db } = store
  const select = (sql: string): unknown[] => db.prepare(sql).all(id)
  const run = (sql: string): number => db.prepare(sql).run(id).changes
  return rewriteTables(db, TABLES_WITH_TEXT, () => {
    const session = findSession(store, id)
    if (!session || session.deleted === 1)
      throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
    if (db.prepare("SELECT 1 FROM run WHERE (session = ? OR id = ?) AND state = 'live'").get(id, session.run))
      throw new DriftlineError(
        'Refused',
        'This conversation is live: its agent is still working. Nothing was deleted. Delete it when the run has ended.',
        { session: id }
      )
    redactRestoreTitles(store, select('SELECT title FROM run WHERE session = ?') as { title: string }[])
    redactRestoreTitles(
      store,
      select(`SELECT prompt AS title FROM turn WHERE id IN (${SESSION_TURNS})`) as { title: string }[]
    )
    // The title of a `driftline run` is its command line, which may contain the prompts of several conversations.
    run(
      `UPDATE run SET title = '${DELETED_TITLE}' WHERE EXISTS
         (SELECT 1 FROM turn t WHERE t.run = run.id AND t.prompt <> '' AND instr(run.title, t.prompt) > 0 AND t.id IN (${SESSION_TURNS}))`
    )
    run(`UPDATE turn SET prompt = '' WHERE id IN (${SESSION_TURNS})`)
    run('UPDATE checkpoint SET session = NULL, revision = NULL, head = NULL WHERE session = ?')
    run('DELETE FROM call_output WHERE call IN (SELECT id FROM tool_call WHERE session = ?)')
    run('DELETE FROM tool_call WHERE session = ?')
    run('DELETE FROM fork WHERE session = ?')
    run("UPDATE unknown_record SET text = '' WHERE session = ?")
    run('DELETE FROM restore_conversation WHERE session = ?')
    const runs = run(`UPDATE run SET session = NULL, title = '${DELETED_TITLE}' WHERE session = ?`)
    const messages = run("UPDATE message SET text = '' WHERE session = ? AND text <> ''")
    run(
      "UPDATE session SET title = '', todos = '[]', plan = '', position = '{}', mode = '', deleted = 1, run = NULL, turn = NULL WHERE id = ?"
    )
    bumpRev(db)
    return { messages, runs }
  })
}

/** The title of a restore quotes the title or prompt of its target. */
function redactRestoreTitles(store: Store, titles: readonly { title: string }[]): void {
  const rename = store.db.prepare('UPDATE restore SET title = replace(title, ?, ?) WHERE instr(title, ?) > 0')
  for (const { title } of titles) {
    if (title === '') continue
    const quoted = `"${title}"`
    rename.run(quoted, `"${DELETED_TITLE}"`, quoted)
  }
}
