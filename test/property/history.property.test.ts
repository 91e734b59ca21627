import fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitFor, SEED, scaled } from '../support/scale.ts'
import { largeHistories, play } from './history.ts'
import { tally } from './tally.ts'

const HISTORIES = scaled(30)
/** From this number on, the seldom steps are played as well. */
const MANY = 1000
const played = tally()

test(`[RS-1] [RS-6] [ST-1] [ST-2] [RS-7] [RS-13] [LG-2] [LG-3] ${HISTORIES} random histories restore, undo and redo to the very bytes (seed ${SEED})`, {
  timeout: limitFor(HISTORIES)
}, async () => {
  await fc.assert(
    fc.asyncProperty(largeHistories, (steps) => play(steps, { played })),
    {
      numRuns: HISTORIES,
      seed: SEED
    }
  )
  const often = [
    'restore',
    'undo-run',
    'put-back',
    'undo',
    'redo',
    'cut-off',
    'finish',
    'recover',
    'sweep',
    'kill sweep',
    'kill recorder'
  ]
  const seldom = ['restore-part', 'undo-part', 'refuse']
  expect(played.never(HISTORIES >= MANY ? [...often, ...seldom] : often)).toEqual([])
})
