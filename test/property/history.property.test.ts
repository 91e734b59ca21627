import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LONG, limitFor, SEED, scaled } from '../support/scale.ts'
import { largeHistories, play, type Step } from './history.ts'
import { LARGE_TEXTS } from './large-contents.ts'
import { tally } from './tally.ts'

const HISTORIES = LONG ? scaled(30) : 14
/** From this number on, the seldom steps are played as well. */
const MANY = 1000
const played = tally()

/** The steps that a few random histories may miss. */
const OFTEN: Step[] = [
  { step: 'run', changes: [{ do: 'write', path: 'a', text: 'by the run\n' }] },
  { step: 'restore', which: 0 },
  { step: 'undo' },
  { step: 'redo' },
  { step: 'outside', changes: [{ do: 'write', path: 'd/b.txt', text: 'by a person\n' }] },
  { step: 'cut-off', which: 0, at: 'placed:1', how: 'finish' },
  { step: 'undo' },
  { step: 'cut-off', which: 0, at: 'aside:1', how: 'undo' },
  { step: 'kill', changes: [{ do: 'write', path: 'g', text: LARGE_TEXTS[0] ?? '' }], at: 3 }
]

test(`[RS-1] [RS-6] [ST-1] [ST-2] [RS-7] [RS-13] [LG-2] [LG-3] ${HISTORIES} random histories restore, undo and redo to the very bytes (seed ${SEED})`, {
  timeout: limitFor(HISTORIES)
}, async () => {
  await fc.assert(
    fc.asyncProperty(largeHistories, (steps) => play(steps, { played })),
    {
      numRuns: HISTORIES,
      examples: [[OFTEN]],
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

test('[RS-4] a folder and a large file change places, and the recorder dies before each of its writes', async () => {
  const large = { do: 'write', path: 'b.txt', text: LARGE_TEXTS[0] ?? '' } as const
  let died = 0
  const did = (step: string): void => {
    if (step === 'kill recorder') died++
  }
  // In the long form each write.
  const stride = LONG ? 1 : 6
  for (let at = 1, before = -1; before < died; at += stride) {
    before = died
    await play(
      [
        { step: 'outside', changes: [large] },
        { step: 'kill', changes: [{ do: 'rotate', paths: ['d', 'b.txt'] }], at },
        { step: 'restore', which: 0 }
      ],
      { played: { ...tally(), did } }
    )
  }
  expect(died * stride).toBeGreaterThan(10)
})

/** Restores that give a name to a file where a folder has the other. */
const SWAPS: Readonly<Record<string, Step[]>> = {
  'a folder, with its history, and a file': [
    { step: 'run', changes: [{ do: 'write', path: 'a', text: '' }] },
    { step: 'restore', which: 0 },
    { step: 'run', changes: [{ do: 'rotate', paths: ['d/b.txt', 'a'] }] },
    { step: 'run', changes: [{ do: 'folder', path: 'a' }] },
    { step: 'undo-run', which: 1, onConflict: 'keep' },
    { step: 'undo' }
  ],
  'a folder and a file that was deleted since': [
    { step: 'outside', changes: [{ do: 'rotate', paths: ['a', 'd/e'] }] },
    {
      step: 'run',
      changes: [
        { do: 'folder', path: 'd/e' },
        { do: 'delete', path: 'a' }
      ]
    },
    { step: 'cut-off', which: 0, at: 'modes:2', how: 'finish' },
    { step: 'undo' }
  ]
}

test.for(Object.entries(SWAPS))(
  '[RS-6] [RS-20] a restore that swaps %s is undone to the very bytes',
  async ([, steps]) => {
    await play(steps, { played })
  }
)
