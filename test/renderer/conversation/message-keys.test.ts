/** Keyboard navigation of a conversation. */
import { expect, test } from 'vitest'
import { messageMove } from '../../../src/renderer/features/conversation/message-keys.ts'
import { press } from '../commands/press.ts'

const move = (key: string, letters = true) => messageMove(3, 10, [0, 4, 8], press(key), letters)

test('arrows move by rows and stop at the ends; brackets move by prompts', () => {
  expect([move('ArrowDown'), move('k'), move('End'), move('PageUp')]).toEqual([
    { to: 4 },
    { to: 2 },
    { to: 9 },
    { to: 0 }
  ])
  expect([move(']'), move('[')]).toEqual([{ to: 4 }, { to: 0 }])
  expect(messageMove(8, 10, [0, 4, 8], press(']'), true)).toEqual({ to: 8 })
})

test('Enter opens the turn, R restores, Right and Left show and hide details', () => {
  expect([move('Enter'), move('R'), move('ArrowRight'), move('ArrowLeft')]).toEqual([
    { do: 'open-turn' },
    { do: 'restore' },
    { details: true },
    { details: false }
  ])
})

test('single letters do nothing when turned off; keys with Mod are left to others', () => {
  expect([move('r', false), move('j', false)]).toEqual([null, null])
  expect(messageMove(3, 10, [], press('Ctrl+r'), true)).toBeNull()
  expect(messageMove(3, 10, [], press('Ctrl+c'), true)).toEqual({ do: 'copy' })
})
