/** @module-tag git */
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gitChangesText, notKeptTexts, replacedTexts } from '../../../../src/contract/words/git.ts'
import { statusLines } from '../../../../src/main/cli/commands/status.ts'
import { refsAt } from '../../../../src/main/engine/git-state/refs.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { lastGitState, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { runGit } from '../../../support/git.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { type Repository, repository } from '../../../support/repository.ts'

const lost = async ({ folder: { engine, workspace } }: Repository) =>
  (await engine.call('git.lost', { workspace })).lost
const restore = ({ folder: { engine, workspace } }: Repository, names: readonly string[], as?: string) =>
  engine.call('git.restore', { workspace, names, all: false, dryRun: false, ...(as === undefined ? {} : { as }) })
const undo = ({ folder: { engine, workspace } }: Repository) => engine.call('git.undo', { workspace })

/** Three commits on a branch, of which the objects are pruned when it is deleted. */
async function deletedBranch(repo: Repository): Promise<{ readonly tip: string; readonly run: string }> {
  repo.git('switch', '-qc', 'spike/redis')
  const tip = ['one', 'two', 'three'].map(repo.commit).at(-1) ?? ''
  repo.git('switch', '-q', 'main')
  const run = await repo.folder.run('clean up', () => {
    repo.git('branch', '-D', 'spike/redis')
    repo.git('reflog', 'expire', '--expire=now', '--all')
    repo.git('gc', '-q', '--prune=now')
  })
  return { tip, run }
}

test('[GT-2] a branch whose objects git has pruned comes back under its name or another, and its restore is undone', async () => {
  await using repo = await repository()
  const { tip, run } = await deletedBranch(repo)
  expect(() => repo.git('cat-file', '-e', tip)).toThrow()
  expect(await lost(repo)).toMatchObject([{ kind: 'branch', name: 'spike/redis', commit: tip, commits: 3, run }])

  await restore(repo, ['spike/redis'])
  expect(repo.git('rev-parse', 'spike/redis')).toBe(tip)
  expect(repo.git('fsck', '--full', '--strict')).toBe('')
  expect(await lost(repo)).toEqual([])
  await undo(repo)
  expect(() => repo.git('rev-parse', '--verify', 'spike/redis')).toThrow()

  await restore(repo, [tip.slice(0, 12)], 'rescued')
  expect(repo.git('rev-list', '--count', 'main..rescued')).toBe('3')
})

test('[GT-2] a packed branch with letters of other languages is listed and restored by its name', async () => {
  await using repo = await repository()
  repo.git('branch', 'grün/日本')
  repo.git('pack-refs', '--all')
  await repo.folder.checkpoint()
  await repo.folder.run('clean up', () => repo.git('branch', '-D', 'grün/日本'))
  expect(await lost(repo)).toMatchObject([{ kind: 'branch', name: 'grün/日本' }])
  await restore(repo, ['grün/日本'])
  repo.git('pack-refs', '--all')
  await undo(repo)
  expect(() => repo.git('rev-parse', '--verify', 'grün/日本')).toThrow()
  await restore(repo, ['grün/日本'])
  expect(repo.git('rev-parse', 'grün/日本')).toBe(repo.git('rev-parse', 'main'))
})

test('[GT-2] [GT-10] every client is notified of a restore and its undo, of one that git refused, and of no trial', async () => {
  await using repo = await repository()
  const { engine, workspace } = repo.folder
  const before = repo.describe()
  await repo.folder.checkpoint()
  repo.git('branch', 'spike')
  await repo.folder.run('clean up', () => repo.git('branch', '-D', 'spike'))
  const kinds: (readonly string[])[] = []
  engine.on('workspace.changed', (change) => kinds.push(change.kinds))
  await engine.call('git.restore', { workspace, names: ['spike'], all: false, dryRun: true })
  expect(kinds).toEqual([])
  await restore(repo, ['spike'])
  expect(kinds).toEqual([['status']])
  await undo(repo)
  expect(kinds).toEqual([['status'], ['status']])
  await expect(restore(repo, ['other'])).rejects.toMatchObject({ code: 'UnknownTarget' })
  expect(kinds).toHaveLength(3)
  expect(repo.describe()).toBe(before)
})

test('[GT-1] a repository that is deleted before the first run comes back as it was when recording started', async () => {
  await using repo = await repository()
  const { folder } = repo
  const before = repo.describe()
  await folder.reopen({ watch: true })
  const kept = join(dirname(storeFile(folder.dataDir, folder.workspace)), 'git/git.db')
  await expect.poll(() => existsSync(kept)).toBe(true)
  rmSync(join(folder.root, '.git'), { recursive: true })
  expect(await lost(repo)).toMatchObject([{ kind: 'repository', name: '.git' }])
  await restore(repo, ['.git'])
  expect(repo.describe()).toBe(before)
  expect(repo.git('fsck', '--full')).toBe('')
})

test('[GT-10] every client is notified when the repository of a watched folder is gone, and when it is back', async () => {
  await using repo = await repository({ watch: true })
  const { engine, workspace, root } = repo.folder
  await repo.folder.checkpoint()
  const shown: (string | undefined)[] = []
  engine.on('workspace.changed', ({ kinds }) => {
    if (!kinds.includes('status')) return
    const status = engine.call('workspace.status', { workspace, check: false })
    // Refused at the end of the test.
    status.then(({ repository: now }) => shown.push(now)).catch(() => {})
  })
  cpSync(join(root, '.git'), join(root, '..', 'aside'), { recursive: true })
  rmSync(join(root, '.git'), { recursive: true })
  await expect.poll(() => shown.at(-1)).toBe('missing')
  renameSync(join(root, '..', 'aside'), join(root, '.git'))
  await expect.poll(() => shown.at(-1)).toBe(undefined)
})

test('[GT-10] the status says that the repository is gone, or empty now, and not of one that never had a ref', async () => {
  await using repo = await repository()
  const { folder } = repo
  const shown = async (): Promise<string> => {
    const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
    return statusLines(status, (_, text) => text, 0)
      .filter((line) => line.includes('git'))
      .join('\n')
  }
  const init = (): unknown => runGit(folder.root, 'init', '-q', '-b', 'main')
  expect(await shown()).toBe('')
  await folder.checkpoint()
  rmSync(join(folder.root, '.git'), { recursive: true })
  expect(await shown()).toContain('is gone')
  init()
  expect(await shown()).toContain('replaced by an empty one')
  await restore(repo, ['.git'])
  expect(await shown()).toBe('')
  await using other = await recordedFolder({
    make: (cwd) => runGit(cwd, 'init', '-q')
  })
  const status = { workspace: other.workspace, check: true }
  await other.checkpoint()
  expect(await other.engine.call('workspace.status', status)).not.toHaveProperty('repository')
  expect(await other.engine.call('git.lost', { workspace: other.workspace })).toMatchObject({ repository: 'present' })
})

test('[GT-2] a dropped stash is the newest again, above those that were kept', async () => {
  await using repo = await repository()
  const stash = (text: string): string => {
    writeFileSync(join(repo.folder.root, 'a.txt'), text)
    repo.git('stash', 'push', '-qm', text)
    return repo.git('rev-parse', 'stash@{0}')
  }
  const [older, newer] = [stash('older'), stash('newer')]
  await repo.folder.run('drop', () => repo.git('stash', 'drop', '-q', 'stash@{1}'))
  expect(await lost(repo)).toMatchObject([{ kind: 'stash', commit: older, title: 'On main: older' }])
  await restore(repo, [older])
  expect(repo.git('stash', 'list', '--format=%H %gs')).toBe(`${older} On main: older\n${newer} On main: newer`)
  await undo(repo)
  expect(repo.git('stash', 'list', '--format=%H')).toBe(newer)
})

test.each(['deleted', 'replaced by a fresh one'])(
  '[GT-4] a repository that was %s is restored as a whole',
  async (how) => {
    await using repo = await repository()
    repo.commit('second')
    writeFileSync(join(repo.folder.root, 'a.txt'), 'staged\n')
    repo.git('add', 'a.txt')
    const describe = (): string =>
      repo.git('for-each-ref') + repo.git('reflog') + repo.git('diff', '--cached') + repo.git('status', '--porcelain')
    const before = describe()
    await repo.folder.run('reset', () => {
      rmSync(join(repo.folder.root, '.git'), { recursive: true })
      if (how !== 'deleted') repo.git('init', '-q')
    })
    expect((await lost(repo))[0]).toMatchObject({ kind: 'repository', name: '.git' })
    await restore(repo, ['.git'])
    expect(describe()).toBe(before)
    expect(repo.git('fsck', '--full', '--strict')).toBe('')
    await undo(repo)
    expect(existsSync(join(repo.folder.root, '.git'))).toBe(how !== 'deleted')
  }
)

test.each(['sha1', 'sha256'])(
  '[GT-4] a repository (%s) that was replaced by one with commits of its own is restored by name',
  async (format) => {
    await using repo = await repository({}, [`--object-format=${format}`])
    repo.git('branch', 'spike')
    writeFileSync(join(repo.folder.root, 'a.txt'), 'stashed')
    repo.git('stash', '-q')
    const before = repo.describe()
    const run = await repo.folder.run('begin again', () => {
      rmSync(join(repo.folder.root, '.git'), { recursive: true })
      repo.git('init', '-q', '-b', 'main', '--object-format=sha1')
      repo.git('add', '.')
      repo.git('commit', '-qm', 'Initial commit')
    })
    const answer = await repo.folder.engine.call('git.lost', { workspace: repo.folder.workspace })
    expect(replacedTexts(answer)).toHaveLength(1)
    expect(answer.lost).toContainEqual(expect.objectContaining({ kind: 'repository', name: '.git', run }))
    // Of another form, no branch of it can be in the present one.
    expect(answer.lost.some(({ kind }) => kind === 'branch')).toBe(format === 'sha1')
    const { git } = await repo.folder.plan({ kind: 'undo-run', run })
    expect(git.some(({ item }) => item === '.git')).toBe(format === 'sha256')
    await restore(repo, ['.git'])
    expect(repo.describe()).toBe(before)
    expect(repo.git('fsck', '--full', '--strict')).not.toMatch(/bad|missing|error/)
    await undo(repo)
    expect(repo.git('log', '--all', '--format=%s')).toBe('Initial commit')
  }
)

test('[GT-4] a repository that was restored or moved back, with commits since, is not taken for another one', async () => {
  await using repo = await repository()
  await repo.folder.run('delete', () => rmSync(join(repo.folder.root, '.git'), { recursive: true }))
  await restore(repo, ['.git'])
  await repo.folder.run('go on', () => repo.commit('second'))
  expect(await lost(repo)).toEqual([])
})

test('[GT-2] of several lost items, one whose objects are damaged or gone stops no other', async () => {
  await using repo = await repository()
  for (const name of ['one', 'two']) {
    repo.git('switch', '-qc', name, 'main')
    repo.commit(name)
  }
  repo.git('switch', '-q', 'main')
  const stashes = ['older', 'gone', 'newer'].map((text) => {
    writeFileSync(join(repo.folder.root, 'a.txt'), text)
    repo.git('stash', 'push', '-qm', text)
    return repo.git('rev-parse', 'stash@{0}')
  })
  const gone = [repo.git('rev-parse', 'two'), stashes[1] ?? '']
  await repo.folder.run('clean up', () => {
    repo.git('branch', '-qD', 'one', 'two')
    repo.git('stash', 'clear')
    repo.git('reflog', 'expire', '--expire=now', '--all')
    repo.git('gc', '-q', '--prune=now')
  })
  const kept = join(dirname(storeFile(repo.folder.dataDir, repo.folder.workspace)), 'git/objects')
  for (const id of gone) rmSync(join(kept, id.slice(0, 2), id.slice(2)))
  const request = { workspace: repo.folder.workspace, names: [], all: true, dryRun: false }
  const { items } = await repo.folder.engine.call('git.restore', request)
  expect(items.map(({ to, result }) => [to, result === 'failed']).filter(([to]) => gone.includes(String(to)))).toEqual(
    gone.map((id) => [id, true])
  )
  expect(items.filter(({ result }) => result === 'done')).toHaveLength(3)
  expect(repo.git('stash', 'list', '--format=%gs')).toBe('On main: newer\nOn main: older')
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main\none')
  await undo(repo)
  expect(repo.git('stash', 'list') + repo.git('branch', '--format=%(refname:short)')).toBe('main')
})

test('[GT-2] lost stashes are listed with the newest first, and refs that are no branches as such', async () => {
  await using repo = await repository()
  const stashes = ['older', 'newer'].map((text) => {
    writeFileSync(join(repo.folder.root, 'a.txt'), text)
    repo.git('stash', 'push', '-qm', text)
    return repo.git('rev-parse', 'stash@{0}')
  })
  repo.git('notes', 'add', '-m', 'a note')
  const note = repo.git('rev-parse', 'refs/notes/commits')
  await repo.folder.run('clean up', () => {
    repo.git('stash', 'clear')
    repo.git('update-ref', '-d', 'refs/notes/commits')
  })
  expect((await lost(repo)).map(({ kind, name, commit }) => [kind, kind === 'stash' ? commit : name])).toEqual([
    ...stashes.toReversed().map((id) => ['stash', id]),
    ['ref', 'refs/notes/commits']
  ])
  await restore(repo, ['refs/notes/commits'])
  expect(repo.git('rev-parse', 'refs/notes/commits')).toBe(note)
})

test('[GT-4] where .git is a file, as in a linked worktree, that file is restored and no repository', async () => {
  await using repo = await repository()
  const { root } = repo.folder
  runGit(root, 'init', '-q', '--separate-git-dir', join(root, '../elsewhere'))
  const link = readFileSync(join(root, '.git'), 'utf8')
  await repo.folder.run('remove', () => rmSync(join(root, '.git')))
  await restore(repo, ['.git'])
  expect(readFileSync(join(root, '.git'), 'utf8')).toBe(link)
})

test('[GT-2] of more than 50 lost branches the others are listed once the first are restored, and that is said', async () => {
  await using repo = await repository()
  const names = Array.from({ length: 60 }, (_, n) => `b/${n}`)
  // One process instead of 60.
  repo.git('fetch', '-q', '.', ...names.map((name) => `HEAD:refs/heads/${name}`))
  await repo.folder.run('delete', () => repo.git('branch', '-qD', ...names))
  const list = () => repo.folder.engine.call('git.lost', { workspace: repo.folder.workspace })
  const first = await list()
  expect([first.lost.length, notKeptTexts(first)]).toEqual([
    50,
    [expect.stringContaining('More is lost than is listed')]
  ])
  const request = { workspace: repo.folder.workspace, names: [], all: true, dryRun: false }
  expect((await repo.folder.engine.call('git.restore', request)).more).toBe(true)
  const second = await list()
  expect([second.lost.length, notKeptTexts(second)]).toEqual([10, []])
  expect((await repo.folder.engine.call('git.restore', request)).more).toBe(false)
})

test('[GT-4] a recorded worktree whose repository is not recorded is one again after git removed it', async () => {
  await using repo = await repository()
  const { root } = repo.folder
  const bare = join(root, '../bare.git')
  runGit(root, 'clone', '-q', '--bare', '.', bare)
  rmSync(join(root, '.git'), { recursive: true })
  runGit(bare, 'worktree', 'add', '-q', '--no-checkout', '-b', 'fix', join(root, '../tree'))
  writeFileSync(join(root, '.git'), readFileSync(join(root, '../tree/.git')))
  runGit(bare, 'worktree', 'repair', root)
  runGit(root, 'reset', '-q')
  const before = runGit(root, 'status', '--porcelain')
  await repo.folder.run('remove', () => {
    rmSync(join(root, '.git'))
    rmSync(join(bare, 'worktrees'), { recursive: true })
  })
  await restore(repo, ['.git'])
  expect(runGit(root, 'status', '--porcelain')).toBe(before)
  expect(runGit(root, 'branch', '--show-current')).toBe('fix')
  expect(runGit(bare, 'fsck', '--full')).toBe('')
})

test('[GT-3] commits that a reset took from a branch are listed and come back beside it; HEAD and index stay', async () => {
  await using repo = await repository()
  const first = repo.git('rev-parse', 'main')
  const tip = ['second', 'third'].map(repo.commit).at(-1) ?? ''
  await repo.folder.run('reset', () => repo.git('reset', '-q', '--hard', first))
  expect(await lost(repo)).toMatchObject([{ kind: 'commits', commit: tip, commits: 2, title: 'main' }])
  const index = readFileSync(join(repo.folder.root, '.git/index'))
  await restore(repo, [tip.slice(0, 12)], 'before-reset')
  expect([repo.git('rev-parse', 'main'), repo.git('rev-parse', 'before-reset')]).toEqual([first, tip])
  expect(readFileSync(join(repo.folder.root, '.git/index'))).toEqual(index)
})

test('[GT-5] what a run did to git is said in words, and is no part of its files', async () => {
  await using repo = await repository()
  repo.git('branch', 'old')
  repo.commit('second')
  const { run } = await deletedBranch(repo)
  const { engine, workspace } = repo.folder
  const { changes } = await engine.call('git.changes', { workspace, run })
  expect(gitChangesText(changes)).toBe('deleted branch spike/redis (3 commits only there)')
  expect((await engine.call('entry.show', { workspace, target: run })).entry).toMatchObject({ files: 0 })
  const second = await repo.folder.run('move', () => {
    repo.git('branch', '-f', 'old', 'main')
    repo.git('reset', '-q', '--hard', 'HEAD~1')
  })
  const moved = await engine.call('git.changes', { workspace, run: second })
  expect(gitChangesText(moved.changes)).toBe('moved main back by 1, moved old forward by 1')
})

test('[GT-2] nothing is written over a branch that exists, for a name that is not lost, or beside a lock of git', async () => {
  await using repo = await repository({ refs: 'files' })
  const { tip } = await deletedBranch(repo)
  await expect(restore(repo, ['other'])).rejects.toMatchObject({ code: 'UnknownTarget' })
  await expect(restore(repo, ['spike/redis'], 'main')).rejects.toMatchObject({ code: 'Refused' })
  await expect(restore(repo, ['spike/redis'], '../x')).rejects.toMatchObject({ code: 'Usage' })
  writeFileSync(join(repo.folder.root, '.git/refs/heads/free.lock'), '')
  await expect(restore(repo, [tip], 'free')).rejects.toMatchObject({ code: 'Refused' })
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main')
})

test('[GT-2] a branch below the name of another one is refused with that reason', async () => {
  await using repo = await repository({ refs: 'files' })
  repo.git('branch', 'a/b')
  await repo.folder.run('rename', () => repo.git('branch', '-m', 'a/b', 'a'))
  await expect(restore(repo, ['a/b'])).rejects.toThrow('Git cannot have this name beside another one')
})

test('[GT-2] a branch is not written beside packed ones that need its name for a folder, or have it as one', async () => {
  await using repo = await repository({ refs: 'files' })
  repo.git('branch', 'a')
  repo.git('branch', 'b/c')
  await repo.folder.checkpoint()
  repo.git('branch', '-D', 'a', 'b/c')
  repo.git('branch', 'a/x')
  repo.git('branch', 'b')
  repo.git('pack-refs', '--all')
  const before = repo.git('for-each-ref')
  for (const name of ['a', 'b/c'])
    await expect(restore(repo, [name])).rejects.toThrow('Git cannot have this name beside another one')
  expect(repo.git('for-each-ref')).toBe(before)
})

test('[GT-2] branches and tags whose own names begin with refs/ come back under these', async () => {
  await using repo = await repository()
  for (const kind of ['heads', 'tags']) repo.git('update-ref', `refs/${kind}/refs/heads/x`, 'HEAD')
  const before = repo.git('for-each-ref')
  await repo.folder.checkpoint()
  for (const kind of ['heads', 'tags']) repo.git('update-ref', '-d', `refs/${kind}/refs/heads/x`)
  await restore(
    repo,
    (await lost(repo)).map(({ name }) => name)
  )
  expect(repo.git('for-each-ref')).toBe(before)
})

test('[GT-4] a repository whose objects were deleted, which git takes for none, is restored as a whole', async () => {
  await using repo = await repository()
  const before = repo.describe()
  await repo.folder.checkpoint()
  rmSync(join(repo.folder.root, '.git/objects'), { recursive: true })
  expect(await lost(repo)).toMatchObject([{ kind: 'repository', name: '.git' }])
  await restore(repo, ['.git'])
  expect([repo.describe(), repo.git('fsck', '--full', '--strict')]).toEqual([before, ''])
  await undo(repo)
  expect(existsSync(join(repo.folder.root, '.git/objects'))).toBe(false)
})

test('[GT-4] a repository that was kept while it was being deleted comes back as it was before', async () => {
  await using repo = await repository()
  const { root } = repo.folder
  repo.git('branch', 'spike')
  repo.git('pack-refs', '--all')
  await repo.folder.checkpoint()
  const before = repo.describe()
  for (const path of ['packed-refs', 'reftable', 'index', 'refs', '']) {
    rmSync(join(root, '.git', path), { recursive: true, force: true })
    await repo.folder.checkpoint()
  }
  await restore(repo, ['.git'])
  expect(repo.describe()).toBe(before)
})

test('[GT-2] a ref whose name or folder leads out of the repository is not written', async () => {
  await using repo = await repository({ refs: 'files' })
  const { root } = repo.folder
  const tip = repo.git('rev-parse', 'main')
  const packed = join(root, '.git/packed-refs')
  appendFileSync(packed, `${tip} refs/heads/../../../escaped\n`)
  await repo.folder.run('pack', () => rmSync(packed))
  await expect(restore(repo, ['../../../escaped'])).rejects.toMatchObject({ code: 'Refused' })
  expect(existsSync(join(root, 'escaped'))).toBe(false)
})

test('[GT-2] a packed branch whose name is not UTF-8 is never restored under another name, and hides no other one', async () => {
  await using repo = await repository({ refs: 'files' })
  const packed = join(repo.folder.root, '.git/packed-refs')
  const tip = repo.git('rev-parse', 'main')
  const names = ['refs/heads/caf\xe9', 'refs/heads/caf\xe8', 'refs/heads/tee']
  writeFileSync(packed, Buffer.from(names.map((name) => `${tip} ${name}\n`).join(''), 'latin1'))
  const run = await repo.folder.run('pack', () => rmSync(packed))
  const { git } = await repo.folder.plan({ kind: 'restore', target: run })
  expect(git.map(({ name }) => name)).toEqual(['tee'])
  await restore(repo, ['tee'])
  expect(repo.git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main\nrefs/heads/tee')
})

test('[GT-4] branches in files whose names are not UTF-8 come back with the whole repository', {
  tags: ['linux']
}, async () => {
  await using repo = await repository({ refs: 'files' })
  const { root } = repo.folder
  const inGit = (name: string): Buffer => Buffer.concat([Buffer.from(join(root, '.git/')), Buffer.from(name, 'latin1')])
  repo.git('switch', '-qc', 'spike')
  const tip = `${repo.commit('spiked')}\n`
  repo.git('switch', '-q', 'main')
  repo.git('branch', '-qD', 'spike')
  const names = ['refs/heads/caf\xe9', 'refs/heads/caf\xe8', 'refs/heads/th\xe9/tee', 'refs/heads/n\u00c3\u00a9']
  mkdirSync(inGit('refs/heads/th\xe9'))
  for (const name of names) writeFileSync(inGit(name), tip)
  await repo.folder.checkpoint()
  const refs = repo.git('for-each-ref')
  const run = await repo.folder.run('delete', () => rmSync(join(root, '.git'), { recursive: true }))
  expect((await repo.folder.plan({ kind: 'restore', target: run })).git.map(({ name }) => name)).toEqual(['.git'])
  await restore(repo, ['.git'])
  expect(names.map((name) => readFileSync(inGit(name), 'utf8'))).toEqual(names.map(() => tip))
  expect(repo.git('for-each-ref')).toBe(refs)
  expect(repo.git('fsck', '--full', '--strict', '--no-dangling')).toBe('')
})

test('[GT-1] nothing is kept where the setting is off, and objects take no space of their own', async () => {
  await using repo = await repository()
  const { engine, workspace, dataDir } = repo.folder
  const kept = join(dataDir, 'w', workspace, 'git')
  await engine.call('settings.set', { key: `git.state/${workspace}`, value: 'off' })
  await repo.folder.run('work', () => repo.commit('second'))
  expect(existsSync(kept)).toBe(false)
  await engine.call('settings.set', { key: `git.state/${workspace}`, value: '' })
  await repo.folder.run('work', () => repo.commit('third'))
  expect(readdirSync(join(kept, 'objects')).length).toBeGreaterThan(5)
})

test('[GT-6] commits that a run makes and prunes come back while the folder is watched', async () => {
  await using repo = await repository()
  const { folder } = repo
  await folder.reopen({ watch: true })
  const self = ownProcess()
  const begun = { workspace: folder.workspace, title: 'spike', agent: 'test', pid: self.pid, pidStart: self.start }
  const { run } = await folder.engine.call('run.begin', begun)
  repo.git('switch', '-qc', 'spike')
  const tip = repo.commit('spike')
  // Its ref is kept before its object.
  await expect.poll(() => existsSync(keptObject(folder, tip))).toBe(true)
  repo.git('switch', '-q', 'main')
  repo.git('branch', '-qD', 'spike')
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('gc', '-q', '--prune=now')
  expect(() => repo.git('cat-file', '-e', tip)).toThrow()
  await folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 0 })
  expect(await lost(repo)).toMatchObject([{ kind: 'branch', name: 'spike', commit: tip }])
  await restore(repo, ['spike'])
  expect(repo.git('rev-parse', 'spike')).toBe(tip)
})

test('[GT-6] a repository that appears in a watched folder is kept from its first commit on', async () => {
  await using repo = await repository()
  const { folder } = repo
  rmSync(join(folder.root, '.git'), { recursive: true })
  await folder.reopen({ watch: true })
  repo.git('init', '-q', '-b', 'main')
  const tip = repo.commit('new')
  await expect.poll(() => existsSync(keptObject(folder, tip))).toBe(true)
})

test('[GT-6] among many branches in one folder, each that git writes is kept while the folder is watched', async () => {
  await using repo = await repository({ refs: 'files' })
  const { folder } = repo
  const first = repo.git('rev-parse', 'main')
  for (let n = 0; n < 250; n++) writeFileSync(join(folder.root, `.git/refs/heads/old-${n}`), `${first}\n`)
  await folder.reopen({ watch: true })
  for (const text of ['second', 'third']) {
    const tip = repo.commit(text)
    repo.git('branch', text)
    await expect.poll(() => keptRefs(folder, text)).toEqual([tip])
  }
  expect(keptRefs(folder, 'old-249')).toEqual([first])
  repo.git('branch', '-qD', 'third')
  await expect.poll(() => keptRefs(folder, 'third')).toEqual([])
})

test('[GT-6] a branch that is made without a commit is kept while the folder is watched, also in a new folder of branches', async () => {
  await using repo = await repository()
  const tip = repo.git('rev-parse', 'main')
  await repo.folder.reopen({ watch: true })
  for (const name of ['one', 'deep/two', 'deep/three', 'deep/er/four']) {
    repo.git('branch', name)
    await expect.poll(() => keptRefs(repo.folder, name)).toEqual([tip])
  }
})

/** What the branch points to in the newest kept state; empty without it. */
function keptRefs({ dataDir, workspace }: RecordedFolder, branch: string): string[] {
  const file = join(dataDir, 'w', workspace, 'git/git.db')
  if (!existsSync(file)) return []
  const store = openGitStore(file)
  try {
    const id = refsAt(store, lastGitState(store)?.id ?? 0).refs.get(`refs/heads/${branch}`)
    return id === undefined ? [] : [id]
  } finally {
    store.close()
  }
}

function keptObject({ dataDir, workspace }: RecordedFolder, id: string): string {
  return join(dataDir, 'w', workspace, 'git/objects', id.slice(0, 2), id.slice(2))
}
