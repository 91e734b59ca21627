/**
 * The state of a conversation at a position: the messages in force and the session's head. Every checkpoint of a
 * session stores both, so a restore can return a conversation to any checkpoint.
 */
import {
  type CheckpointRow,
  findCheckpoint,
  findTurnStart,
  lastCheckpointOfWriter,
  nextTurnStart
} from '../store/checkpoints.ts'
import { nextMessage, rangesInForce } from '../store/in-force.ts'
import {
  findMessage,
  lastAnswerTo,
  lastMessageSeq,
  type MessageRow,
  promptInNewestFork,
  promptSeq
} from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { findRun } from '../store/runs.ts'
import { encodeSessionHead, parseSessionHead } from '../store/session-head.ts'
import { findSession, updateSession } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import type { Target } from '../store/targets.ts'
import { turnsOf } from '../store/turns.ts'

export interface ConversationPosition {
  readonly session: string
  /** Seq of the newest message in force, 0 = none. */
  readonly revision: number
  /** JSON: SessionHead. */
  readonly head: string
}

/** Makes `position` the current state of its session. */
export function setConversationPosition(tx: Writable<Store>, { session, revision, head }: ConversationPosition): void {
  const { todos, plan, mode, model, usage, position } = parseSessionHead(head)
  updateSession(tx, session, {
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
  const head = parseSessionHead(position.head)
  return session.plan === head.plan && session.mode === head.mode && session.todos === JSON.stringify(head.todos)
}

/** The state of the target's conversation at the target; null when it has no conversation. */
export function conversationAt(store: Store, target: Target): ConversationPosition | null {
  if (target.kind === 'checkpoint' || target.kind === 'restore')
    return positionInCheckpoint(target.checkpoint === null ? null : findCheckpoint(store, target.checkpoint))
  // A position inside a run: the newest checkpoint of its session up to there.
  if (target.kind === 'seq') return positionInCheckpoint(lastCheckpointOfWriter(store, target.seq))
  if (!target.run) return null
  const start = startCheckpointOf(store, target)
  if (!start) return null
  return target.end
    ? positionAfter(store, start, target)
    : positionInNewestFork(store, start, target.turn ?? start.turn)
}

function positionInCheckpoint(row: CheckpointRow | null): ConversationPosition | null {
  if (!row?.session || row.revision === null || row.head === null) return null
  return { session: row.session, revision: row.revision, head: row.head }
}

/** The checkpoint at the start of a run or turn, from before its prompt. */
function startCheckpointOf(store: Store, { run, turn }: Target): CheckpointRow | null {
  if (turn) return findTurnStart(store, turn)
  const start = run ? findRun(store, run)?.start_checkpoint : undefined
  return start === undefined ? null : findCheckpoint(store, start)
}

/**
 * The end of a turn or run: its last answer, with the head from the next checkpoint of the session (before the next
 * prompt or restore), or the current head when there is none.
 */
function positionAfter(store: Store, start: CheckpointRow, { run, turn }: Target): ConversationPosition | null {
  const later = nextTurnStart(store, start.session, start.n, { run, turn })
  const session = start.session ? findSession(store, start.session) : null
  const end =
    positionInCheckpoint(later) ??
    (session && { session: session.id, revision: session.revision, head: encodeSessionHead(session) })
  const last = turn ?? turnsOf(store, run ?? '').at(-1)?.id ?? null
  return end && { ...end, revision: lastAnswerSeq(store, end.session, last) ?? end.revision }
}

/** The newest answer to a turn's prompt, or the prompt itself; null when the prompt is not recorded. */
function lastAnswerSeq(store: Store, session: string, turn: string | null): number | null {
  const prompt = turn ? promptSeq(store, session, turn) : null
  if (prompt === null) return null
  return lastAnswerTo(store, session, prompt)
}

/**
 * When the turn also exists in a fork of its session, the position in the newest such fork: the conversation continues
 * there.
 */
function positionInNewestFork(store: Store, start: CheckpointRow, turn: string | null): ConversationPosition | null {
  const own = positionInCheckpoint(start)
  if (!own || !turn) return own
  const fork = promptInNewestFork(store, own.session, turn)
  return fork ? { ...own, ...fork } : own
}

/** Where a conversation is cut to continue from there: the last message to keep and the first one after it. */
export interface Cut {
  readonly anchor: MessageRow | null
  readonly next: MessageRow | null
  /** The anchor is the session's newest message. */
  readonly isTip: boolean
}

/**
 * The cut that makes `revision` the last message. The next message is the one in force at `tip`, else any child of
 * the anchor.
 */
export function findCut(store: Store, session: string, revision: number, tip: number): Cut {
  return {
    anchor: findMessage(store, session, revision),
    isTip: lastMessageSeq(store, session) <= revision,
    next: nextMessage(store, session, revision, rangesInForce(store, session, tip))
  }
}
