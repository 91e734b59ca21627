/** [BK-3] Which events of the engine ask for a backup. */
import { expect, test } from 'vitest'
import { createRunEnds } from '../../../src/main/engine/back-up-after-runs.ts'

test('[BK-3] the end of a run asks for one backup, whichever events report it, and the end of a resumed one for another', () => {
  let asked = 0
  const ends = createRunEnds(() => asked++)
  const live = (...runs: string[]) => ends.live('ws', new Set(runs))
  live('first', 'second')
  ends.ended('first')
  live('second')
  expect(asked).toBe(1)
  live()
  ends.ended('second')
  expect(asked).toBe(2)
  live('first')
  live()
  expect(asked).toBe(3)
  ends.ended('never live')
  expect(asked).toBe(4)
})
