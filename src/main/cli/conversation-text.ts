/** The effect of a restore on a conversation, as lines for a terminal. */
import type { Resume } from '../../contract/conversation.ts'
import type { RestorePlan, RestoreResult } from '../../contract/restore.ts'
import { plural } from '../../contract/words/numbers.ts'
import { obstacleText } from '../../contract/words/plan.ts'
import { escapeLine, escapeText } from './escape.ts'

/** "4 messages undone", "2 messages restored". */
function describeChange(superseded: number, broughtBack: number): string {
  const parts = [
    ...(superseded > 0 ? [`${plural(superseded, 'message')} undone`] : []),
    ...(broughtBack > 0 ? [`${plural(broughtBack, 'message')} restored`] : [])
  ]
  return parts.length > 0 ? parts.join(', ') : 'no messages; todos and plan restored'
}

/** The conversation part of a plan's question, such as "4 messages"; "" when the conversation is not restored. */
export function affectedMessages(plan: RestorePlan): string {
  if (plan.mode === 'files' || !plan.conversation) return ''
  const { supersedes, bringsBack } = plan.conversation
  const messages = supersedes + bringsBack
  return messages > 0 ? plural(messages, 'message') : 'the conversation'
}

export function conversationPlanLines({ mode, conversation }: RestorePlan): readonly string[] {
  if (mode === 'files' || !conversation) return []
  const { agent, title, supersedes, bringsBack, resumable, why } = conversation
  return [
    `  conversation with ${escapeLine(agent)}, "${escapeLine(title)}": ${describeChange(supersedes, bringsBack)}`,
    ...(supersedes > 0 && resumable
      ? ["  The agent's own session file stays unchanged; a fork that ends at this point is created."]
      : []),
    ...(why ? [`  ${obstacleText(why)}`] : [])
  ]
}

export function conversationResultLines({ conversation }: RestoreResult): readonly string[] {
  if (!conversation) return []
  const { superseded, broughtBack, prompt, resume, note } = conversation
  return [
    `Conversation: ${describeChange(superseded, broughtBack)}.`,
    ...(prompt === '' ? [] : ['Undone prompt:', `  ${escapeText(prompt).replaceAll('\n', '\n  ')}`]),
    ...(resume ? resumeLines(resume) : note === '' ? [] : [escapeLine(note)])
  ]
}

/** The command that resumes the conversation, and the folder to run it in. */
export function resumeLines(resume: Resume): readonly string[] {
  return [
    ...(resume.command === ''
      ? []
      : [`Resume with:  ${escapeLine(resume.command)}`, `in:           ${escapeLine(resume.cwd)}`]),
    ...(resume.note === '' ? [] : [escapeLine(resume.note)])
  ]
}
