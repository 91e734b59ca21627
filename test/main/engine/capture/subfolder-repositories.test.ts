import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'

/** Of the recorded folder itself, of one below it, and of a worktree: a file that names its folder in the first one. */
function makeRepositories(root: string): void {
  for (const path of ['.git', 'app/.git']) mkdirSync(join(root, path), { recursive: true })
  writeFileSync(join(root, '.git/HEAD'), 'ref: refs/heads/main\n')
  mkdirSync(join(root, 'tree'))
  writeFileSync(join(root, 'tree/.git'), 'gitdir: ../.git/worktrees/tree\n')
}

test('[GT-12] a .git folder below that is no repository is listed as not protected, from the initial snapshot on and when one comes or goes', async () => {
  await using folder = await recordedFolder({ files: { 'app/a.txt': 'a\n', 'b.txt': 'b\n' }, make: makeRepositories })
  const { engine, root, workspace } = folder
  const listed = async () => {
    const { notCovered } = await engine.call('workspace.status', { workspace, check: true })
    return notCovered
  }
  expect(await listed()).toEqual([{ path: 'app/.git', reason: 'repository' }])

  mkdirSync(join(root, 'lib/.git'), { recursive: true })
  expect(await listed()).toEqual([
    { path: 'app/.git', reason: 'repository' },
    { path: 'lib/.git', reason: 'repository' }
  ])
  rmSync(join(root, 'app/.git'), { recursive: true })
  expect(await listed()).toEqual([{ path: 'lib/.git', reason: 'repository' }])
  writeFileSync(join(root, 'app/.git'), 'gitdir: ../.git/modules/app\n')
  expect((await listed()).map(({ path }) => path)).toEqual(['app/.git', 'lib/.git'])
  rmSync(join(root, 'app/.git'))
  renameSync(join(root, 'lib'), join(root, 'app/lib'))
  expect(await listed()).toEqual([{ path: 'app/lib/.git', reason: 'repository' }])

  await engine.call('workspaces.add', { folder: join(root, 'app/lib'), wait: true })
  expect(await listed()).toEqual([{ path: 'app/lib', reason: 'workspace' }])
})

test('[GT-12] it is found in a folder that an older version recorded', async () => {
  await using folder = await recordedFolder({ files: { 'app/a.txt': 'a\n' }, make: makeRepositories })
  folder.store((store) => transact(store, (tx) => writeMeta(tx, 'repositories', '[]')))
  writeFileSync(join(folder.root, 'app/b.txt'), 'b\n')
  const { workspace } = folder
  const { notCovered } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(notCovered).toEqual([{ path: 'app/.git', reason: 'repository' }])
})
