/** The rows of a conversation: what stands where, what was taken back, and what is told together. */
import { describe, expect, test } from 'vitest'
import {
  conversationRestores,
  isTakenBack,
  newerMessages,
  promptIndex,
  talkRows,
  turnOfRow
} from '../../../src/renderer/features/conversation/talk-rows.ts'
import { NOON, restore, run } from '../timeline/make.ts'
import { asked, call, detail, said, turn } from './make.ts'

const NONE = new Set<string>()
const shape = (rows: ReturnType<typeof talkRows>) =>
  rows.map((row) =>
    row.kind === 'call' ? `call ${row.calls.map(({ id }) => id).join('+')}` : `${row.kind} ${row.key}`
  )

describe('the order', () => {
  test('tool calls stand between the messages they were made between; those without a later message come last', () => {
    const rows = talkRows(
      detail({
        messages: [asked(1, 'go'), said(5, 'reading'), said(9, 'done')],
        calls: [call('a', 'Edit', 6000), call('b', 'Bash', 6500), call('c', 'Write', 12_000)]
      }),
      [],
      NONE
    )
    expect(shape(rows)).toEqual(['prompt m1', 'say m5', 'call a', 'call b', 'say m9', 'call c'])
    const ends = rows.map((row) => (row.kind === 'call' ? [row.first, row.last] : null)).filter(Boolean)
    expect(ends).toEqual([
      [true, false],
      [false, true],
      [true, true]
    ])
  })

  test('several reads in a row are one line beyond the first, and one by one when asked', () => {
    const calls = [
      call('a', 'Read', 2000),
      call('b', 'Read', 2100),
      call('c', 'read_file', 2200),
      call('d', 'Edit', 2300),
      call('e', 'Read', 2400),
      call('f', 'Read', 2500)
    ]
    const told = (unfolded: ReadonlySet<string>) => shape(talkRows(detail({ calls }), [], unfolded))
    expect(told(NONE)).toEqual(['call a', 'call b+c', 'call d', 'call e', 'call f'])
    expect(told(new Set(['b']))).toEqual(['call a', 'call b', 'call c', 'call d', 'call e', 'call f'])
  })

  test('that the agent shortened its context is a mark where it happened', () => {
    const checkpoint = {
      id: 'cp_1',
      reason: 'compact',
      seq: 1,
      status: 'available',
      restorable: true,
      why: '',
      run: null,
      session: 's1',
      turn: null,
      label: '',
      at: NOON + 3000,
      files: 0,
      revision: 2
    } as const
    const marks = [checkpoint, { ...checkpoint, id: 'cp_2', reason: 'end_of_turn' } as const]
    const rows = talkRows(detail({ messages: [asked(1, 'go'), said(5, 'done')], checkpoints: marks }), [], NONE)
    expect(shape(rows)).toEqual(['prompt m1', 'mark cp_1', 'say m5'])
  })
})

describe('what was taken back', () => {
  const back = (id: string, at: number, undone = false) =>
    restore(id, 1, 0, {
      at: NOON + at,
      undone,
      mode: 'both',
      conversation: { session: 's1', superseded: 2, broughtBack: 0 }
    })
  const messages = [
    asked(1, 'one'),
    said(2, 'yes'),
    asked(3, 'two', { superseded: true, turn: 't2' }),
    said(4, 'yes', { superseded: true, turn: 't2' }),
    asked(9, 'three')
  ]

  test('it stays in its place, with the time of the restore above it; its tool calls are with it', () => {
    const calls = [call('a', 'Edit', 3500, { turn: 't2' })]
    const rows = talkRows(detail({ messages, calls, turns: [turn('t2', 'r', 3)] }), [back('x', 6000)], NONE)
    expect(shape(rows)).toEqual(['prompt m1', 'say m2', 'mark back-3', 'prompt m3', 'call a', 'say m4', 'prompt m9'])
    expect(rows[2]).toMatchObject({ text: 'Taken back', at: NOON + 6000 })
    expect(rows.map(isTakenBack)).toEqual([false, false, false, true, true, true, false])
  })

  test('a restore that was undone does not count, nor one of another conversation, nor one before it was said', () => {
    const other = { ...back('y', 5000), conversation: { session: 's2', superseded: 1, broughtBack: 0 } }
    const entries = [run('r', 1), back('u', 5500, true), other, back('early', 1000), back('x', 7000)]
    const restores = conversationRestores(entries, 's1')
    expect(restores.map(({ id }) => id)).toEqual(['u', 'early', 'x'])
    expect(talkRows(detail({ messages }), restores, NONE)[2]).toMatchObject({ at: NOON + 7000 })
  })

  test('without the restore at hand it is said all the same, without a time', () => {
    expect(talkRows(detail({ messages }), [], NONE)[2]).toMatchObject({ text: 'Taken back', at: null })
  })
})

describe('places', () => {
  const rows = talkRows(
    detail({
      messages: [asked(1, 'one'), said(2, 'yes'), asked(3, 'two', { turn: 't2' }), asked(4, 'three', { turn: 't3' })],
      turns: [turn('t1', 'r1', 1), turn('t2', 'r1', 3), turn('t3', 'r2', 4)]
    }),
    [],
    NONE
  )

  test('a run means its first prompt, a turn its own, anything else none', () => {
    expect(promptIndex(rows, 'r1', null)).toBe(0)
    expect(promptIndex(rows, 'r1', 't2')).toBe(2)
    expect(promptIndex(rows, 'r2', null)).toBe(3)
    expect(promptIndex(rows, null, null)).toBe(-1)
    expect(turnOfRow(rows[1])?.id).toBe('t1')
  })

  test('messages that came after what was last seen are counted', () => {
    expect(newerMessages(rows, 'm2')).toBe(2)
    expect(newerMessages(rows, 'm4')).toBe(0)
    expect(newerMessages(rows, null)).toBe(0)
  })

  test('10,000 messages with 5,000 calls are laid out in a moment', () => {
    const messages = Array.from({ length: 10_000 }, (_, i) => said(i + 1, `m${i}`))
    const calls = Array.from({ length: 5000 }, (_, i) => call(`c${i}`, 'Read', i * 2000 + 1500))
    const from = performance.now()
    expect(talkRows(detail({ messages, calls }), [], NONE)).toHaveLength(15_000)
    expect(performance.now() - from).toBeLessThan(500)
  })
})
