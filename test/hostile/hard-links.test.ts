/** One file under several names: each name comes back with its bytes, names outside the folder are never written, and it is said. */
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backAndForth, bystander } from '../support/back-and-forth.ts'
import { recordedFolder } from '../support/recorded.ts'
import { readTree } from '../support/tree.ts'

test('[CP-6] a file with two names in the folder, edited by one of them: both come back', async () => {
  await using folder = await recordedFolder({
    files: { a: 'one', 'd/keep': 'k' },
    make: (root) => linkSync(join(root, 'a'), join(root, 'd/b'))
  })
  await backAndForth(folder, () => writeFileSync(join(folder.root, 'd/b'), 'written by the second name'))
  const { warnings } = await folder.plan({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  expect(warnings, 'no name is left out').toEqual([])
  await backAndForth(folder, () => unlinkSync(join(folder.root, 'a')))
})

test('[CP-4] a name outside the folder keeps what it holds, and the preview says so', async () => {
  await using folder = await recordedFolder({ files: { plain: 'one' } })
  const outside = bystander(folder.root)
  linkSync(join(outside, 'a'), join(folder.root, 'shared'))
  await folder.check()
  const run = await folder.run('edit', () => {
    writeFileSync(join(folder.root, 'shared'), 'written inside')
    writeFileSync(join(folder.root, 'plain'), 'two')
  })
  const there = readTree(outside)
  const act = { kind: 'undo-run', run } as const
  const { warnings } = await folder.plan(act)
  expect(warnings).toEqual([expect.stringMatching(/hard links.*: shared\./)])
  expect((await folder.apply(act)).state).toBe('done')
  expect(readFileSync(join(folder.root, 'shared'), 'utf8')).toBe('theirs')
  expect(readTree(outside), 'the other name is not written').toEqual(there)
  expect((await folder.plan({ kind: 'undo' })).warnings).toEqual([])
})
