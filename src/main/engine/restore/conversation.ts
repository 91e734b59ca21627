/**
 * The conversation's part of a restore: which position it moves to, its journal, and the move itself. The move happens
 * in the transaction that appends the restore's edits, so files and conversation change together or not at all (RS-6).
 */
import type { ConversationObstacle, ConversationPlan, Resume, ResumeFailure } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { PlanWarning, RestoreMode, RestorePlan, RestoreRequest, RestoreResult } from '../../../contract/restore.ts'
import type { RestoreEntry } from '../../../contract/timeline.ts'
import { obstacleText } from '../../../contract/words/plan.ts'
import { asSentence } from '../../../contract/words/text.ts'
import { errorCode } from '../files/fs-errors.ts'
import {
  type ConversationPosition,
  conversationAt,
  findCut,
  isConversationAt,
  setConversationPosition
} from '../runs/conversation.ts'
import { findCheckpoint } from '../store/checkpoints.ts'
import { countOnlyIn, rangesInForce } from '../store/in-force.ts'
import { lastMessageSeq, type MessageRow } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import {
  findRestoreConversation,
  insertRestoreConversation,
  markConversationMoved
} from '../store/restore-conversations.ts'
import { findRestore, type RestoreRow } from '../store/restores.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import type { Writable } from '../store/sql.ts'
import { resolveTarget } from '../store/targets.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { planStale } from './preflight.ts'
import type { RestoreContext } from './restore-context.ts'

/** The move of a conversation that a request makes, or would make in another mode. */
interface ConversationMove {
  readonly to: ConversationPosition
  readonly plan: ConversationPlan
  /** Why it cannot be moved, or null. */
  readonly impossible: ConversationObstacle | null
}

export interface ModePlan extends Pick<RestorePlan, 'mode' | 'modes' | 'conversation'> {
  /** The position to move to; null when the conversation is not moved or is there already. */
  readonly to: ConversationPosition | null
  readonly warnings: readonly PlanWarning[]
}

/**
 * [RS-3] What the request does to a conversation, checked against the agent's own transcript before any file changes.
 */
export function planConversation(context: RestoreContext, request: RestoreRequest, input: RequestInput): ModePlan {
  const move = findMove(context, request, input)
  const why = move ? move.impossible : request.kind === 'restore' ? ('not-recorded' as const) : null
  const possible = move !== null && why === null
  const requested = resolveMode(context.store, request, input, move !== null)
  if (requested === 'conversation' && request.kind === 'restore' && !possible)
    throw new DriftlineError('Refused', `${asSentence(obstacleText(why))} Nothing was written.`, {
      target: request.target
    })
  const mode = possible ? requested : 'files'
  return {
    mode,
    modes: [
      { mode: 'files', possible: true, why: null },
      { mode: 'conversation', possible, why },
      { mode: 'both', possible, why }
    ],
    conversation: move?.plan ?? null,
    to: move && mode !== 'files' && !isConversationAt(context.store, move.to) ? move.to : null,
    warnings: requested !== 'files' && !possible && why ? [{ code: 'conversation-stays', why }] : []
  }
}

/**
 * The requested mode, else the default: `both`, but `files` for a selection of paths. An undo, a redo or a recovery has
 * the mode of the restore it is about.
 */
function resolveMode(store: Store, request: RestoreRequest, input: RequestInput, hasMove: boolean): RestoreMode {
  if (request.kind === 'restore') return request.mode ?? (hasMove && request.paths === undefined ? 'both' : 'files')
  const restore = input.undoes ?? input.finishes
  return (restore && findRestore(store, restore)?.mode) || 'files'
}

function findMove(context: RestoreContext, request: RestoreRequest, input: RequestInput): ConversationMove | null {
  const { store } = context
  switch (request.kind) {
    case 'restore': {
      const known = conversationAt(store, resolveTarget(store, request.target))
      if (!known) return null
      // Messages that were written but not imported yet belong before the restore.
      context.sessions.importTranscript(known.session)
      const to = conversationAt(store, resolveTarget(store, request.target)) ?? known
      return describeMove(context, to, (session, anchor) => context.sessions.explainMissingAnchor(session, anchor))
    }
    case 'undo':
    case 'redo': {
      const undone = input.undoes ? findRestore(store, input.undoes) : null
      const row = undone ? findRestoreConversation(store, undone.id) : null
      const head = undone && findCheckpoint(store, undone.guard)?.head
      if (row?.state !== 'done' || !head) return null
      return moveUnlessContinued(context, { session: row.session, revision: row.from_revision, head }, row.to_revision)
    }
    case 'recover': {
      const row = input.finishes ? findRestoreConversation(store, input.finishes) : null
      if (!row) return null
      const to = { session: row.session, revision: row.to_revision, head: row.head }
      return moveUnlessContinued(context, to, row.from_revision)
    }
    default:
      return null
  }
}

/** `from`: the revision at which the other restore left the conversation. At any later one it was continued since. */
function moveUnlessContinued(context: RestoreContext, to: ConversationPosition, from: number): ConversationMove | null {
  return describeMove(context, to, ({ revision }) =>
    revision === from || revision === to.revision ? null : 'continued'
  )
}

/** `findObstacle`: why the session cannot be moved there, or null. `anchor` is the last message that stays in force. */
function describeMove(
  context: RestoreContext,
  to: ConversationPosition,
  findObstacle: (session: SessionRow, anchor: MessageRow | null) => ConversationObstacle | null
): ConversationMove | null {
  const { store } = context
  const session = findSession(store, to.session)
  if (!session) return null
  const now = rangesInForce(store, session.id, session.revision)
  const then = rangesInForce(store, session.id, to.revision)
  const { anchor, next } = findCut(store, session.id, to.revision, session.revision)
  const impossible = findObstacle(session, anchor)
  const resumable = impossible === null && context.sessions.canFork(session)
  return {
    to,
    impossible,
    plan: {
      session: session.id,
      agent: session.agent,
      title: session.title,
      revision: session.revision,
      toRevision: to.revision,
      supersedes: countOnlyIn(store, session.id, now, then),
      bringsBack: countOnlyIn(store, session.id, then, now),
      prompt: next?.role === 'user' ? next.text : '',
      resumable,
      why: impossible ?? (resumable ? null : 'not-forkable')
    }
  }
}

/** Writes the move to the restore's journal. Throws PlanStale when the conversation was continued since the plan. */
export function journalConversation(tx: Writable<Store>, restore: string, { to, conversation }: ModePlan): void {
  if (!to || !conversation) return
  if (findSession(tx, to.session)?.revision !== conversation.revision)
    throw planStale('The conversation was continued', { session: to.session })
  insertRestoreConversation(tx, {
    restore,
    session: to.session,
    from_revision: conversation.revision,
    to_revision: to.revision,
    head: to.head,
    superseded: conversation.supersedes,
    brought_back: conversation.bringsBack
  })
}

/**
 * Moves the conversation if this restore's journal contains a move, and returns whether it did. The restore that this
 * one finishes counts as moved, too. In the transaction that appends the edits.
 */
export function applyConversationMove(tx: Writable<Store>, restore: string, finishes: string | null): boolean {
  const row = findRestoreConversation(tx, restore)
  if (!row) return false
  setConversationPosition(tx, { session: row.session, revision: row.to_revision, head: row.head })
  markConversationMoved(tx, restore, finishes)
  return true
}

/**
 * The conversation's part of the result. Prepares the agent's session so that it can be resumed at the new position.
 */
export function conversationResult(
  context: RestoreContext,
  id: string,
  modes: ModePlan
): RestoreResult['conversation'] {
  const { store } = context
  const row = findRestoreConversation(store, id)
  const session = row?.state === 'done' ? findSession(store, row.session) : null
  if (!row || !session) return null
  return {
    session: session.id,
    revision: row.to_revision,
    superseded: row.superseded,
    broughtBack: row.brought_back,
    prompt: modes.conversation?.prompt ?? '',
    ...prepareResume(context, session, row.to_revision)
  }
}

function prepareResume(
  context: RestoreContext,
  session: SessionRow,
  revision: number
): { readonly resume: Resume | null; readonly failure: ResumeFailure | null } {
  try {
    const resume = context.sessions.resumeAt(session, revision, {
      fork: revision !== lastMessageSeq(context.store, session.id)
    })
    return { resume, failure: null }
  } catch (error) {
    // The restore is done already. A problem in the agent's folder is reported, and the step can be retried.
    if (error instanceof DriftlineError) return { resume: null, failure: { code: 'refused', message: error.message } }
    if (errorCode(error) === '') throw error
    return { resume: null, failure: { code: 'failed', error: errorCode(error), session: session.id } }
  }
}

/** The mode of a restore and what it did to a conversation, for the timeline. */
export function conversationEntry(
  store: Store,
  { id, mode }: Pick<RestoreRow, 'id' | 'mode'>
): Pick<RestoreEntry, 'mode' | 'conversation'> {
  const row = findRestoreConversation(store, id)
  return {
    mode,
    conversation:
      row?.state === 'done' ? { session: row.session, superseded: row.superseded, broughtBack: row.brought_back } : null
  }
}
