/**
 * The config, hooks and other files by which a repository is set up.
 * @module-tag git
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitChangesText, gitItemText } from '../../../../src/contract/words/git.ts'
import { hasGitContent, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import { type Repository, repository } from '../../../support/repository.ts'

/** A repository with a hook, a setting and an ignored name. `at`: a path in `.git`. */
async function withFiles(options: { readonly watch?: true } = {}) {
  const repo = await repository(options)
  const at = (path: string): string => join(repo.folder.root, '.git', path)
  for (const path of ['hooks', 'info']) mkdirSync(at(path), { recursive: true })
  writeFileSync(at('hooks/pre-commit'), '#!/bin/sh\nexit 1\n')
  chmodSync(at('hooks/pre-commit'), 0o755)
  writeFileSync(at('info/exclude'), '*.o\n')
  repo.git('config', 'remote.origin.url', '/origin')
  return { ...repo, at }
}

const texts = async ({ folder }: Repository, target: string) =>
  (await folder.plan({ kind: 'restore', target })).git.map((item) => gitItemText(item))

test('[GT-14] a hook that is a link, and a folder of hooks that is one, are kept as links, followed never', {
  tags: ['posix']
}, async () => {
  await using repo = await withFiles()
  const { folder, at } = repo
  symlinkSync('../../scripts/pre-push', at('hooks/pre-push'))
  await folder.checkpoint()
  const run = await folder.run('replace', () => {
    rmSync(at('hooks/pre-push'))
    writeFileSync(at('hooks/pre-push'), '#!/bin/sh')
  })
  expect(await texts(repo, run)).toEqual(['.git/hooks/pre-push'])
  await folder.apply({ kind: 'restore', target: run, git: ['hooks/pre-push'] })
  expect(readlinkSync(at('hooks/pre-push'))).toBe('../../scripts/pre-push')
  await folder.apply({ kind: 'undo' })
  expect(readFileSync(at('hooks/pre-push'), 'utf8')).toBe('#!/bin/sh')

  rmSync(at('hooks'), { recursive: true })
  symlinkSync('../.githooks', at('hooks'))
  await folder.run('delete', () => rmSync(at(''), { recursive: true }))
  await folder.engine.call('git.restore', { workspace: folder.workspace, names: ['.git'], all: false, dryRun: false })
  expect(readlinkSync(at('hooks'))).toBe('../.githooks')
})

test('[GT-14] config, hooks and info: what a run did to them is said, each is an item of its own, and the undo reverts it', async () => {
  await using repo = await withFiles()
  const { folder, at } = repo
  const config = readFileSync(at('config'), 'utf8')
  const run = await folder.run('set up anew', () => {
    rmSync(at('hooks/pre-commit'))
    writeFileSync(at('hooks/post-commit'), '#!/bin/sh\n')
    writeFileSync(at('info/exclude'), '')
    repo.git('config', '--remove-section', 'remote.origin')
  })
  const { engine, workspace } = folder
  expect(gitChangesText((await engine.call('git.changes', { workspace, run })).changes)).toBe(
    'changed .git/config, created .git/hooks/post-commit, deleted .git/hooks/pre-commit, changed .git/info/exclude'
  )
  expect(await texts(repo, run)).toEqual([
    '.git/config',
    '.git/hooks/post-commit, which is removed',
    '.git/hooks/pre-commit, lost',
    '.git/info/exclude'
  ])
  const { git } = await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
  expect(git.map(({ item, result }) => [item, result])).toEqual([['hooks/pre-commit', 'done']])
  expect(statSync(at('hooks/pre-commit')).mode & 0o777).toBe(0o755)

  await folder.apply({ kind: 'restore', target: run, git: ['config', 'hooks/post-commit', 'info/exclude'] })
  expect([readFileSync(at('config'), 'utf8'), readFileSync(at('info/exclude'), 'utf8')]).toEqual([config, '*.o\n'])
  expect(existsSync(at('hooks/post-commit'))).toBe(false)
  expect(await texts(repo, run)).toEqual([])
  await folder.apply({ kind: 'undo' })
  expect([repo.git('config', '--list').includes('/origin'), readFileSync(at('info/exclude'), 'utf8')]).toEqual([
    false,
    ''
  ])
  expect(existsSync(at('hooks/post-commit'))).toBe(true)
})

test('[GT-14] [GT-7] a file that was changed again since is left as it is, and says so', async () => {
  await using repo = await withFiles()
  const { folder, at } = repo
  const run = await folder.run('edit', () => writeFileSync(at('info/exclude'), ''))
  await folder.apply({ kind: 'restore', target: run, git: ['info/exclude'] })
  writeFileSync(at('info/exclude'), 'newer\n')
  const { warnings } = await folder.plan({ kind: 'undo' })
  expect(warnings).toEqual([{ code: 'git-changed', items: ['info/exclude'] }])
  expect(readFileSync(at('info/exclude'), 'utf8')).toBe('newer\n')
})

test('[GT-14] [GT-6] while the folder is watched, a hook or config that is edited alone is kept at once, also in place', async () => {
  await using repo = await withFiles({ watch: true })
  const { folder, at } = repo
  const { engine, workspace } = folder
  await expect
    .poll(async () => (await engine.call('workspace.status', { workspace, check: true })).watcher.state)
    .toBe('live')
  await folder.checkpoint()
  const store = openGitStore(join(folder.dataDir, 'w', workspace, 'git/git.db'))
  try {
    for (const path of ['hooks/pre-commit', 'info/exclude', 'config']) {
      const text = `${readFileSync(at(path), 'utf8')}# edited\n`
      writeFileSync(at(path), text)
      while (!hasGitContent(store, sha256(Buffer.from(text)))) await new Promise(setImmediate)
    }
  } finally {
    store.close()
  }
})
