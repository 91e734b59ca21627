/** Texts about the conversation in a restore, before and after it. Pure. */
import type { ConversationPlan, ResumeFailure, ResumeNote } from '../conversation.ts'
import type { RestoreMode, RestorePlan, RestoreResult } from '../restore.ts'
import { agentIdentity } from './agents.ts'
import { plural } from './numbers.ts'
import { obstacleText } from './plan.ts'
import { asSentence } from './text.ts'

export const MODE_LABELS: Readonly<Record<RestoreMode, string>> = {
  both: 'Both',
  files: 'Files',
  conversation: 'Conversation'
}
/** In display order. */
export const MODES: readonly RestoreMode[] = ['both', 'files', 'conversation']

/** Whether applying the plan changes which messages are active. */
export function changesConversation(plan: RestorePlan | null): boolean {
  if (!plan?.conversation || plan.mode === 'files') return false
  return plan.conversation.supersedes + plan.conversation.bringsBack > 0
}

/** What this mode does to the conversation. */
export function conversationText(plan: ConversationPlan, mode: RestoreMode): string {
  const who = agentIdentity(plan.agent).name
  if (mode === 'files') {
    return plan.supersedes > 0
      ? `The conversation stays: ${who} still remembers the ${plural(plan.supersedes, 'message')} after this point.`
      : 'The conversation does not change.'
  }
  const sentences: string[] = []
  if (plan.supersedes > 0) {
    const single = plan.supersedes === 1
    sentences.push(
      `${plural(plan.supersedes, 'message')} after this point ${single ? 'is' : 'are'} set aside, not deleted; undo restores ${single ? 'it' : 'them'}.`
    )
  }
  if (plan.bringsBack > 0) {
    const single = plan.bringsBack === 1
    sentences.push(`${plural(plan.bringsBack, 'undone message')} ${single ? 'becomes' : 'become'} active again.`)
  }
  if (sentences.length === 0) sentences.push('The conversation is already at this point.')
  if (!plan.resumable && plan.why) sentences.push(asSentence(obstacleText(plan.why)))
  return sentences.join(' ')
}

/** Why a mode is unavailable, "" if all are available. Unavailable modes share one reason. */
export function modeUnavailableReason(plan: RestorePlan): string {
  const why = plan.modes.find(({ possible }) => !possible)?.why
  return why ? asSentence(obstacleText(why)) : ''
}

const RESUME_NOTES: Readonly<Record<ResumeNote, string>> = {
  remembers:
    'This resumes the original session: the agent remembers what came after this point. Add --fork to resume without it.',
  working: 'The agent is still working in this session.',
  'no-messages': 'There are no messages before this point; this starts a new session.',
  'new-session':
    "This agent's sessions cannot be forked. Start a new session and paste the prompt, which contains the conversation."
}

/** What to know before resuming, as a sentence; "" if there is nothing. */
export function resumeNoteText(note: ResumeNote | null): string {
  return note ? RESUME_NOTES[note] : ''
}

/** Why no way to resume was prepared, and what to do; "" if one was. */
export function resumeFailureText(failure: ResumeFailure | null): string {
  if (!failure) return ''
  if (failure.code === 'refused') return failure.message
  return `Couldn't prepare the agent's session (${failure.error}). Retry with "driftline resume ${failure.session} --fork".`
}

/** Whether the result tells how to resume the session. */
export function hasResumeInfo({ state, conversation }: RestoreResult): boolean {
  if (state !== 'done' || !conversation) return false
  return Boolean(conversation.resume?.command) || conversation.prompt !== '' || conversation.failure !== null
}
