/** Hard links: each name is restored with its bytes, names outside the folder are never written, and plans say so. */
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../support/recorded-folder.ts'
import { bystander, expectRoundTrip } from '../support/round-trip.ts'
import { readTree } from '../support/tree.ts'

test('[CP-6] a file with two names in the folder, edited through one of them: both are restored', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', 'd/keep': 'k' },
    make: (root) => linkSync(join(root, 'a'), join(root, 'd/b'))
  })
  await expectRoundTrip(folder, () => writeFileSync(join(folder.root, 'd/b'), 'written by the second name'))
  const { warnings } = await folder.plan({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  expect(warnings, 'no name is left out').toEqual([])
  await expectRoundTrip(folder, () => unlinkSync(join(folder.root, 'a')))
})

test('[CP-4] a name outside the folder keeps its content, and the preview says so', async () => {
  await using folder = await recordedFolder({ files: { plain: 'one' } })
  const outside = bystander(folder.root)
  linkSync(join(outside, 'a'), join(folder.root, 'shared'))
  await folder.check()
  const run = await folder.run('edit', () => {
    writeFileSync(join(folder.root, 'shared'), 'written inside')
    writeFileSync(join(folder.root, 'plain'), 'two')
  })
  const before = readTree(outside)
  const act = { kind: 'undo-run', run } as const
  const { warnings } = await folder.plan(act)
  expect(warnings).toEqual([{ code: 'all-changes' }, { code: 'hard-links', paths: ['shared'], count: 1 }])
  expect((await folder.apply(act)).state).toBe('done')
  expect(readFileSync(join(folder.root, 'shared'), 'utf8')).toBe('theirs')
  expect(readTree(outside), 'the other name is not written').toEqual(before)
  expect((await folder.plan({ kind: 'undo' })).warnings).toEqual([])
})
