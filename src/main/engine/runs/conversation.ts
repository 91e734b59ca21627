/**
 * The state of a conversation at a position: the messages in force and the session's head. Every checkpoint of a session
 * stores both, so a restore can return a conversation to any checkpoint.
 */
import type { CheckpointRow } from '../checkpoints/checkpoints.ts'
import type { Store } from '../store/open-store.ts'
import type { Target } from '../store/targets.ts'
import { messagesOf } from '../store/messages.ts'
import type { StoredPosition } from './position.ts'
import { STARTS_TURN, TURN_SESSION } from '../store/runs.ts'
import { findSession, type SessionRow, type StoredTodo, todosOfSession, updateSession } from '../store/sessions.ts'

/** The state of a session besides its messages. Checkpoints store it as JSON in the column `head`. */
interface SessionHead {
  readonly todos: readonly StoredTodo[]
  readonly plan: string
  readonly mode: string
  readonly model: string
  /** JSON: StoredUsage, the tokens used. */
  readonly usage: string
  readonly position: Partial<StoredPosition>
}

export interface ConversationPosition {
  readonly session: string
  /** Seq of the newest message in force, 0 = none. */
  readonly revision: number
  /** JSON: SessionHead. */
  readonly head: string
}

export function encodeSessionHead(session: SessionRow): string {
  const head: SessionHead = {
    todos: todosOfSession(session),
    plan: session.plan,
    mode: session.mode,
    model: session.model,
    usage: session.usage,
    position: JSON.parse(session.position) as Partial<StoredPosition>
  }
  return JSON.stringify(head)
}

/** Makes `position` the current state of its session. Call inside a transaction. */
export function setConversationPosition(store: Store, { session, revision, head }: ConversationPosition): void {
  const { todos, plan, mode, model, usage, position } = JSON.parse(head) as SessionHead
  updateSession(store, session, {
    revision,
    todos: JSON.stringify(todos),
    plan,
    mode,
    model,
    usage,
    position: JSON.stringify(position)
  })
}

/** Whether the conversation is in this state now. The work position is not compared: it changes without a message. */
export function isConversationAt(store: Store, position: ConversationPosition): boolean {
  const session = findSession(store, position.session)
  if (session?.revision !== position.revision) return false
  const head = JSON.parse(position.head) as SessionHead
  return session.plan === head.plan && session.mode === head.mode && session.todos === JSON.stringify(head.todos)
}

/** Seq of a turn's prompt in its session. */
export function promptSeq(store: Store, session: string | null, turn: string): number | null {
  const row = store.db
    .prepare("SELECT seq FROM message WHERE session = ? AND turn = ? AND role = 'user' ORDER BY seq LIMIT 1")
    .get(session, turn) as { seq: number } | undefined
  return row?.seq ?? null
}

/** Seqs of the prompts of all turns of a session, by turn. */
export function promptSeqsByTurn(store: Store, session: string): ReadonlyMap<string, number> {
  const rows = store.db
    .prepare(
      "SELECT turn, min(seq) AS seq FROM message WHERE session = ? AND role = 'user' AND turn IS NOT NULL GROUP BY turn"
    )
    .all(session) as { turn: string; seq: number }[]
  return new Map(rows.map(({ turn, seq }) => [turn, seq]))
}

/** The state of the target's conversation at the target; null when it has no conversation. */
export function conversationAt(store: Store, target: Target): ConversationPosition | null {
  if (target.kind === 'checkpoint' || target.kind === 'restore') {
    const row = store.db.prepare('SELECT * FROM checkpoint WHERE id = ?').get(target.checkpoint)
    return positionInCheckpoint(row as CheckpointRow)
  }
  if (target.kind === 'seq') return positionAtSeq(store, target.seq)
  if (!target.run) return null
  const start = startCheckpointOf(store, target)
  if (!start) return null
  return target.end
    ? positionAfter(store, start, target)
    : positionInNewestFork(store, start, target.turn ?? start.turn)
}

function positionInCheckpoint(row: CheckpointRow | undefined): ConversationPosition | null {
  if (!row?.session || row.revision === null || row.head === null) return null
  return { session: row.session, revision: row.revision, head: row.head }
}

/** The checkpoint at the start of a run or turn, from before its prompt. */
function startCheckpointOf(store: Store, { run, turn }: Target): CheckpointRow | undefined {
  const sql = turn
    ? `SELECT * FROM checkpoint WHERE turn = ? AND ${STARTS_TURN} ORDER BY n LIMIT 1`
    : 'SELECT c.* FROM checkpoint c JOIN run r ON r.start_checkpoint = c.id WHERE r.id = ?'
  return store.db.prepare(sql).get(turn ?? run) as CheckpointRow | undefined
}

/**
 * The end of a turn or run: its last answer, with the head from the next checkpoint of the session (before the next prompt or
 * restore), or the current head when there is none.
 */
function positionAfter(store: Store, start: CheckpointRow, { run, turn }: Target): ConversationPosition | null {
  const later = store.db
    .prepare(
      `SELECT * FROM checkpoint WHERE session = ? AND n > ? AND (${STARTS_TURN} OR reason = 'pre_restore_guard')
       AND ${turn ? 'turn IS NOT ?' : 'run IS NOT ?'} ORDER BY n LIMIT 1`
    )
    .get(start.session, start.n, turn ?? run) as CheckpointRow | undefined
  const session = start.session ? findSession(store, start.session) : null
  const end =
    positionInCheckpoint(later) ??
    (session && { session: session.id, revision: session.revision, head: encodeSessionHead(session) })
  return end && { ...end, revision: lastAnswerSeq(store, end.session, turn ?? lastTurnOf(store, run)) ?? end.revision }
}

function lastTurnOf(store: Store, run: string | null): string | null {
  const row = store.db.prepare('SELECT id FROM turn WHERE run = ? ORDER BY n DESC LIMIT 1').get(run)
  return (row as { id: string } | undefined)?.id ?? null
}

/** The newest answer to a turn's prompt, or the prompt itself; null when the prompt is not recorded. */
function lastAnswerSeq(store: Store, session: string, turn: string | null): number | null {
  const prompt = turn ? promptSeq(store, session, turn) : null
  if (prompt === null) return null
  // Messages reachable from the prompt without passing another prompt.
  const answers = new Set([prompt])
  for (const row of messagesOf(store, session)) if (row.role !== 'user' && answers.has(row.parent)) answers.add(row.seq)
  return Math.max(...answers)
}

/** A position inside a run: the newest checkpoint of its session up to there. */
function positionAtSeq(store: Store, seq: number): ConversationPosition | null {
  const row = store.db
    .prepare(
      `SELECT c.* FROM checkpoint c WHERE c.seq <= ? AND c.session =
       (SELECT ${TURN_SESSION} AS session FROM edit_call e JOIN turn t ON t.id = e.turn WHERE e.edit = ? AND session IS NOT NULL LIMIT 1)
       ORDER BY c.n DESC LIMIT 1`
    )
    .get(seq, seq)
  return positionInCheckpoint(row as CheckpointRow | undefined)
}

/** When the turn also exists in a fork of its session, the position in the newest such fork: the conversation continues there. */
function positionInNewestFork(store: Store, start: CheckpointRow, turn: string | null): ConversationPosition | null {
  const own = positionInCheckpoint(start)
  if (!own || !turn) return own
  const fork = store.db
    .prepare(
      `WITH RECURSIVE line(id, at) AS (SELECT id, started_at FROM session WHERE id = ?
         UNION SELECT s.id, s.started_at FROM session s JOIN line ON s.forked_from = line.id)
       SELECT m.session, m.parent AS revision FROM line JOIN message m ON m.session = line.id
       WHERE m.turn = ? AND m.role = 'user' AND m.session <> ? ORDER BY line.at DESC, m.seq LIMIT 1`
    )
    .get(own.session, turn, own.session) as { session: string; revision: number } | undefined
  return fork ? { ...own, ...fork } : own
}
