/** Conversations: listing, showing, resuming and deleting them. */
import type { Session, Todo } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import { importWholeTranscript } from '../agents/catch-up.ts'
import { canForkSession, resumeAt } from '../agents/resume.ts'
import { parseUsage } from '../agents/transcript-records.ts'
import { removeForks } from '../agents/unused-forks.ts'
import { vacuum } from '../retention/vacuum.ts'
import { conversationAt } from '../runs/conversation.ts'
import { deleteConversation } from '../runs/delete-conversation.ts'
import { positionOf } from '../runs/position.ts'
import { findInConversation } from '../search/conversation.ts'
import { unusedForksOf } from '../store/forks.ts'
import type { Store } from '../store/open-store.ts'
import { countRunsOf } from '../store/runs.ts'
import { listSessions, type SessionRow, sessionsWithPrefix, todosOfSession } from '../store/sessions.ts'
import { resolveTarget } from '../store/targets.ts'
import { listUnknownRecords } from '../store/unknown-records.ts'
import { ingestSpool } from './agents.ts'
import type { WorkspaceHandlers } from './handler.ts'
import { readPage } from './message-page.ts'
import { describeSession } from './session-detail.ts'

export const SESSIONS: WorkspaceHandlers<
  'sessions.list' | 'sessions.show' | 'sessions.messages' | 'sessions.find' | 'sessions.resume' | 'sessions.delete'
> = {
  'sessions.list': ({ store }) => ({ sessions: listSessions(store).map((row) => toSession(store, row)) }),
  'sessions.delete': async (open, { session: id }, context) => {
    // Spooled events hold messages, too.
    await ingestSpool(context)
    return open.lock.run(async () => {
      await open.endDeadRuns()
      // Read before the rows are deleted that name the files.
      const unusedForks = unusedForksOf(open.store, id)
      const deleted = deleteConversation(open.store, id)
      removeForks(open, unusedForks)
      // Free pages of the database and its WAL still hold the deleted messages.
      const postponed = await vacuum(open.store, () => undefined)
      open.notifyChanged(['sessions', 'runs', 'restores', 'checkpoints'])
      return { ...deleted, postponed: postponed !== null }
    })
  },
  'sessions.show': ({ store }, { session: id, since }) => {
    const row = findSessionByPrefix(store, id)
    return { session: toSession(store, row), ...currentState(row), ...describeSession(store, row, since) }
  },
  'sessions.messages': ({ store }, { session, ...cursor }) => {
    const row = findSessionByPrefix(store, session)
    const page = readPage(store, row, cursor)
    return { ...currentState(row), ...page, unknown: page.more.before ? [] : listUnknownRecords(store, row.id) }
  },
  'sessions.find': ({ store }, { session, text }) =>
    findInConversation(store, findSessionByPrefix(store, session), text),
  'sessions.resume': (open, { session, at, fork }) =>
    open.lock.run(async () => {
      importWholeTranscript(open, findSessionByPrefix(open.store, session).id)
      const row = findSessionByPrefix(open.store, session)
      return resumeAt(open, row, at === undefined ? row.revision : revisionAt(open.store, row, at), { fork })
    })
}

/** `id` may be any unique prefix. */
export function findSessionByPrefix(store: Store, id: string): SessionRow {
  const [row, second] = sessionsWithPrefix(store, id)
  if (row && second && row.id !== id)
    throw new DriftlineError('AmbiguousTarget', `"${id}" matches more than one conversation. Type more characters.`, {
      session: id
    })
  if (!row) throw new DriftlineError('UnknownTarget', `No conversation "${id}" was recorded here.`, { session: id })
  return row
}

function revisionAt(store: Store, { id }: SessionRow, at: string): number {
  const position = conversationAt(store, resolveTarget(store, at))
  if (position?.session === id) return position.revision
  throw new DriftlineError('UnknownTarget', `"${at}" is not a position of this conversation.`, {
    target: at,
    session: id
  })
}

function currentState(row: SessionRow): { revision: number; todos: Todo[]; plan: string } {
  const todos = todosOfSession(row).map(({ text, status }) => ({ text, status }))
  return { revision: row.revision, todos, plan: row.plan }
}

function toSession(store: Store, row: SessionRow): Session {
  return {
    id: row.id,
    agent: row.agent,
    title: row.title,
    startedAt: row.started_at,
    lastAt: row.last_at,
    runs: countRunsOf(store, row.id),
    phase: row.phase,
    mode: row.mode,
    model: row.model,
    ...(row.usage === '' ? {} : { tokens: tokensOf(row.usage) }),
    resumable: canForkSession(row),
    position: positionOf(row),
    forkedFrom: row.forked_from
  }
}

function tokensOf(usage: string): { input: number; output: number } {
  const { input, output } = parseUsage(usage)
  return { input, output }
}
