/** Conversations as they were recorded, and how to go on with one. */
import type { Message, Session } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { isResumable, resumeAt } from '../agents/resume.ts'
import { usageOf } from '../agents/transcript-usage.ts'
import { listCheckpoints } from '../checkpoints/checkpoints.ts'
import { eraseFreed } from '../retention/give-back.ts'
import { promptOf, standingAt } from '../sessions/conversation.ts'
import { forgetSession } from '../sessions/forget.ts'
import { inForce, messagesOf } from '../sessions/messages.ts'
import { positionOf } from '../sessions/position.ts'
import type { RunRow } from '../sessions/runs.ts'
import { listSessions, type SessionRow, todosOfSession } from '../sessions/sessions.ts'
import { toCalls } from '../sessions/told-calls.ts'
import type { ToolCallRow } from '../sessions/tool-calls.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { Handlers } from './table.ts'
import { turnList } from './timeline.ts'

export const SESSIONS: Handlers<
  'sessions.list' | 'sessions.show' | 'sessions.messages' | 'sessions.resume' | 'sessions.delete'
> = {
  'sessions.list': ({ registry }, { workspace }) => {
    const { store } = registry.open(workspace)
    return { sessions: listSessions(store).map((row) => toSession(store, row)) }
  },
  'sessions.delete': async ({ registry }, { workspace, session: id }) => {
    const open = registry.open(workspace)
    const done = forgetSession(open.store, id)
    await eraseFreed(open.store)
    open.changed(['sessions', 'runs', 'restores', 'checkpoints'])
    return done
  },
  'sessions.show': ({ registry }, { workspace, session: id }) => {
    const { store } = registry.open(workspace)
    const row = known(store, id)
    // A session cut from another has that one's turns before its own.
    const inherited = 'SELECT turn FROM message WHERE session = ?'
    const runs = store.db
      .prepare(
        `SELECT * FROM run WHERE session = ? OR id IN (SELECT run FROM turn WHERE id IN (${inherited})) ORDER BY n`
      )
      .all(row.id, row.id) as RunRow[]
    const startOf = store.db.prepare(
      "SELECT id FROM checkpoint WHERE turn = ? AND reason IN ('run_start', 'pre_write') ORDER BY n LIMIT 1"
    )
    const calls = store.db
      .prepare(
        `SELECT * FROM tool_call WHERE session = ? OR turn IN (${inherited}) ORDER BY opened_at, start_seq, rowid`
      )
      .all(row.id, row.id) as ToolCallRow[]
    return {
      session: toSession(store, row),
      ...words(store, row),
      turns: runs.flatMap((run) =>
        turnList(store, run.id)
          .map((turn) => ({
            ...turn,
            session: row.id,
            message: promptOf(store, row.id, turn.id),
            run: run.id,
            checkpoint: (startOf.get(turn.id) as { id: string } | undefined)?.id ?? null
          }))
          .filter(({ message }) => run.session === row.id || message !== null)
      ),
      calls: toCalls(store, calls),
      checkpoints: listCheckpoints(store, { session: row.id, all: true })
    }
  },
  'sessions.messages': ({ registry }, { workspace, session }) => {
    const { store } = registry.open(workspace)
    return words(store, known(store, session))
  },
  'sessions.resume': ({ registry }, { workspace, session, at, fork }) => {
    const open = registry.open(workspace)
    return open.lock.run(async () => {
      const row = known(open.store, session)
      return resumeAt(open, row, at === undefined ? row.revision : revisionAt(open.store, row, at), fork)
    })
  }
}

function known(store: Store, id: string): SessionRow {
  // Ids may be shortened, as everywhere.
  const rows = store.db
    .prepare('SELECT * FROM session WHERE deleted = 0 AND substr(id, 1, ?) = ? ORDER BY id = ? DESC LIMIT 2')
    .all(id.length, id, id) as SessionRow[]
  const [row, other] = rows
  if (row && other && row.id !== id)
    throw new DriftlineError('AmbiguousTarget', `"${id}" fits more than one conversation. Write more of its letters.`, {
      session: id
    })
  if (!row) throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
  return row
}

function revisionAt(store: Store, { id }: SessionRow, at: string): number {
  const standing = standingAt(store, resolveTarget(store, at))
  if (standing?.session === id) return standing.revision
  throw new DriftlineError('UnknownTarget', `"${at}" is not a point of this conversation.`, { target: at, session: id })
}

function words(store: Store, row: SessionRow) {
  const rows = messagesOf(store, row.id)
  const standing = inForce(rows, row.revision)
  return {
    revision: row.revision,
    messages: rows.map(
      ({ seq, role, text, at, turn }): Message => ({ seq, role, text, at, turn, superseded: !standing.has(seq) })
    ),
    todos: todosOfSession(row).map(({ text, status }) => ({ text, status })),
    plan: row.plan
  }
}

function toSession(store: Store, row: SessionRow): Session {
  const { runs } = store.db.prepare('SELECT count(*) AS runs FROM run WHERE session = ?').get(row.id) as {
    runs: number
  }
  return {
    id: row.id,
    agent: row.agent,
    title: row.title,
    startedAt: row.started_at,
    lastAt: row.last_at,
    runs,
    phase: row.phase,
    mode: row.mode,
    model: row.model,
    ...(row.usage === '' ? {} : { tokens: tokensOf(row.usage) }),
    resumable: isResumable(row),
    position: positionOf(row),
    forkedFrom: row.forked_from
  }
}

function tokensOf(usage: string): { input: number; output: number } {
  const { input, output } = usageOf(usage)
  return { input, output }
}
