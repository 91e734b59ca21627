/**
 * Repositories whose `.git` is a file: those of submodules, in the folder of another repository, and separate ones.
 * @module-tag git
 */
import { appendFileSync, existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitFilesAt, lastGitState, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import { runGit as git } from '../../../support/git.ts'
import type { RecordedFolder } from '../../../support/recorded-folder.ts'
import { repository } from '../../../support/repository.ts'

/** Refs, stashes, HEAD, the index, and how the files differ from it. Throws if the repository is damaged. */
function describe(cwd: string): string {
  return [
    ['for-each-ref'],
    ['stash', 'list'],
    ['status', '--porcelain=v2', '--branch'],
    ['fsck', '--full', '--strict', '--no-dangling']
  ]
    .map((args) => git(cwd, ...args))
    .join('\n')
}

/** A repository with the submodule `lib`, whose branch `spike` and stash are nowhere else, and with that of `lib/deep`. */
async function withSubmodule() {
  const repo = await repository()
  const { root } = repo.folder
  const [lib, origin, deep] = [join(root, 'lib'), join(root, '../origin'), join(root, '../deep')]
  git(join(root, '..'), 'clone', '-q', '--bare', root, deep)
  git(join(root, '..'), 'clone', '-q', root, origin)
  git(origin, 'submodule', '--quiet', 'add', deep, 'deep')
  git(origin, 'commit', '-qam', 'deep')
  git(root, 'submodule', '--quiet', 'add', origin, 'lib')
  git(root, 'submodule', '--quiet', 'update', '--init', '--recursive')
  git(root, 'commit', '-qam', 'submodule')
  git(lib, 'switch', '-qc', 'spike')
  appendFileSync(join(lib, 'a.txt'), 'spiked\n')
  git(lib, 'commit', '-qam', 'spiked')
  appendFileSync(join(lib, 'a.txt'), 'later\n')
  git(lib, 'stash', 'push', '-qm', 'later')
  git(lib, 'switch', '-q', 'main')
  await repo.folder.checkpoint()
  return {
    ...repo,
    root,
    lib,
    module: join(root, '.git/modules/lib'),
    describe: () => [root, lib, join(lib, 'deep')].map(describe)
  }
}

const restoreAll = ({ engine, workspace }: RecordedFolder) =>
  engine.call('git.restore', { workspace, all: true, names: [], dryRun: false })

const lostIn = async ({ engine, workspace }: RecordedFolder) =>
  (await engine.call('git.lost', { workspace })).lost.map(({ kind, name }) => `${kind} ${name}`)

const missingIn = async ({ engine, workspace }: RecordedFolder) =>
  (await engine.call('workspace.status', { workspace, check: false })).lostBelow

test('[GT-13] a lost branch and stash of a submodule come back with pruned objects, and the undo reverts that', async () => {
  await using repo = await withSubmodule()
  const before = repo.describe()
  await repo.folder.run('clean up', () => {
    git(repo.lib, 'branch', '-qD', 'spike')
    git(repo.lib, 'stash', 'drop', '-q')
    git(repo.lib, 'reflog', 'expire', '--expire=now', '--all')
    git(repo.lib, 'gc', '-q', '--prune=now')
  })
  expect((await lostIn(repo.folder)).sort()).toEqual(['branch lib:spike', expect.stringMatching(/^stash lib:/)])
  await restoreAll(repo.folder)
  expect(repo.describe()).toEqual(before)
  const { engine, workspace } = repo.folder
  await engine.call('git.undo', { workspace })
  expect((await lostIn(repo.folder)).length).toBe(2)
})

test('[GT-13] the repositories of submodules come back with that which they are in, or alone, and go with the undo', async () => {
  await using repo = await withSubmodule()
  const { folder, root, module } = repo
  const before = repo.describe()
  await folder.run('delete', () => rmSync(join(root, '.git'), { recursive: true }))
  expect((await lostIn(folder)).sort()).toEqual(['repository .git', 'repository lib/.git', 'repository lib/deep/.git'])
  await restoreAll(folder)
  expect(repo.describe()).toEqual(before)
  await folder.engine.call('git.undo', { workspace: folder.workspace })
  expect(existsSync(join(root, '.git'))).toBe(false)
  await restoreAll(folder)
  expect(repo.describe()).toEqual(before)

  const run = await folder.run('delete that of the submodule', () => rmSync(module, { recursive: true }))
  await folder.apply({ kind: 'restore', target: run, git: ['lost'] })
  expect(repo.describe()).toEqual(before)
  await folder.apply({ kind: 'undo' })
  expect(existsSync(module)).toBe(false)
  await folder.apply({ kind: 'redo' })
  expect(repo.describe()).toEqual(before)
  expect(await lostIn(folder)).toEqual([])
})

test('[GT-13] a deleted submodule comes back with its link, and one that is not checked out counts as no loss', async () => {
  await using repo = await withSubmodule()
  const { folder, root, lib, module } = repo
  const [before, spike] = [repo.describe(), git(repo.lib, 'rev-parse', 'spike')]
  const run = await folder.run('delete', () => rmSync(lib, { recursive: true }))
  expect([await lostIn(folder), await missingIn(folder)]).toEqual([[], undefined])
  const { git: done } = await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
  expect(done.map(({ item, result }) => [item, result])).toEqual([
    ['lib/.git', 'done'],
    ['lib/deep/.git', 'done']
  ])
  expect(repo.describe()).toEqual(before)
  await folder.apply({ kind: 'undo' })
  expect(existsSync(lib)).toBe(false)
  await folder.apply({ kind: 'redo' })
  expect(repo.describe()).toEqual(before)

  // Its branches come back without a checkout, too.
  rmSync(lib, { recursive: true })
  const inModule = (...args: readonly string[]): string => git(root, '--git-dir', module, '--work-tree', root, ...args)
  inModule('branch', '-qD', 'spike')
  expect(await lostIn(folder)).toEqual(['branch lib:spike'])
  await restoreAll(folder)
  expect(inModule('rev-parse', 'spike')).toBe(spike)
})

test('[GT-13] a restore of the whole repository leaves those of its submodules where they are, and so does the undo', async () => {
  await using repo = await withSubmodule()
  const { folder, root, lib } = repo
  const before = repo.describe()
  await folder.run('begin again', () => {
    renameSync(join(root, '.git/modules'), join(root, '../modules'))
    rmSync(join(root, '.git'), { recursive: true })
    git(root, 'init', '-q')
    renameSync(join(root, '../modules'), join(root, '.git/modules'))
  })
  git(lib, 'branch', 'newer')
  await folder.engine.call('git.restore', { workspace: folder.workspace, all: false, names: ['.git'], dryRun: false })
  expect([describe(root), git(lib, 'branch', '--list', 'newer')]).toEqual([before[0], 'newer'])
  await folder.engine.call('git.undo', { workspace: folder.workspace })
  expect([git(root, 'for-each-ref'), git(lib, 'branch', '--list', 'newer')]).toEqual(['', 'newer'])
})

test('[GT-13] a separate git folder comes back where the file .git leads', async () => {
  await using repo = await repository()
  const { folder } = repo
  const separate = join(folder.root, '../separate')
  repo.git('init', '-q', '--separate-git-dir', separate)
  const before = repo.describe()
  await folder.run('delete', () => rmSync(separate, { recursive: true }))
  await restoreAll(folder)
  expect([repo.describe(), readFileSync(join(folder.root, '.git'), 'utf8')]).toEqual([before, `gitdir: ${separate}\n`])
  await folder.engine.call('git.undo', { workspace: folder.workspace })
  expect(existsSync(separate)).toBe(false)
})

test('[GT-13] nothing is read or written where a file .git of a subfolder leads out of the recorded folder', async () => {
  await using repo = await repository()
  const { folder } = repo
  const [part, separate] = [join(folder.root, 'part'), join(folder.root, '../separate')]
  mkdirSync(part)
  git(part, 'init', '-q', '--separate-git-dir', separate)
  await folder.checkpoint()
  await folder.run('delete', () => rmSync(separate, { recursive: true }))
  await restoreAll(folder)
  expect(existsSync(separate)).toBe(false)
})

/** A repository whose submodule, named `part` at `vendor/x`, was checked out only before the folder was recorded. */
async function withUncheckedSubmodule() {
  const repo = await repository()
  const { root } = repo.folder
  const [origin, part, module] = [join(root, '../origin'), join(root, 'vendor/x'), join(root, '.git/modules/part')]
  git(join(root, '..'), 'clone', '-q', '--bare', root, origin)
  git(root, 'submodule', '--quiet', 'add', '--name', 'part', origin, 'vendor/x')
  git(root, 'commit', '-qam', 'submodule')
  git(part, 'switch', '-qc', 'spike')
  appendFileSync(join(part, 'a.txt'), 'spiked\n')
  git(part, 'commit', '-qam', 'spiked')
  git(part, 'switch', '-q', 'main')
  git(root, 'submodule', '--quiet', 'deinit', '-f', 'vendor/x')
  const inModule = (...args: readonly string[]): string => git(root, '--git-dir', module, '--work-tree', root, ...args)
  return { ...repo, root, part, module, inModule, describe: () => `${describe(root)} ${inModule('for-each-ref')}` }
}

test('[GT-13] a submodule that was never checked out while recorded is kept, listed and restored by the name of its folder', async () => {
  await using repo = await withUncheckedSubmodule()
  const { folder, root, part, module, inModule } = repo
  await folder.checkpoint()
  expect((await folder.engine.call('git.lost', { workspace: folder.workspace })).notKept).toEqual([])
  const [before, spike] = [repo.describe(), inModule('rev-parse', 'spike')]
  inModule('branch', '-qD', 'spike')
  inModule('gc', '-q', '--prune=now')
  expect(await lostIn(folder)).toEqual(['branch vendor/x:spike'])
  await restoreAll(folder)
  expect([repo.describe(), inModule('rev-parse', 'spike')]).toEqual([before, spike])

  await folder.run('delete', () => rmSync(join(root, '.git'), { recursive: true }))
  expect((await lostIn(folder)).sort()).toEqual(['repository .git', 'repository vendor/x/.git'])
  await restoreAll(folder)
  expect([repo.describe(), existsSync(join(part, '.git'))]).toEqual([before, false])
  expect(inModule('fsck', '--full', '--strict', '--no-dangling')).toBe('')
  // It is the same repository once it is checked out, and after the recorder was started again.
  git(root, 'submodule', '--quiet', 'update', '--init')
  inModule('branch', '-qD', 'spike')
  await folder.reopen()
  expect(await lostIn(folder)).toEqual(['branch vendor/x:spike'])
  rmSync(module, { recursive: true })
  expect(await lostIn(folder)).toEqual(['repository vendor/x/.git'])
})

test('[GT-13] a submodule whose folder is moved is listed and restored once, by the name of its new folder', async () => {
  await using repo = await withSubmodule()
  const { folder, root } = repo
  git(root, 'mv', 'lib', 'moved')
  git(root, 'commit', '-qm', 'moved')
  await folder.check()
  const run = await folder.run('clean up', () => {
    git(join(root, 'moved'), 'branch', '-qD', 'spike')
    git(join(root, 'moved'), 'tag', 'mark')
  })
  expect(await lostIn(folder)).toEqual(['branch moved:spike'])
  const { changes } = await folder.engine.call('git.changes', { workspace: folder.workspace, run })
  expect(changes.map(({ folder: of }) => of)).toEqual(['moved', 'moved'])
  const plan = await folder.plan({ kind: 'restore', target: run })
  expect(plan.git.map(({ item }) => item)).toEqual(['moved:heads/spike'])
  await restoreAll(folder)
  const before = [root, join(root, 'moved'), join(root, 'moved/deep')].map(describe)
  await folder.checkpoint()
  rmSync(join(root, '.git'), { recursive: true })
  expect((await lostIn(folder)).sort()).toEqual([
    'repository .git',
    'repository moved/.git',
    'repository moved/deep/.git'
  ])
  await restoreAll(folder)
  expect([root, join(root, 'moved'), join(root, 'moved/deep')].map(describe)).toEqual(before)
  expect(await lostIn(folder)).toEqual([])
})

test('[GT-12] the submodule of a worktree outside is listed as not protected, until the worktree is recorded and keeps it', async () => {
  await using repo = await withSubmodule()
  const { engine, workspace } = repo.folder
  const tree = join(repo.root, '../tree')
  const unprotected = async (of: string) =>
    (await engine.call('coverage.list', { workspace: of })).notCovered.map(({ path, reason }) => `${reason} ${path}`)
  repo.git('worktree', 'add', '-q', tree)
  git(tree, 'submodule', '--quiet', 'update', '--init')
  await repo.folder.checkpoint()
  expect(await unprotected(workspace)).toEqual(['repository .git/worktrees/tree/modules/lib'])
  const added = (await engine.call('workspaces.add', { folder: tree, wait: true })).workspace.id
  expect([await unprotected(workspace), await unprotected(added)]).toEqual([[], []])
  git(join(tree, 'lib'), 'branch', 'mine')
  await engine.call('checkpoint.create', { workspace: added, label: 'before' })
  git(join(tree, 'lib'), 'branch', '-qD', 'mine')
  const { lost } = await engine.call('git.lost', { workspace: added })
  expect(lost.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['branch lib:mine'])
})

test('[GT-12] the repository of a former submodule in whose folder another one is now is listed as not protected', async () => {
  await using repo = await withSubmodule()
  const { engine, workspace } = repo.folder
  git(repo.root, 'clone', '-q', '--bare', repo.module, join(repo.root, '.git/modules/former'))
  git(repo.root, 'clone', '-q', repo.module, join(repo.root, 'former'))
  await repo.folder.check()
  await repo.folder.checkpoint()
  const { notCovered } = await engine.call('coverage.list', { workspace })
  expect(notCovered.map(({ path }) => path)).toEqual(['.git/modules/former'])
})

test('[GT-1] what is stored of a worktree has nothing of the repositories of its submodules', async () => {
  await using repo = await withSubmodule()
  const { folder, root } = repo
  repo.git('worktree', 'add', '-q', '../tree')
  git(join(root, '../tree'), 'submodule', '--quiet', 'update', '--init')
  await folder.checkpoint()
  expect(readdirSync(join(root, '.git/worktrees/tree/modules'))).toEqual(['lib'])
  const { workspace } = folder
  expect((await folder.engine.call('git.lost', { workspace })).notKept).toEqual([])
  const [file = ''] = globSync(join(folder.dataDir, 'w', folder.workspace, 'git/git.db'))
  const store = openGitStore(file)
  const paths = gitFilesAt(store, lastGitState(store)?.id ?? 0).map(({ path }) => path)
  store.close()
  expect(paths.filter((path) => path.startsWith('worktrees/tree/modules'))).toEqual([])
})
