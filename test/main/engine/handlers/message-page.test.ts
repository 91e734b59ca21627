/** [ST-5] A conversation is read in pages, from any of its messages, and they give all of it. */
import { expect, test } from 'vitest'
import type { MessagePage } from '../../../../src/contract/conversation.ts'
import { addMessage } from '../../../../src/main/engine/runs/session-rows.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'

async function longConversation(folder: RecordedFolder, texts: readonly string[]): Promise<TranscriptAgent> {
  const agent = createTranscriptAgent(folder)
  await agent.say('begin', 'begun')
  folder.store((store) =>
    transact(store, (tx) => {
      for (const [n, text] of texts.entries())
        addMessage(tx, agent.session, { turn: null, role: n % 5 ? 'assistant' : 'user', text, at: n, source: `s${n}` })
    })
  )
  return agent
}

const seqs = ({ messages }: MessagePage): readonly (number | undefined)[] => [
  messages[0]?.seq,
  messages.at(-1)?.seq,
  messages.length
]

test('[ST-5] pages after, before and around a message', async () => {
  await using folder = await recordedFolder({})
  const { session } = await longConversation(
    folder,
    Array.from({ length: 998 }, (_, n) => `text ${n}`)
  )
  const read = (cursor: object) =>
    folder.engine.call('sessions.messages', { workspace: folder.workspace, session, ...cursor })
  expect(seqs(await read({}))).toEqual([1, 100, 100])
  expect(seqs(await read({ side: 'before' }))).toEqual([901, 1000, 100])
  expect(seqs(await read({ at: 500, side: 'around', limit: 10 }))).toEqual([495, 504, 10])
  expect(seqs(await read({ at: 500, side: 'before', limit: 3 }))).toEqual([497, 499, 3])
  expect(await read({ at: 1000, side: 'after' })).toMatchObject({ messages: [], more: { before: true, after: false } })
  const found: string[] = []
  for (let at = 0; ; ) {
    const page = await read({ at, side: 'after', limit: 77 })
    expect(page.more.before).toBe(at > 0)
    found.push(...page.messages.map(({ text }) => text))
    at = page.messages.at(-1)?.seq ?? 0
    if (!page.more.after) break
  }
  expect(found).toEqual(['begin', 'begun', ...Array.from({ length: 998 }, (_, n) => `text ${n}`)])
})

test('[ST-5] a page of long texts ends early, and the next one continues there', async () => {
  await using folder = await recordedFolder({})
  const long = Array.from({ length: 8 }, (_, n) => `${n} `.repeat(200_000))
  const { session } = await longConversation(folder, long)
  const read = (cursor: object) =>
    folder.engine.call('sessions.messages', { workspace: folder.workspace, session, ...cursor })
  expect(seqs(await read({}))).toEqual([1, 5, 5])
  expect(seqs(await read({ at: 5, side: 'after' }))).toEqual([6, 8, 3])
  expect(seqs(await read({ side: 'before' }))).toEqual([8, 10, 3])
})

test('[ST-5] find reads all messages of a conversation, packed or not, in any case', async () => {
  await using folder = await recordedFolder({})
  const texts = Array.from({ length: 400 }, (_, n) =>
    n === 5 || n === 300 || n === 399 ? `Ärger with ${n}` : `t ${n}`
  )
  const { session } = await longConversation(folder, texts)
  const find = (text: string) => folder.engine.call('sessions.find', { workspace: folder.workspace, session, text })
  // Two messages precede them.
  expect(await find('äRGER')).toEqual({ seqs: [8, 303, 402], more: false })
  expect(await find('BEGUN')).toEqual({ seqs: [2], more: false })
  // No match across the end of a text.
  expect((await find('1t')).seqs).toEqual([])
  expect((await find(' ')).seqs).toEqual([])
})
