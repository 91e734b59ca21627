/** The conversation's side of a restore: where it goes, its journal, and going there in the restore's own transaction. */

import type { ConversationPlan, Resume } from '../../../contract/conversation.ts'
import { DriftlineError } from '../../../contract/errors.ts'
import type { RestoreRequest, RestoreMode, RestorePlan, RestoreResult } from '../../../contract/restore.ts'
import type { RestoreEntry } from '../../../contract/timeline.ts'
import { findCut, explainMissingAnchor } from '../agents/fork.ts'
import { canForkSession, resumeAt } from '../agents/resume.ts'
import { importWholeTranscript } from '../agents/transcript.ts'
import { findCheckpoint } from '../checkpoints/checkpoints.ts'
import { errorCode } from '../ports/fs-errors.ts'
import { isConversationAt, setConversationPosition, type ConversationPosition, conversationAt } from '../sessions/conversation.ts'
import { seqsInForce, lastMessageSeq, type MessageRow, messagesOf } from '../sessions/messages.ts'
import { findSession, type SessionRow } from '../sessions/sessions.ts'
import type { Store } from '../store/open-store.ts'
import { resolveTarget } from '../store/targets.ts'
import type { Recorder } from '../workspaces/recorder.ts'
import type { RequestInput } from './inputs/request-input.ts'
import { findRestore, type RestoreRow } from './journal.ts'

/** A conversation that an act moves, or would move in another mode. */
interface Talk {
  readonly to: ConversationPosition
  readonly plan: ConversationPlan
  /** Why it cannot be moved, or "". */
  readonly impossible: string
}

export interface ModePlan extends Pick<RestorePlan, 'mode' | 'modes' | 'conversation'> {
  /** Where the conversation goes; null when the act leaves it alone or it is there already. */
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

const NONE = 'no conversation with an agent was recorded at this point, so only files go back'
const WENT_ON = 'the conversation went on since, so it stays as it is'

/** [RS-3] What the act does to a conversation, checked against the agent's own transcript before any file changes. */
export function planConversation(recorder: Recorder, act: RestoreRequest, facts: RequestInput): ModePlan {
  const talk = talkOf(recorder, act, facts)
  const why = talk ? talk.impossible : act.kind === 'restore' ? NONE : ''
  const can = talk !== null && why === ''
  const wanted = modeOf(recorder.store, act, facts, talk !== null)
  if (wanted === 'conversation' && act.kind === 'restore' && !can)
    throw new DriftlineError('Refused', `${sentence(why)} Nothing was written.`, { target: act.target })
  const mode = can ? wanted : 'files'
  return {
    mode,
    modes: [
      { mode: 'files', possible: true, why: '' },
      { mode: 'conversation', possible: can, why },
      { mode: 'both', possible: can, why }
    ],
    conversation: talk?.plan ?? null,
    to: talk && mode !== 'files' && !isConversationAt(recorder.store, talk.to) ? talk.to : null,
    warnings: wanted !== 'files' && !can && why !== '' ? [sentence(why)] : []
  }
}

/** What was asked for, or what is usual. A selection of paths is about files. */
function modeOf(store: Store, act: RestoreRequest, facts: RequestInput, hasTalk: boolean): RestoreMode {
  if (act.kind === 'restore') return act.mode ?? (hasTalk && act.paths === undefined ? 'both' : 'files')
  const again = facts.undoes ?? facts.finishes
  return (again && findRestore(store, again)?.mode) || 'files'
}

function talkOf(recorder: Recorder, act: RestoreRequest, facts: RequestInput): Talk | null {
  const { store } = recorder
  if (act.kind === 'restore') {
    const known = conversationAt(store, resolveTarget(store, act.target))
    if (!known) return null
    // What was said and not read yet is said before the restore.
    importWholeTranscript(recorder, known.session)
    const to = conversationAt(store, resolveTarget(store, act.target)) ?? known
    return talkTo(recorder, to, (session, anchor) => explainMissingAnchor(recorder, session, anchor))
  }
  if (act.kind === 'undo' || act.kind === 'redo') {
    const row = facts.undoes ? findRestore(store, facts.undoes) : null
    const done = row ? rowOf(store, row.id) : null
    const head = row && findCheckpoint(store, row.guard)?.head
    if (done?.state !== 'done' || !head) return null
    const to = { session: done.session, revision: done.from_revision, head }
    return talkTo(recorder, to, ({ revision }) => (stillAt(revision, done.to_revision, to) ? '' : WENT_ON))
  }
  const cut = act.kind === 'recover' && facts.finishes ? rowOf(store, facts.finishes) : null
  if (!cut) return null
  const to = { session: cut.session, revision: cut.to_revision, head: cut.head }
  return talkTo(recorder, to, ({ revision }) => (stillAt(revision, cut.from_revision, to) ? '' : WENT_ON))
}

function stillAt(now: number, left: number, to: ConversationPosition): boolean {
  return now === left || now === to.revision
}

function talkTo(
  recorder: Recorder,
  to: ConversationPosition,
  hindrance: (session: SessionRow, anchor: MessageRow | null) => string
): Talk | null {
  const { store } = recorder
  const session = findSession(store, to.session)
  if (!session) return null
  const messages = messagesOf(store, session.id)
  const [now, then] = [seqsInForce(messages, session.revision), seqsInForce(messages, to.revision)]
  const { anchor, next } = findCut(messages, to.revision, session.revision)
  const impossible = hindrance(session, anchor)
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
      why: impossible || (resumable ? '' : RETOLD)
    }
  }
}

const RETOLD = "this agent's sessions cannot be cut; a prompt that tells a new one what was said is prepared instead"

/** Durable with the restore's journal. Call inside its transaction; PlanStale when the conversation moved since the plan. */
export function journalConversation(store: Store, restore: string, { to, conversation }: ModePlan): void {
  if (!to || !conversation) return
  if (findSession(store, to.session)?.revision !== conversation.revision) {
    throw new DriftlineError(
      'PlanStale',
      'The conversation went on since the preview. Nothing was written. Look at the new preview and decide again.',
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

/** Moves the conversation where this restore wants it, if it does; one that it finishes has moved it then, too. Call inside the transaction that appends its Edits. */
export function applyConversationMove(store: Store, restore: string, finishes: string | null): boolean {
  const row = rowOf(store, restore)
  if (!row) return false
  setConversationPosition(store, { session: row.session, revision: row.to_revision, head: row.head })
  store.db
    .prepare("UPDATE restore_conversation SET state = 'done' WHERE restore IN (?, ?)")
    .run(restore, finishes ?? restore)
  return true
}

export function hasMovedConversation(store: Store, restore: string): boolean {
  return rowOf(store, restore)?.state === 'done'
}

/** For callers: what was done, and how the agent goes on from there. Prepares the agent's own session. */
export function conversationResult(recorder: Recorder, restore: string, plan: ModePlan): RestoreResult['conversation'] {
  const { store } = recorder
  const row = rowOf(store, restore)
  const session = row?.state === 'done' ? findSession(store, row.session) : null
  if (!row || !session) return null
  const { resume, note } = prepared(recorder, session, row.to_revision)
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

function prepared(
  recorder: Recorder,
  session: SessionRow,
  revision: number
): { readonly resume: Resume | null; readonly note: string } {
  try {
    const resume = resumeAt(recorder, session, revision, revision !== lastMessageSeq(recorder.store, session.id))
    return { resume, note: resume.note }
  } catch (error) {
    // The restore is done; what the agent's folder does not take is said, and can be tried again.
    if (error instanceof DriftlineError) return { resume: null, note: error.message }
    if (errorCode(error) === '') throw error
    const again = `"driftline resume ${session.id} --fork" tries it again.`
    return { resume: null, note: `The agent's session could not be prepared (${errorCode(error)}). ${again}` }
  }
}

/** For lists: what a restore did to a conversation, and its mode. */
export function conversationEntry(
  store: Store,
  { id, mode }: Pick<RestoreRow, 'id' | 'mode'>
): Pick<RestoreEntry, 'mode' | 'conversation'> {
  const row = rowOf(store, id)
  return {
    mode,
    conversation:
      row?.state === 'done' ? { session: row.session, superseded: row.superseded, broughtBack: row.brought_back } : null
  }
}

function rowOf(store: Store, restore: string): ConversationRow | null {
  return (
    (store.db.prepare('SELECT * FROM restore_conversation WHERE restore = ?').get(restore) as
      | ConversationRow
      | undefined) ?? null
  )
}

function sentence(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`
}
