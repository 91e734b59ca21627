/** What a restore says about the conversation: before, in which mode, and after. Pure. */
import type { ConversationPlan } from '../../../contract/conversation.ts'
import type { RestoreMode, RestorePlan, RestoreResult } from '../../../contract/restore.ts'
import { agentLook } from '../../ui/agent.tsx'
import { plural } from '../../ui/format.ts'

export const MODE_WORDS: Readonly<Record<RestoreMode, string>> = {
  both: 'Both',
  files: 'Files',
  conversation: 'Conversation'
}
/** As they are offered. */
export const MODES: readonly RestoreMode[] = ['both', 'files', 'conversation']

/** The plan moves the conversation. */
export function movesTalk(plan: RestorePlan | null): boolean {
  if (!plan?.conversation || plan.mode === 'files') return false
  return plan.conversation.supersedes + plan.conversation.bringsBack > 0
}

/** What becomes of the conversation in this mode. */
export function talkWords(plan: ConversationPlan, mode: RestoreMode): string {
  const who = agentLook(plan.agent).name
  if (mode === 'files') {
    return plan.supersedes > 0
      ? `The conversation stays: ${who} still remembers the ${plural(plan.supersedes, 'message')} after this point.`
      : 'The conversation stays as it is.'
  }
  const words: string[] = []
  if (plan.supersedes > 0) {
    const one = plan.supersedes === 1
    words.push(
      `${plural(plan.supersedes, 'message')} after this point ${one ? 'is' : 'are'} set aside, not deleted; undo brings ${one ? 'it' : 'them'} back.`
    )
  }
  if (plan.bringsBack > 0) {
    const one = plan.bringsBack === 1
    words.push(`${plural(plan.bringsBack, 'message')} taken back before ${one ? 'is' : 'are'} in force again.`)
  }
  if (words.length === 0) words.push('The conversation is already at this point.')
  if (!plan.resumable && plan.why) words.push(asSentence(plan.why))
  return words.join(' ')
}

/** Why a mode cannot be had, once for all of them; "" when all can. */
export function whyNotTalk(plan: RestorePlan): string {
  const why = plan.modes.find(({ possible }) => !possible)?.why ?? ''
  return why === '' ? '' : asSentence(why)
}

/** Files and conversation, as far as each was restored: "6 files and the conversation". */
export function restoredWords(files: number, result: Pick<RestoreResult, 'conversation'>): string {
  const talk = result.conversation !== null && result.conversation.superseded + result.conversation.broughtBack > 0
  if (!talk) return plural(files, 'file')
  return files === 0 ? 'the conversation' : `${plural(files, 'file')} and the conversation`
}

/** There is something to say about how to go on. */
export function tellsHowToGoOn({ state, conversation }: RestoreResult): boolean {
  if (state !== 'done' || !conversation) return false
  return Boolean(conversation.resume?.command) || conversation.prompt !== '' || conversation.note !== ''
}

function asSentence(text: string): string {
  const begun = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
