/** Checks the stored texts of conversations against their checksums. It changes nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DoctorFinding } from '../../../contract/doctor.ts'
import { countDamagedTexts } from '../store/damaged-texts.ts'
import { lastMessageSeq, messagesOf } from '../store/messages.ts'
import type { Store } from '../store/open-store.ts'
import { listSessions } from '../store/sessions.ts'

type ConversationProblem = Extract<DoctorFinding, { readonly code: 'Conversation' }>

/** Messages checked between two pauses, in which other work of this thread runs. */
const MESSAGES_PER_STEP = 1000

/** [ST-8] Conversations with texts that cannot be read as they were stored. */
export async function checkConversations(store: Store): Promise<ConversationProblem[]> {
  const texts = countDamagedTexts(store)
  const problems: ConversationProblem[] = []
  for (const { id, title, transcript } of listSessions(store)) {
    const damaged = {
      repaired: 0,
      messages: await countDamaged(store, id),
      texts: texts.get(id) ?? 0
    }
    if (damaged.messages + damaged.texts > 0)
      problems.push({ code: 'Conversation', session: { id, title, transcript }, ...damaged })
  }
  const others = texts.get(null)
  if (others !== undefined)
    problems.push({ code: 'Conversation', session: null, messages: 0, repaired: 0, texts: others })
  return problems
}

/** Each step is read and checked in one turn: meanwhile messages may be deleted or packed. */
async function countDamaged(store: Store, session: string): Promise<number> {
  const last = lastMessageSeq(store, session)
  let damaged = 0
  for (let from = 0; from <= last; from += MESSAGES_PER_STEP) {
    for (const message of messagesOf(store, session, from, from + MESSAGES_PER_STEP - 1)) if (message.damaged) damaged++
    await nextTurn()
  }
  return damaged
}
