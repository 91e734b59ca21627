/** Conversations as they were recorded, and how to go on with one. */
import type { Session, Todo } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { isResumable, resumeAt } from '../agents/resume.ts'
import { usageOf } from '../agents/transcript-usage.ts'
import { unknownOf } from '../agents/unknown-records.ts'
import { removeForks, unusedForksOf } from '../agents/unused-forks.ts'
import { giveBack } from '../retention/give-back.ts'
import { standingAt } from '../sessions/conversation.ts'
import { endDeadRuns } from '../sessions/dead-runs.ts'
import { forgetSession } from '../sessions/forget.ts'
import { positionOf } from '../sessions/position.ts'
import { listSessions, type SessionRow, todosOfSession } from '../sessions/sessions.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import { takeSpooled } from './agents.ts'
import type { Handlers } from './handler.ts'
import { allMessages, detailOf } from './session-detail.ts'

export const SESSIONS: Handlers<
  'sessions.list' | 'sessions.show' | 'sessions.messages' | 'sessions.resume' | 'sessions.delete'
> = {
  'sessions.list': ({ registry }, { workspace }) => {
    const { store } = registry.open(workspace)
    return { sessions: listSessions(store).map((row) => toSession(store, row)) }
  },
  'sessions.delete': async (context, { workspace, session: id }) => {
    const open = context.registry.open(workspace)
    // What hooks left in the spool holds words, too.
    await takeSpooled(context)
    return open.lock.run(async () => {
      await endDeadRuns(open)
      const prepared = unusedForksOf(open.store, id)
      const done = forgetSession(open.store, id)
      removeForks(open, prepared)
      // Free pages still hold the words, and so does the log.
      const late = await giveBack(open.store, () => undefined)
      open.changed(['sessions', 'runs', 'restores', 'checkpoints'])
      return { ...done, note: late && ERASED_LATER }
    })
  },
  'sessions.show': ({ registry }, { workspace, session: id, since }) => {
    const { store } = registry.open(workspace)
    const row = known(store, id)
    return { session: toSession(store, row), ...stand(row), ...detailOf(store, row, since) }
  },
  'sessions.messages': ({ registry }, { workspace, session }) => {
    const { store } = registry.open(workspace)
    const row = known(store, session)
    return { ...stand(row), messages: allMessages(store, row), unknown: unknownOf(store, row.id) }
  },
  'sessions.resume': ({ registry }, { workspace, session, at, fork }) => {
    const open = registry.open(workspace)
    return open.lock.run(async () => {
      const row = known(open.store, session)
      return resumeAt(open, row, at === undefined ? row.revision : revisionAt(open.store, row, at), fork)
    })
  }
}

const ERASED_LATER =
  'Nobody is shown the words any more. Somebody reads an older state of the history, so their bytes leave its file a little later: by itself while Driftline is open, else with "driftline gc".'

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

function stand(row: SessionRow): { revision: number; todos: Todo[]; plan: string } {
  const todos = todosOfSession(row).map(({ text, status }) => ({ text, status }))
  return { revision: row.revision, todos, plan: row.plan }
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
