/**
 * Removes the words of a conversation: messages, titles, prompts, todos, plans, what its tools were told and what its
 * commands printed. What its runs changed stays, nameless; rows stay without words, so that the agent's transcript does not bring them back.
 */
import { DriftlineError } from '../../../contract/errors.ts'
import { rewriteTables } from '../db/rewrite.ts'
import { bumpRev } from '../db/transaction.ts'
import type { Store } from '../store/open-store.ts'
import { TURN_SESSION } from './runs.ts'
import { findSession } from './sessions.ts'

/** What stands where a run's title was. */
export const DELETED_TITLE = 'Deleted conversation'

const SESSION_TURNS = `SELECT t.id FROM turn t WHERE ${TURN_SESSION} = ?`

/** Tables that hold words. */
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

/** Throws UnknownTarget; Refused while a run of it is live. Free pages and the log still hold the words until they are given back (retention/give-back.ts). */
export function deleteConversation(store: Store, id: string): { messages: number; runs: number } {
  const { db } = store
  const all = (sql: string): unknown[] => db.prepare(sql).all(id)
  const run = (sql: string): number => db.prepare(sql).run(id).changes
  return rewriteTables(db, TABLES_WITH_TEXT, () => {
    const session = findSession(store, id)
    if (!session || session.deleted === 1)
      throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
    if (db.prepare("SELECT 1 FROM run WHERE (session = ? OR id = ?) AND state = 'live'").get(id, session.run))
      throw new DriftlineError(
        'Refused',
        'That conversation is live: its agent is still working. Nothing was deleted. Delete it when the run has ended.',
        { session: id }
      )
    redactRestoreTitles(store, all('SELECT title FROM run WHERE session = ?') as { title: string }[])
    redactRestoreTitles(store, all(`SELECT prompt AS title FROM turn WHERE id IN (${SESSION_TURNS})`) as { title: string }[])
    // A command that began several conversations may hold what each was asked.
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

/** Titles of restores name what they went back to, in quotes. */
function redactRestoreTitles(store: Store, titles: readonly { title: string }[]): void {
  const rename = store.db.prepare('UPDATE restore SET title = replace(title, ?, ?) WHERE instr(title, ?) > 0')
  for (const { title } of titles) {
    if (title === '') continue
    const quoted = `"${title}"`
    rename.run(quoted, `"${DELETED_TITLE}"`, quoted)
  }
}
