/** What a restore does to a conversation, as people read it on a terminal. */
import type { Resume } from '../../contract/conversation.ts'
import type { RestorePlan, RestoreResult } from '../../contract/restore.ts'
import { escapeLine, escapeText } from './escape.ts'
import { count } from './words.ts'

/** "4 messages", "2 messages back in force". */
function moved(superseded: number, broughtBack: number): string {
  const parts = [
    ...(superseded > 0 ? [`${count(superseded, 'message')} taken back`] : []),
    ...(broughtBack > 0 ? [`${count(broughtBack, 'message')} in force again`] : [])
  ]
  return parts.length > 0 ? parts.join(', ') : 'todos and plan as they were'
}

/** For the question a plan ends in: "and 4 messages"; "" when the conversation stays. */
export function talkWords(plan: RestorePlan): string {
  if (plan.mode === 'files' || !plan.conversation) return ''
  const { supersedes, bringsBack } = plan.conversation
  const messages = supersedes + bringsBack
  return messages > 0 ? count(messages, 'message') : 'the conversation'
}

export function talkPlanLines({ mode, conversation }: RestorePlan): readonly string[] {
  if (mode === 'files' || !conversation) return []
  const { agent, title, supersedes, bringsBack, resumable, why } = conversation
  return [
    `  conversation with ${escapeLine(agent)}, "${escapeLine(title)}": ${moved(supersedes, bringsBack)}`,
    ...(supersedes > 0 && resumable
      ? ["  The agent's own session stays as it is; one cut at this point is prepared beside it."]
      : []),
    ...(why === '' ? [] : [`  ${escapeLine(why)}`])
  ]
}

export function talkResultLines({ conversation }: RestoreResult): readonly string[] {
  if (!conversation) return []
  const { superseded, broughtBack, prompt, resume, note } = conversation
  return [
    `Conversation: ${moved(superseded, broughtBack)}.`,
    ...(prompt === '' ? [] : ['You had asked:', `  ${escapeText(prompt).replaceAll('\n', '\n  ')}`]),
    ...(resume ? resumeLines(resume) : note === '' ? [] : [escapeLine(note)])
  ]
}

/** The command to go on with, and where. */
export function resumeLines(resume: Resume): readonly string[] {
  return [
    ...(resume.command === ''
      ? []
      : [`Go on with:  ${escapeLine(resume.command)}`, `in:          ${escapeLine(resume.cwd)}`]),
    ...(resume.note === '' ? [] : [escapeLine(resume.note)])
  ]
}
