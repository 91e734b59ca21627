/** Conversations as they were recorded. */
import { DriftlineError } from '../../../contract/errors.ts'
import { messagesOf } from '../sessions/messages.ts'
import { findSession, listSessions, todosOfSession } from '../sessions/sessions.ts'
import type { Handlers } from './table.ts'

export const SESSIONS: Handlers<'sessions.list' | 'sessions.messages'> = {
  'sessions.list': ({ registry }, { workspace }) => {
    const { store } = registry.open(workspace)
    const runs = store.db.prepare('SELECT count(*) AS n FROM run WHERE session = ?')
    return {
      sessions: listSessions(store).map((session) => ({
        id: session.id,
        agent: session.agent,
        title: session.title,
        startedAt: session.started_at,
        lastAt: session.last_at,
        runs: (runs.get(session.id) as { n: number }).n,
        phase: session.phase,
        mode: session.mode,
        model: session.model,
        resumable: session.agent === 'claude-code' || session.agent === 'codex'
      }))
    }
  },
  'sessions.messages': ({ registry }, { workspace, session: id }) => {
    const { store } = registry.open(workspace)
    const session = findSession(store, id)
    if (!session)
      throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
    return {
      revision: session.revision,
      messages: messagesOf(store, id).map((row) => ({
        seq: row.seq,
        role: row.role,
        text: row.text,
        at: row.at,
        turn: row.turn,
        superseded: row.superseded === 1
      })),
      todos: todosOfSession(session).map(({ text, status }) => ({ text, status })),
      plan: session.plan
    }
  }
}
