/** @module-tag git */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { runGit as git } from '../../../support/git.ts'
import { type Repository, repository } from '../../../support/repository.ts'

/** Restores all items of a kind of loss to the start of the run that caused it. */
async function restoreLost({ folder }: Repository, run: string): Promise<unknown> {
  const request: RestoreRequest = { kind: 'restore', target: run, git: ['lost'] }
  return (await folder.apply(request)).git.map(({ item, result, reason }) => [item, result, reason])
}

async function notKept({ folder: { engine, workspace } }: Repository): Promise<readonly string[]> {
  return (await engine.call('git.lost', { workspace })).notKept
}

/** A branch that is deleted, and its objects pruned. */
function deleteBranch(repo: Repository): () => void {
  repo.git('switch', '-qc', 'spike')
  repo.commit('spike')
  repo.git('switch', '-q', 'main')
  return () => {
    repo.git('branch', '-qD', 'spike')
    repo.git('reflog', 'expire', '--expire=now', '--all')
    repo.git('prune', '--expire=now')
  }
}

test('[GT-1] a repository with sha256 ids comes back: its lost branch, its index, and the whole of it', async () => {
  await using repo = await repository({}, ['--object-format=sha256'])
  const run = await repo.folder.run('clean up', deleteBranch(repo))
  expect(await restoreLost(repo, run)).toEqual([['heads/spike', 'done', undefined]])
  expect(repo.git('rev-parse', 'spike')).toHaveLength(64)
  const staged = await repo.folder.run('unstage', () => {
    writeFileSync(join(repo.folder.root, 'a.txt'), 'staged\n')
    repo.git('add', '.')
  })
  await repo.folder.apply({ kind: 'restore', target: `${staged}:end`, git: [] })
  repo.git('reset', '-q')
  await repo.folder.apply({ kind: 'restore', target: `${staged}:end`, git: ['index'] })
  expect(repo.git('diff', '--cached', '--name-only')).toBe('a.txt')
  const before = repo.describe()
  const gone = await repo.folder.run('delete', () => rmSync(join(repo.folder.root, '.git'), { recursive: true }))
  expect(await restoreLost(repo, gone)).toEqual([['.git', 'done', undefined]])
  expect(repo.describe()).toBe(before)
  expect(repo.git('fsck', '--full', '--strict', '--no-dangling')).toBe('')
})

test('[GT-2] where git itself cannot read the repository, nothing is written, and the item is not given up', async () => {
  await using repo = await repository()
  const run = await repo.folder.run('clean up', deleteBranch(repo))
  repo.git('config', 'core.repositoryFormatVersion', '1')
  repo.git('config', 'extensions.ofAnotherTime', 'true')
  const [, result, reason] = ((await restoreLost(repo, run)) as string[][])[0] ?? []
  expect([result, reason]).toEqual(['failed', expect.stringContaining('This version of git cannot read')])
})

test('[GT-1] alternates, submodules whose folder has another repository, LFS files and what a partial clone lacks are listed as not kept; the rest comes back', async () => {
  await using repo = await repository()
  const { root } = repo.folder
  const origin = join(root, '../origin')
  git(join(root, '..'), 'clone', '-q', '--bare', root, origin)
  git(root, 'submodule', '--quiet', 'add', origin, 'part')
  repo.git('commit', '-qam', 'submodule')
  git(root, 'submodule', '--quiet', 'deinit', '-f', 'part')
  git(join(root, 'part'), 'init', '-q')
  mkdirSync(join(root, '.git/lfs/objects'), { recursive: true })
  writeFileSync(join(root, '.git/objects/info/alternates'), `${origin}/objects\n`)
  repo.git('config', 'remote.origin.promisor', 'true')
  expect(await notKept(repo)).toEqual(['lfs', 'alternates', 'partial-clone', 'submodules'])
  const run = await repo.folder.run('clean up', deleteBranch(repo))
  expect(await restoreLost(repo, run)).toEqual([['heads/spike', 'done', undefined]])
  const before = repo.git('for-each-ref')
  const gone = await repo.folder.run('delete', () => rmSync(join(root, '.git'), { recursive: true }))
  expect(await restoreLost(repo, gone)).toEqual([['.git', 'done', undefined]])
  expect(repo.git('for-each-ref')).toBe(before)
})

test('[GT-7] in a partial clone, a lost branch comes back without a fetch', async () => {
  await using repo = await repository()
  const { root } = repo.folder
  const origin = join(root, '../origin')
  for (const text of ['second', 'third']) repo.commit(text)
  git(join(root, '..'), 'clone', '-q', '--bare', root, origin)
  git(origin, 'config', 'uploadpack.allowFilter', 'true')
  rmSync(join(root, '.git'), { recursive: true })
  git(join(root, '..'), 'clone', '-q', '--no-checkout', '--filter=blob:none', `file://${origin}`, 'clone')
  execFileSync('mv', [join(root, '../clone/.git'), join(root, '.git')])
  repo.git('reset', '-q', '--mixed')
  const run = await repo.folder.run('clean up', deleteBranch(repo))
  rmSync(origin, { recursive: true })
  expect(await restoreLost(repo, run)).toEqual([['heads/spike', 'done', undefined]])
  expect(repo.git('log', '-1', '--format=%s', 'spike')).toBe('spike')
})
