/** A recorded folder inside another: totals, plans and what happens when it is recorded on its own no more. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

/** Records `inner` of a recorded folder on its own, and returns its id. */
async function recordInner({ engine, root }: Awaited<ReturnType<typeof recordedFolder>>): Promise<string> {
  return (await engine.call('workspaces.add', { folder: join(root, 'inner'), wait: true })).workspace.id
}

test('[CP-9] a folder inside that is recorded on its own leaves the totals and the plans of the outer one, which name it', async () => {
  await using folder = await recordedFolder({
    files: { '.gitignore': 'build/\n', a: 'one', 'inner/b': 'one', 'inner/build/x': 'x', 'inner.txt': 'one' }
  })
  const { engine, workspace } = folder
  const run = await folder.run('all', () => writeFiles(folder.root, { a: 'two', 'inner/b': 'two' }))
  const all = await engine.call('coverage.list', { workspace })
  expect(all).toEqual({ covered: { files: 4, bytes: 16 }, notCovered: [{ path: 'inner/build', reason: 'ignored' }] })
  const inner = await recordInner(folder)
  const outside = { covered: { files: 3, bytes: 13 }, notCovered: [{ path: 'inner', reason: 'workspace' }] }
  expect(await engine.call('coverage.list', { workspace })).toEqual(outside)
  writeFiles(folder.root, { 'inner/new': 'n' })
  await folder.check()
  expect(await engine.call('coverage.list', { workspace })).toEqual(outside)
  const plan = await folder.plan({ kind: 'undo-run', run })
  expect(plan.items.map(({ path }) => path)).toEqual(['a'])
  expect(plan.warnings).toContainEqual({ code: 'elsewhere', folders: ['inner'], count: 1 })
  await engine.call('workspaces.remove', { workspace: inner, deleteHistory: false })
  expect((await engine.call('coverage.list', { workspace })).covered.files).toBe(5)
  expect((await folder.plan({ kind: 'undo-run', run })).warnings.map(({ code }) => code)).not.toContain('elsewhere')
})

// After a restart the outer one never watched the folder inside.
test.for([false, true])(
  '[CP-9] a folder inside that is recorded on its own no more is recorded and watched by the outer one at once (after a restart: %s)',
  {
    tags: ['file-events']
  },
  async (isRestarted) => {
    await using folder = await recordedFolder({
      files: { a: 'one' },
      make: (root) => mkdirSync(join(root, 'inner')),
      watch: true
    })
    const { workspace, root } = folder
    const state = (check: boolean) => folder.engine.call('workspace.status', { workspace, check })
    const inner = await recordInner(folder)
    writeFiles(root, { 'inner/b': 'one', 'inner/deep/c': 'one' })
    if (isRestarted) await folder.reopen()
    await expect.poll(async () => (await state(true)).watcher.state).toBe('live')
    expect((await state(true)).notCovered).toEqual([{ path: 'inner', reason: 'workspace' }])
    await folder.engine.call('workspaces.remove', { workspace: inner, deleteHistory: false })
    // Without another scan, as files that were there before and not as changes to review.
    expect(await state(false)).toMatchObject({
      covered: { files: 3, bytes: 9 },
      notCovered: [],
      drift: []
    })
    const before = await folder.checkpoint('before')
    const tree = folder.tree()
    writeFiles(root, { 'inner/b': 'two', 'inner/deep/new': 'new' })
    await expect.poll(async () => (await state(false)).drift[0]?.paths).toEqual(['inner/b', 'inner/deep/new'])
    await folder.apply({ kind: 'restore', target: before, outside: 'replace' })
    expect(folder.tree()).toEqual(tree)
  }
)
