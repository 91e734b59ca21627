/** How often the progress of a restore is reported. */
import { expect, test } from 'vitest'
import { createProgress } from '../../../../src/main/engine/restore/progress.ts'

test('progress is reported at the first file of each phase, at the last one, and now and then between them', () => {
  const reported: string[] = []
  let now = 0
  const progress = createProgress(
    100,
    (phase, done) => reported.push(`${phase} ${done}`),
    () => now
  )
  for (const phase of ['stage', 'write'] as const)
    for (let done = 1; done <= 100; done++) {
      progress(phase, done, 'path')
      now += 1
    }
  expect(reported).toEqual(['stage 1', 'stage 51', 'stage 100', 'write 1', 'write 51', 'write 100'])
})
