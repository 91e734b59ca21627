/** The loaded part of a conversation: adjacent messages that grow at both ends as pages arrive. Pure. */
import { isInForce, type Message, type MessagePage, type SeqRanges } from '../../../contract/conversation.ts'

/** More are not kept: the end that is further from the new page is dropped, and loaded again when it is needed. */
export const MAX_LOADED = 1500

/**
 * Adds what came after the loaded messages: their state is that of the new page. A page that does not connect, because
 * another part was loaded meanwhile, adds nothing else.
 */
export function addNewer(loaded: MessagePage, page: MessagePage): MessagePage {
  const last = loaded.messages.at(-1)?.seq ?? 0
  const newer = page.messages.filter(({ seq }) => seq > last)
  const known = restate(loaded, page.inForce)
  if (newer[0] && last > 0 && newer[0].seq !== last + 1)
    return { ...page, messages: known, more: { before: loaded.more.before, after: true } }
  const messages = [...known, ...newer]
  const kept = messages.slice(-MAX_LOADED)
  const before = loaded.more.before || kept.length < messages.length
  return { ...page, messages: kept, more: { before, after: page.more.after } }
}

/** Adds what came before the loaded messages, unless it does not connect. */
export function addOlder(loaded: MessagePage, page: MessagePage): MessagePage {
  const first = loaded.messages[0]?.seq ?? 0
  const older = page.messages.filter(({ seq }) => seq < first)
  if (older.at(-1)?.seq !== first - 1) return loaded
  const messages = [...older, ...restate(loaded, page.inForce)]
  const kept = messages.slice(0, MAX_LOADED)
  const after = loaded.more.after || kept.length < messages.length
  return { ...page, messages: kept, more: { before: page.more.before, after } }
}

/** Whether a message is loaded, or would be if it existed. */
export function isLoaded({ messages, more }: MessagePage, seq: number): boolean {
  const [first, last] = [messages[0]?.seq ?? 0, messages.at(-1)?.seq ?? 0]
  return (seq >= first || !more.before) && (seq <= last || !more.after)
}

/** Texts never change, and messages that stay in force or undone keep their objects. */
function restate({ messages, inForce: before }: MessagePage, inForce: SeqRanges): readonly Message[] {
  if (JSON.stringify(before) === JSON.stringify(inForce)) return messages
  return messages.map((message) => {
    const superseded = !isInForce(inForce, message.seq)
    return message.superseded === superseded ? message : { ...message, superseded }
  })
}
