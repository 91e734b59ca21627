/** The rows of a conversation: their order, undone messages, and grouped reads. */
import { describe, expect, test } from 'vitest'
import type { SessionCall } from '../../../src/contract/conversation.ts'
import { repetitionText } from '../../../src/contract/words/tool-calls.ts'
import {
  conversationRestores,
  countNewerMessages,
  findPrompt,
  isUndone,
  messageRows,
  turnOfRow
} from '../../../src/renderer/features/conversation/message-rows.ts'
import { NOON, restore, run } from '../model/make.ts'
import { answer, call, detail, prompt, turn } from './make.ts'

const NONE = new Set<string>()
const shape = (rows: ReturnType<typeof messageRows>) =>
  rows.map((row) =>
    row.kind === 'call' ? `call ${row.calls.map(({ id }) => id).join('+')}` : `${row.kind} ${row.key}`
  )

describe('order', () => {
  test('tool calls are listed between messages by time; calls after the last message are last', () => {
    const rows = messageRows(
      detail({
        messages: [prompt(1, 'go'), answer(5, 'reading'), answer(9, 'done')],
        calls: [call('a', 'Edit', 6000), call('b', 'Bash', 6500), call('c', 'Write', 12_000)]
      }),
      [],
      NONE
    )
    expect(shape(rows)).toEqual(['prompt m1', 'answer m5', 'call a', 'call b', 'answer m9', 'call c'])
    const ends = rows.map((row) => (row.kind === 'call' ? [row.first, row.last] : null)).filter(Boolean)
    expect(ends).toEqual([
      [true, false],
      [false, true],
      [true, true]
    ])
  })

  test('adjacent reads after the first are one line, until expanded', () => {
    const calls = [
      call('a', 'Read', 2000),
      call('b', 'Read', 2100),
      call('c', 'read_file', 2200),
      call('d', 'Edit', 2300),
      call('e', 'Read', 2400),
      call('f', 'Read', 2500)
    ]
    const shapeWith = (expanded: ReadonlySet<string>) => shape(messageRows(detail({ calls }), [], expanded))
    expect(shapeWith(NONE)).toEqual(['call a', 'call b+c', 'call d', 'call e', 'call f'])
    expect(shapeWith(new Set(['b']))).toEqual(['call a', 'call b', 'call c', 'call d', 'call e', 'call f'])
  })

  test('adjacent commands of one program that changed nothing are one line, too', () => {
    const runs = (id: string, summary: string, more = {}) => call(id, 'Bash', Number(`2${id}`), { summary, ...more })
    const calls = [
      runs('1', 'sed -n 1,40p a.ts'),
      runs('2', 'sed -n 41,80p a.ts'),
      runs('3', 'sed -n 81,90p a.ts'),
      runs('4', 'sed -i s/a/b/ a.ts', { changedCount: 1 }),
      runs('5', 'sed x', { state: 'failed' }),
      runs('6', 'ls'),
      runs('7', 'ls src')
    ]
    expect(shape(messageRows(detail({ calls }), [], NONE))).toEqual([
      'call 1',
      'call 2+3',
      'call 4',
      'call 5',
      'call 6',
      'call 7'
    ])
    expect(repetitionText(calls[1] as SessionCall, 2)).toBe('sed 2 more times')
  })

  test('a compaction of the context is a marker at its time', () => {
    const checkpoint = {
      id: 'cp_1',
      reason: 'compact',
      seq: 1,
      status: 'available',
      restorable: true,
      cause: null,
      run: null,
      session: 's1',
      turn: null,
      label: '',
      at: NOON + 3000,
      files: 0,
      revision: 2
    } as const
    const marks = [checkpoint, { ...checkpoint, id: 'cp_2', reason: 'end_of_turn' } as const]
    const rows = messageRows(detail({ messages: [prompt(1, 'go'), answer(5, 'done')], checkpoints: marks }), [], NONE)
    expect(shape(rows)).toEqual(['prompt m1', 'marker cp_1', 'answer m5'])
  })
})

describe('undone messages', () => {
  const conversationRestore = (id: string, at: number, undone = false) =>
    restore(id, 1, 0, {
      at: NOON + at,
      undone,
      mode: 'both',
      conversation: { session: 's1', superseded: 2, broughtBack: 0 }
    })
  const messages = [
    prompt(1, 'one'),
    answer(2, 'yes'),
    prompt(3, 'two', { superseded: true, turn: 't2' }),
    answer(4, 'yes', { superseded: true, turn: 't2' }),
    prompt(9, 'three')
  ]

  test('they keep their place below a marker with the time of the restore; their tool calls are undone, too', () => {
    const calls = [call('a', 'Edit', 3500, { turn: 't2' })]
    const rows = messageRows(
      detail({ messages, calls, turns: [turn('t2', 'r', 3)] }),
      [conversationRestore('x', 6000)],
      NONE
    )
    expect(shape(rows)).toEqual([
      'prompt m1',
      'answer m2',
      'marker undone-3',
      'prompt m3',
      'call a',
      'answer m4',
      'prompt m9'
    ])
    expect(rows[2]).toMatchObject({ text: 'Undone', at: NOON + 6000 })
    expect(rows.map(isUndone)).toEqual([false, false, false, true, true, true, false])
  })

  test('restores that are undone, of another conversation, or older than the message do not date it', () => {
    const ofOtherSession = {
      ...conversationRestore('y', 5000),
      conversation: { session: 's2', superseded: 1, broughtBack: 0 }
    }
    const entries = [
      run('r', 1),
      conversationRestore('u', 5500, true),
      ofOtherSession,
      conversationRestore('early', 1000),
      conversationRestore('x', 7000)
    ]
    const restores = conversationRestores(entries, 's1')
    expect(restores.map(({ id }) => id)).toEqual(['u', 'early', 'x'])
    expect(messageRows(detail({ messages }), restores, NONE)[2]).toMatchObject({ at: NOON + 7000 })
  })

  test('without the loaded restore the marker has no time', () => {
    expect(messageRows(detail({ messages }), [], NONE)[2]).toMatchObject({ text: 'Undone', at: null })
  })
})

describe('positions', () => {
  const rows = messageRows(
    detail({
      messages: [
        prompt(1, 'one'),
        answer(2, 'yes'),
        prompt(3, 'two', { turn: 't2' }),
        prompt(4, 'three', { turn: 't3' })
      ],
      turns: [turn('t1', 'r1', 1), turn('t2', 'r1', 3), turn('t3', 'r2', 4)]
    }),
    [],
    NONE
  )

  test('a run selects its first prompt, a turn its own, other selections none', () => {
    expect(findPrompt(rows, 'r1', null)).toBe(0)
    expect(findPrompt(rows, 'r1', 't2')).toBe(2)
    expect(findPrompt(rows, 'r2', null)).toBe(3)
    expect(findPrompt(rows, null, null)).toBe(-1)
    expect(turnOfRow(rows[1])?.id).toBe('t1')
  })

  test('counts the messages after the last one read', () => {
    expect(countNewerMessages(rows, 'm2')).toBe(2)
    expect(countNewerMessages(rows, 'm4')).toBe(0)
    expect(countNewerMessages(rows, null)).toBe(0)
  })

  test('5,000 calls are listed between 10,000 messages, each after two of them', () => {
    const messages = Array.from({ length: 10_000 }, (_, i) => answer(i + 1, `m${i}`))
    const calls = Array.from({ length: 5000 }, (_, i) => call(`c${i}`, 'Read', i * 2000 + 1500))
    const rows = messageRows(detail({ messages, calls }), [], NONE)
    expect(rows).toHaveLength(15_000)
    expect(rows.every(({ kind }, i) => (kind === 'call') === (i % 3 === 1))).toBe(true)
  })
})
