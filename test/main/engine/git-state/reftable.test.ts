/**
 * Refs in tables (reftable): what git lost comes back as where refs are files.
 * @module-tag reftable
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { refsAt, replayRefs } from '../../../../src/main/engine/git-state/refs.ts'
import type { Clock } from '../../../../src/main/engine/ports/clock.ts'
import { lastGitState, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import { GIT_ENV, runGit } from '../../../support/git.ts'
import { type Repository, repository } from '../../../support/repository.ts'

const withTables = (...init: readonly string[]): Promise<Repository> =>
  repository({}, ['--ref-format=reftable', ...init])
const tablesOf = ({ folder }: Repository): string => join(folder.root, '.git/reftable')
const lost = ({ folder: { engine, workspace } }: Repository) => engine.call('git.lost', { workspace })
const restore = ({ folder: { engine, workspace } }: Repository, names: readonly string[]) =>
  engine.call('git.restore', { workspace, names, all: false, dryRun: false })
const undo = ({ folder: { engine, workspace } }: Repository) => engine.call('git.undo', { workspace })
const to = (target: string, git: readonly string[]): RestoreRequest => ({ kind: 'restore', target, git })

/** Git finds its refs, reflogs and objects sound. */
function check(repo: Repository): void {
  expect(repo.git('fsck', '--full', '--strict', '--no-dangling')).toBe('')
  expect(repo.git('refs', 'verify', '--strict')).toBe('')
}

function storeOf({ folder: { dataDir, workspace } }: Repository) {
  return openGitStore(join(dataDir, 'w', workspace, 'git/git.db'))
}

test.each(['sha1', 'sha256'])(
  '[GT-11] [GT-2] with %s, a lost branch, tag and stash come back by name, git finds them sound, and it is undone',
  async (format) => {
    await using repo = await withTables(`--object-format=${format}`)
    repo.git('switch', '-qc', 'spike/redis')
    const tip = repo.commit('spike')
    repo.git('tag', '-am', 'annotated', 'noted')
    repo.git('switch', '-q', 'main')
    const stashes = ['older', 'newer'].map((text) => {
      writeFileSync(join(repo.folder.root, 'a.txt'), text)
      repo.git('stash', 'push', '-qm', text)
      return repo.git('rev-parse', 'stash')
    })
    const before = repo.git('for-each-ref')
    await repo.folder.run('clean up', () => {
      repo.git('branch', '-qD', 'spike/redis')
      repo.git('tag', '-d', 'noted')
      repo.git('stash', 'clear')
      repo.git('reflog', 'expire', '--expire=now', '--all')
      repo.git('gc', '-q', '--prune=now')
    })
    const after = repo.describe()
    expect((await lost(repo)).lost.map(({ kind }) => kind).sort()).toEqual(['branch', 'stash', 'stash', 'tag'])
    expect((await lost(repo)).notKept).toEqual([])
    await restore(repo, ['spike/redis', 'noted', ...(stashes as [string, string])])
    expect([repo.git('rev-parse', 'spike/redis'), repo.git('for-each-ref')]).toEqual([tip, before])
    expect(repo.git('stash', 'list', '--format=%H %gs')).toBe(
      `${stashes[1]} On main: newer\n${stashes[0]} On main: older`
    )
    check(repo)
    expect((await lost(repo)).lost).toEqual([])
    await undo(repo)
    expect(repo.describe()).toBe(after)
    check(repo)
    // What we wrote is compacted like git's own.
    await restore(repo, ['spike/redis'])
    repo.git('pack-refs', '--all')
    expect(repo.git('rev-parse', 'spike/redis')).toBe(tip)
    check(repo)
  }
)

test('[GT-11] [GT-7] HEAD and branches are restored, undone and redone with the files, also HEAD of a worktree alone', async () => {
  await using repo = await withTables()
  const { folder } = repo
  repo.git('switch', '-qc', 'work')
  const side = join(folder.root, '../side')
  repo.git('worktree', 'add', '-q', '-b', 'side', side)
  const checkpoint = await folder.checkpoint()
  const before = repo.describe()
  repo.git('switch', '-q', 'main')
  repo.commit('second')
  repo.git('branch', '-f', 'work', 'main')
  const after = repo.describe()
  const { git } = await folder.plan(to(checkpoint, []))
  expect(git.map(({ item, lost: isLost }) => [item, isLost])).toEqual([
    ['heads/main', false],
    ['heads/work', false],
    ['HEAD', false],
    ['index', false]
  ])
  const all = { kind: 'restore', target: checkpoint, outside: 'replace', git: git.map(({ item }) => item) } as const
  expect(await folder.apply(all)).toMatchObject({ state: 'done' })
  expect(repo.describe()).toBe(before)
  check(repo)
  await folder.apply({ kind: 'undo' })
  expect(repo.describe()).toBe(after)
  await folder.apply({ kind: 'redo' })
  expect(repo.describe()).toBe(before)
  check(repo)

  const { workspace } = await folder.engine.call('workspaces.add', { folder: side, wait: true })
  const worktree = { workspace: workspace.id }
  const inSide = (...args: readonly string[]): string => repo.git('-C', side, ...args)
  const made = await folder.engine.call('checkpoint.create', { ...worktree, label: 'before' })
  const [own, main] = [inSide('symbolic-ref', 'HEAD'), repo.git('symbolic-ref', 'HEAD')]
  inSide('switch', '-q', '--detach')
  const request = { kind: 'restore', target: made.checkpoint, git: ['HEAD'] } as const
  expect(await folder.engine.call('restore.apply', { ...worktree, request })).toMatchObject({ state: 'done' })
  expect([inSide('symbolic-ref', 'HEAD'), repo.git('symbolic-ref', 'HEAD')]).toEqual([own, main])
  expect(inSide('fsck', '--no-dangling')).toBe('')
})

test('[GT-11] [GT-6] while the folder is watched, what each git command changes is kept', async () => {
  await using repo = await withTables()
  await repo.folder.reopen({ watch: true })
  for (const name of ['one', 'two', 'three']) {
    repo.git('branch', name)
    await expect.poll(() => keptBranches(repo)).toContain(name)
  }
  repo.git('branch', '-qD', 'two')
  await expect.poll(() => keptBranches(repo)).not.toContain('two')
})

function keptBranches(repo: Repository): string[] {
  if (!existsSync(join(repo.folder.dataDir, 'w', repo.folder.workspace, 'git/git.db'))) return []
  const store = storeOf(repo)
  try {
    return [...refsAt(store, lastGitState(store)?.id ?? 0).refs.keys()].map((ref) => ref.replace('refs/heads/', ''))
  } finally {
    store.close()
  }
}

/** Its timers end at once. */
const IMPATIENT: Clock = {
  now: Date.now,
  setTimeout: (fn) => {
    const timer = setImmediate(fn)
    return () => clearImmediate(timer)
  }
}

test('[GT-11] [GT-2] nothing is written beside a lock of git, over a branch, in the place of a folder of branches, or with a name that git forbids', async () => {
  await using repo = await withTables()
  for (const name of ['spike', 'other']) repo.git('branch', name)
  await repo.folder.run('clean up', () => repo.git('branch', '-qD', 'spike', 'other'))
  await repo.folder.reopen({ clock: IMPATIENT })
  const lock = join(tablesOf(repo), 'tables.list.lock')
  writeFileSync(lock, '')
  await expect(restore(repo, ['other'])).rejects.toMatchObject({ code: 'Refused', data: { lock } })
  rmSync(lock)
  repo.git('branch', 'spike/redis')
  await expect(restore(repo, ['spike'])).rejects.toMatchObject({
    code: 'Refused',
    message: expect.stringContaining('Git cannot have this name')
  })
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main\nspike/redis')
  // Nothing is left beside git's own tables.
  const listed = readFileSync(join(tablesOf(repo), 'tables.list'), 'utf8')
    .split('\n')
    .filter(Boolean)
  expect(readdirSync(tablesOf(repo)).sort()).toEqual([...listed, 'tables.list'].sort())
  await restore(repo, ['other'])
  check(repo)
})

test('[GT-11] a table that is cut off: nothing wrong is listed or written, it is said, and .git comes back as a whole', async () => {
  await using repo = await withTables()
  const { folder } = repo
  for (const name of ['spike', 'kept']) repo.git('branch', name)
  const run = await folder.run('clean up', () => repo.git('branch', '-qD', 'spike'))
  const before = repo.describe()
  const target = await folder.checkpoint()
  const [oldest] = readdirSync(tablesOf(repo)).sort()
  truncateSync(join(tablesOf(repo), oldest as string), 100)
  const found = await lost(repo)
  expect([found.lost.map(({ name }) => name), found.notKept]).toEqual([['spike'], ['reftable-names']])
  await expect(restore(repo, ['spike'])).rejects.toMatchObject({
    code: 'Refused',
    message: expect.stringContaining('Couldn’t read the tables of git’s refs')
  })
  const plan = await folder.plan({ kind: 'restore', target: run })
  expect([plan.git, plan.warnings]).toEqual([[], expect.arrayContaining([{ code: 'git-not-read' }])])
  rmSync(join(folder.root, '.git'), { recursive: true })
  expect(await folder.apply(to(target, ['.git']))).toMatchObject({ state: 'done' })
  expect(repo.describe()).toBe(before)
  check(repo)
})

test('[GT-11] [GT-8] a damaged kept table costs only what it names: the states before and after it are listed', async () => {
  await using repo = await withTables()
  const { folder } = repo
  repo.git('branch', 'first')
  await folder.run('clean up', () => repo.git('branch', '-qD', 'first'))
  repo.git('branch', 'second')
  repo.git('pack-refs', '--all')
  await folder.run('clean up', () => repo.git('branch', '-qD', 'second'))
  repo.git('pack-refs', '--all')
  await folder.checkpoint()
  await folder.engine.close()
  const store = storeOf(repo)
  const newest = `SELECT hash FROM file WHERE path LIKE 'reftable/%.ref' AND hash IS NOT NULL ORDER BY state LIMIT 1`
  store.db.exec(`UPDATE content SET bytes = x'00' WHERE hash IN (${newest})`)
  store.close()
  await folder.reopen()
  const { problems } = await folder.engine.call('doctor.run', { workspace: folder.workspace })
  expect(problems).toMatchObject([{ code: 'GitFile', path: expect.stringMatching(/^reftable\/.*\.ref$/) }])
  const found = await lost(repo)
  expect([found.lost.map(({ name }) => name), found.notKept]).toEqual([['second'], ['damaged']])
})

test('[GT-11] whenever git changes and compacts its tables, each kept state has tables that belong together', async () => {
  await using repo = await withTables()
  const { engine, workspace, root } = repo.folder
  const commands = 'for i in $(seq 1 40); do git branch b$i || exit 1; [ $((i % 5)) = 0 ] && git pack-refs --all; done'
  const git = spawn('sh', ['-c', `${commands}; exit 0`], { cwd: root, env: GIT_ENV, stdio: 'ignore' })
  const ended = once(git, 'exit')
  let isRunning = true
  void ended.then(() => {
    isRunning = false
  })
  while (isRunning) {
    await engine.call('git.lost', { workspace })
    await new Promise(setImmediate)
  }
  expect((await ended)[0]).toBe(0)
  await engine.call('git.lost', { workspace })
  const store = storeOf(repo)
  const counts: number[] = []
  let unreadable = 0
  replayRefs(store, (_, { refs }) => counts.push(refs.size), { onUnreadable: () => unreadable++ })
  store.close()
  expect([unreadable, counts.at(-1)]).toEqual([0, 41])
  expect(counts).toEqual([...counts].sort((a, b) => a - b))
})

test('[GT-11] branches that are restored while git writes others are all there, and git lost none of its own', async () => {
  await using repo = await withTables()
  const names = Array.from({ length: 12 }, (_, n) => `old-${n}`)
  for (const name of names) repo.git('branch', name)
  await repo.folder.run('clean up', () => repo.git('branch', '-qD', ...names))
  const git = spawn('sh', ['-c', 'for i in $(seq 1 25); do git branch new-$i || exit 1; done'], {
    cwd: repo.folder.root,
    // Git waits for our lock as we for its.
    env: { ...GIT_ENV, GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'reftable.lockTimeout', GIT_CONFIG_VALUE_0: '10000' },
    stdio: 'ignore'
  })
  const ended = once(git, 'exit')
  for (const name of names) await restore(repo, [name])
  expect((await ended)[0]).toBe(0)
  expect(repo.git('for-each-ref', '--format=x', 'refs/heads').split('\n')).toHaveLength(1 + 12 + 25)
  check(repo)
})

test('[GT-11] [GT-10] a repository that was replaced by a fresh one is noticed, and comes back; the fresh one with the undo', async () => {
  await using repo = await withTables()
  const { folder } = repo
  const before = repo.describe()
  const target = await folder.checkpoint()
  rmSync(join(folder.root, '.git'), { recursive: true })
  runGit(folder.root, 'init', '-q', '-b', 'fresh', '--ref-format=reftable')
  expect(await lost(repo)).toMatchObject({ repository: 'replaced' })
  expect((await folder.apply(to(target, ['.git']))).state).toBe('done')
  expect(repo.describe()).toBe(before)
  await folder.apply({ kind: 'undo' })
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/fresh')
})

test.each([
  ['files', 'reftable'],
  ['reftable', 'files']
])(
  '[GT-11] [GT-7] refs in %s, which git converted to %s since, come back in the new form, and its config stays',
  async (before, after) => {
    await using repo = await repository({ refs: 'files' })
    const { folder } = repo
    // Git converts no repository that has reflogs.
    repo.git('config', 'core.logAllRefUpdates', 'false')
    rmSync(join(folder.root, '.git/logs'), { recursive: true })
    if (before === 'reftable') repo.git('refs', 'migrate', '--ref-format=reftable')
    repo.git('switch', '-qc', 'spike')
    const tip = repo.commit('spike')
    const checkpoint = await folder.checkpoint()
    repo.git('switch', '-q', 'main')
    repo.git('refs', 'migrate', `--ref-format=${after}`)
    repo.git('config', 'user.name', 'someone')
    repo.git('branch', '-qD', 'spike')
    const then = repo.describe()
    const { git, warnings } = await folder.plan(to(checkpoint, []))
    expect(git.map(({ item }) => item)).toEqual(['heads/spike', 'HEAD', 'index'])
    expect(warnings).toContainEqual({ code: 'git-converted', items: ['config'] })
    await folder.apply({ ...to(checkpoint, ['heads/spike', 'HEAD', 'index']), outside: 'replace' } as RestoreRequest)
    expect([repo.git('rev-parse', 'HEAD'), repo.git('config', 'user.name')]).toEqual([tip, 'someone'])
    check(repo)
    await folder.apply({ kind: 'undo' })
    expect(repo.describe()).toBe(then)
    check(repo)
  }
)
