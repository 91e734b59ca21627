/**
 * The conversation's part of a restore: which position it moves to, its journal, and the move itself. The move happens in the
 * transaction that appends the restore's Edits, so files and conversation change together or not at all (RS-6).
 */

import type { ConversationPlan, Resume } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreMode, RestorePlan, RestoreRequest, RestoreResult } from '../../../contract/restore.ts'
import type { RestoreEntry } from '../../../contract/timeline.ts'
import { explainMissingAnchor, findCut } from '../agents/fork.ts'
import { canForkSession, resumeAt } from '../agents/resume.ts'
import { importWholeTranscript } from '../agents/transcript.ts'
import { findCheckpoint } from '../checkpoints/checkpoints.ts'
import { errorCode } from '../ports/fs-errors.ts'
import {
  type ConversationPosition,
  conversationAt,
  isConversationAt,
  setConversationPosition
} from '../runs/conversation.ts'
import { lastMessageSeq, type MessageRow, messagesOf, seqsInForce } from '../store/messages.ts'
import { findSession, type SessionRow } from '../store/sessions.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { findRestore, type RestoreRow } from './journal.ts'

/** The move of a conversation that a request makes, or would make in another mode. */
interface ConversationMove {
  readonly to: ConversationPosition
  readonly plan: ConversationPlan
  /** Why it cannot be moved, or "". A sentence without capital and full stop. */
  readonly impossible: string
}

export interface ModePlan extends Pick<RestorePlan, 'mode' | 'modes' | 'conversation'> {
  /** The position to move to; null when the conversation is not moved or is there already. */
  readonly to: ConversationPosition | null
  readonly warnings: readonly string[]
}

interface ConversationRow {
  readonly session: string
  readonly from_revision: number
  readonly to_revision: number
  readonly head: string
  readonly superseded: number
  readonly brought_back: number
  readonly state: 'planned' | 'done'
}

const NO_CONVERSATION = 'no conversation was recorded at this point, so only files are restored'
const CONTINUED = 'the conversation was continued since, so it stays as it is'

/** [RS-3] What the request does to a conversation, checked against the agent's own transcript before any file changes. */
export function planConversation(recorder: Recorder, request: RestoreRequest, input: RequestInput): ModePlan {
  const move = findMove(recorder, request, input)
  const why = move ? move.impossible : request.kind === 'restore' ? NO_CONVERSATION : ''
  const possible = move !== null && why === ''
  const requested = resolveMode(recorder.store, request, input, move !== null)
  if (requested === 'conversation' && request.kind === 'restore' && !possible)
    throw new DriftlineError('Refused', `${asSentence(why)} Nothing was written.`, { target: request.target })
  const mode = possible ? requested : 'files'
  return {
    mode,
    modes: [
      { mode: 'files', possible: true, why: '' },
      { mode: 'conversation', possible, why },
      { mode: 'both', possible, why }
    ],
    conversation: move?.plan ?? null,
    to: move && mode !== 'files' && !isConversationAt(recorder.store, move.to) ? move.to : null,
    warnings: requested !== 'files' && !possible && why !== '' ? [asSentence(why)] : []
  }
}

/**
 * The requested mode, else the default: `both`, but `files` for a selection of paths. An undo, a redo or a recovery has the
 * mode of the restore it is about.
 */
function resolveMode(
  store: Store,
  request: RestoreRequest,
  input: RequestInput,
  hasConversation: boolean
): RestoreMode {
  if (request.kind === 'restore')
    return request.mode ?? (hasConversation && request.paths === undefined ? 'both' : 'files')
  const restore = input.undoes ?? input.finishes
  return (restore && findRestore(store, restore)?.mode) || 'files'
}

function findMove(recorder: Recorder, request: RestoreRequest, input: RequestInput): ConversationMove | null {
  const { store } = recorder
  switch (request.kind) {
    case 'restore': {
      const known = conversationAt(store, resolveTarget(store, request.target))
      if (!known) return null
      // Messages that were written but not imported yet belong before the restore.
      importWholeTranscript(recorder, known.session)
      const to = conversationAt(store, resolveTarget(store, request.target)) ?? known
      return describeMove(recorder, to, (session, anchor) => explainMissingAnchor(recorder, session, anchor))
    }
    case 'undo':
    case 'redo': {
      const undone = input.undoes ? findRestore(store, input.undoes) : null
      const row = undone ? findRow(store, undone.id) : null
      const head = undone && findCheckpoint(store, undone.guard)?.head
      if (row?.state !== 'done' || !head) return null
      return moveUnlessContinued(recorder, { session: row.session, revision: row.from_revision, head }, row.to_revision)
    }
    case 'recover': {
      const row = input.finishes ? findRow(store, input.finishes) : null
      if (!row) return null
      const to = { session: row.session, revision: row.to_revision, head: row.head }
      return moveUnlessContinued(recorder, to, row.from_revision)
    }
    default:
      return null
  }
}

/** `from`: the revision at which the other restore left the conversation. At any later one it was continued since. */
function moveUnlessContinued(recorder: Recorder, to: ConversationPosition, from: number): ConversationMove | null {
  return describeMove(recorder, to, ({ revision }) => (revision === from || revision === to.revision ? '' : CONTINUED))
}

/** `findObstacle`: why the session cannot be moved there, or "". `anchor` is the last message that stays in force. */
function describeMove(
  recorder: Recorder,
  to: ConversationPosition,
  findObstacle: (session: SessionRow, anchor: MessageRow | null) => string
): ConversationMove | null {
  const { store } = recorder
  const session = findSession(store, to.session)
  if (!session) return null
  const messages = messagesOf(store, session.id)
  const [now, then] = [seqsInForce(messages, session.revision), seqsInForce(messages, to.revision)]
  const { anchor, next } = findCut(messages, to.revision, session.revision)
  const impossible = findObstacle(session, anchor)
  const resumable = impossible === '' && canForkSession(session)
  return {
    to,
    impossible,
    plan: {
      session: session.id,
      agent: session.agent,
      title: session.title,
      revision: session.revision,
      toRevision: to.revision,
      supersedes: [...now].filter((seq) => !then.has(seq)).length,
      bringsBack: [...then].filter((seq) => !now.has(seq)).length,
      prompt: next?.role === 'user' ? next.text : '',
      resumable,
      why: impossible || (resumable ? '' : NOT_FORKABLE)
    }
  }
}

const NOT_FORKABLE =
  "this agent's sessions cannot be forked; a prompt with a summary for a new session is prepared instead"

/** Writes the move to the restore's journal. Call inside its transaction. Throws PlanStale when the conversation was continued since the plan. */
export function journalConversation(store: Store, restore: string, { to, conversation }: ModePlan): void {
  if (!to || !conversation) return
  if (findSession(store, to.session)?.revision !== conversation.revision) {
    throw new DriftlineError(
      'PlanStale',
      'The conversation was continued since the preview. Nothing was written. Review the new preview.',
      { session: to.session }
    )
  }
  store.db
    .prepare("INSERT INTO restore_conversation VALUES (?, ?, ?, ?, ?, ?, ?, 'planned')")
    .run(
      restore,
      to.session,
      conversation.revision,
      to.revision,
      to.head,
      conversation.supersedes,
      conversation.bringsBack
    )
}

/**
 * Moves the conversation if this restore's journal contains a move, and returns whether it did. The restore that this one finishes
 * counts as moved, too. Call inside the transaction that appends the Edits.
 */
export function applyConversationMove(store: Store, restore: string, finishes: string | null): boolean {
  const row = findRow(store, restore)
  if (!row) return false
  setConversationPosition(store, { session: row.session, revision: row.to_revision, head: row.head })
  store.db
    .prepare("UPDATE restore_conversation SET state = 'done' WHERE restore IN (?, ?)")
    .run(restore, finishes ?? restore)
  return true
}

export function hasMovedConversation(store: Store, restore: string): boolean {
  return findRow(store, restore)?.state === 'done'
}

/** The conversation's part of the result. Prepares the agent's session so that it can be resumed at the new position. */
export function conversationResult(recorder: Recorder, restore: string, plan: ModePlan): RestoreResult['conversation'] {
  const { store } = recorder
  const row = findRow(store, restore)
  const session = row?.state === 'done' ? findSession(store, row.session) : null
  if (!row || !session) return null
  const { resume, note } = prepareResume(recorder, session, row.to_revision)
  return {
    session: session.id,
    revision: row.to_revision,
    superseded: row.superseded,
    broughtBack: row.brought_back,
    prompt: plan.conversation?.prompt ?? '',
    resume,
    note
  }
}

function prepareResume(
  recorder: Recorder,
  session: SessionRow,
  revision: number
): { readonly resume: Resume | null; readonly note: string } {
  try {
    const resume = resumeAt(recorder, session, revision, revision !== lastMessageSeq(recorder.store, session.id))
    return { resume, note: resume.note }
  } catch (error) {
    // The restore is done already. A problem in the agent's folder becomes a note, and the step can be retried.
    if (error instanceof DriftlineError) return { resume: null, note: error.message }
    if (errorCode(error) === '') throw error
    const retry = `Retry with "driftline resume ${session.id} --fork".`
    return { resume: null, note: `Couldn't prepare the agent's session (${errorCode(error)}). ${retry}` }
  }
}

/** The mode of a restore and what it did to a conversation, for the timeline. */
export function conversationEntry(
  store: Store,
  { id, mode }: Pick<RestoreRow, 'id' | 'mode'>
): Pick<RestoreEntry, 'mode' | 'conversation'> {
  const row = findRow(store, id)
  return {
    mode,
    conversation:
      row?.state === 'done' ? { session: row.session, superseded: row.superseded, broughtBack: row.brought_back } : null
  }
}

function findRow(store: Store, restore: string): ConversationRow | null {
  return (
    (store.db.prepare('SELECT * FROM restore_conversation WHERE restore = ?').get(restore) as
      | ConversationRow
      | undefined) ?? null
  )
}

function asSentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`
}
