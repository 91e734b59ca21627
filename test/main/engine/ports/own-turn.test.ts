import { expect, test } from 'vitest'
import { createOwnTurns } from '../../../../src/main/engine/ports/own-turn.ts'

test('[WT-6] what holds the thread gets one turn of the event loop after the other, also if all of it is requested at once', async () => {
  const ownTurn = createOwnTurns()
  let turn = 0
  const count = (): void => {
    turn++
    timer = setImmediate(count)
  }
  let timer = setImmediate(count)
  const turns = await Promise.all([1, 2, 3].map(() => ownTurn().then(() => turn)))
  clearImmediate(timer)
  expect(new Set(turns).size).toBe(3)
})
