/** [ST-2] [LG-1] Ages follow log order: a clock that was wrong for a while makes no sweep evict too early. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const DAY = 86_400_000

test('[ST-2] edits recorded under a clock two months behind are not old when the clock is right again', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: '0' } })
  await folder.run('before', () => writeFiles(folder.root, { b: '1' }))
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() - 60 * DAY } })
  const run = await folder.run('under the wrong clock', () => writeFiles(folder.root, { a: 'two' }))
  await folder.run('and once more', () => writeFiles(folder.root, { a: 'three' }))
  await folder.reopen()
  // More positions than are kept regardless of age.
  for (let i = 2; i < 14; i++) await folder.run(`later ${i}`, () => writeFiles(folder.root, { b: `${i}` }))
  const swept = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(swept.pruned).toEqual([])
  const text = async (target: string): Promise<string> => {
    const { base64 } = await folder.engine.call('file.cat', { workspace: folder.workspace, target, path: 'a' })
    return Buffer.from(base64, 'base64').toString()
  }
  expect([await text(run), await text(`${run}:end`)]).toEqual(['one', 'two'])
})
