/** The loaded part of a long conversation grows at both ends and stays without gaps. */
import { describe, expect, test } from 'vitest'
import type { MessagePage } from '../../../src/contract/conversation.ts'
import { addNewer, addOlder, isLoaded, MAX_LOADED } from '../../../src/renderer/features/conversation/message-window.ts'
import { answer } from './make.ts'

/** Messages `first` to `last` of a conversation of 10,000; `inForce` up to `revision`. */
function page(first: number, last: number, revision = 10_000): MessagePage {
  const messages = Array.from({ length: last - first + 1 }, (_, n) =>
    answer(first + n, `text ${first + n}`, { superseded: first + n > revision })
  )
  const more = { before: first > 1, after: last < 10_000 }
  return { revision, messages, inForce: [[1, revision]], more, todos: [], plan: '', unknown: [] }
}
const ends = ({ messages, more }: MessagePage) => [messages[0]?.seq, messages.at(-1)?.seq, more.before, more.after]

describe('the loaded messages', () => {
  test('grow by pages before and after them, which may overlap', () => {
    expect(ends(addOlder(page(101, 200), page(1, 100)))).toEqual([1, 200, false, true])
    expect(ends(addNewer(page(9801, 9900), page(9901, 10_000)))).toEqual([9801, 10_000, true, false])
    expect(ends(addNewer(page(101, 200), page(151, 300)))).toEqual([101, 300, true, true])
  })

  test('ignore a page that does not connect, because another part was loaded meanwhile', () => {
    expect(ends(addNewer(page(101, 200), page(5001, 5100)))).toEqual([101, 200, true, true])
    expect(ends(addOlder(page(5001, 5100), page(1, 100)))).toEqual([5001, 5100, true, true])
  })

  test('are never more than MAX_LOADED: the far end is dropped and can be loaded again', () => {
    const loaded = page(2001, 2000 + MAX_LOADED)
    expect(ends(addOlder(loaded, page(1901, 2000)))).toEqual([1901, 1900 + MAX_LOADED, true, true])
    expect(ends(addNewer(loaded, page(2001 + MAX_LOADED, 2100 + MAX_LOADED)))).toEqual([
      2101,
      2100 + MAX_LOADED,
      true,
      true
    ])
  })

  test('show what a restore undid since they were loaded, and keep the objects of all others', () => {
    const loaded = page(101, 200)
    const after = addNewer(loaded, { ...page(201, 210), inForce: [[1, 150]], revision: 150 })
    expect(after.messages.filter(({ superseded }) => superseded).map(({ seq }) => seq)[0]).toBe(151)
    expect(after.messages[49]).toBe(loaded.messages[49])
  })

  test('hold every message between their ends, and all beyond an end of the conversation', () => {
    expect([100, 101, 200, 201].map((seq) => isLoaded(page(101, 200), seq))).toEqual([false, true, true, false])
    expect(isLoaded(page(9901, 10_000), 10_001)).toBe(true)
  })
})
