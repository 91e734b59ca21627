/** Reads a conversation in pages: one answer of the recorder cannot hold a long one. */
import type { MessagePage } from '../../contract/conversation.ts'
import type { Context } from './context.ts'

const PAGE = 500

/** The pages from the first message on; at least one. */
export async function* conversationPages({ ask }: Pick<Context, 'ask'>, session: string): AsyncGenerator<MessagePage> {
  for (let at = 0; ; ) {
    const page = await ask('sessions.messages', { session, at, side: 'after', limit: PAGE })
    yield page
    if (!page.more.after) return
    at = page.messages.at(-1)?.seq ?? at
  }
}
