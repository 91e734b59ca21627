/**
 * Repositories in subfolders of a recorded folder.
 * @module-tag git
 */
import {
  appendFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { gitChangesText } from '../../../../src/contract/words/git.ts'
import { createRepositories, type Repositories } from '../../../../src/main/engine/git-state/repositories.ts'
import { createWorks } from '../../../../src/main/engine/git-state/repository-works.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { gitStateAt, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore } from '../../../../src/main/engine/store/open-store.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { runGit as git } from '../../../support/git.ts'
import { putMade } from '../../../support/made-once.ts'
import { type RecordedFolder, type RecordedOptions, recordedFolder } from '../../../support/recorded-folder.ts'

function commit(cwd: string, text: string): string {
  appendFileSync(join(cwd, 'a.txt'), `${text}\n`)
  git(cwd, 'add', 'a.txt')
  git(cwd, 'commit', '-qm', text)
  return git(cwd, 'rev-parse', 'HEAD')
}

/** Each with a branch `spike` whose commit is nowhere else, and a stash. */
function addRepository(folder: string): void {
  mkdirSync(folder, { recursive: true })
  putMade(folder, 'repository with a branch and a stash', (place) => {
    git(place, 'init', '-q', '-b', 'main')
    commit(place, 'first')
    git(place, 'switch', '-qc', 'spike')
    commit(place, 'spiked')
    git(place, 'switch', '-q', 'main')
    appendFileSync(join(place, 'a.txt'), 'later\n')
    git(place, 'stash', 'push', '-qm', 'later')
  })
}

async function work(paths: readonly string[], options: Pick<RecordedOptions, 'watch' | 'files'> = {}) {
  const folder = await recordedFolder({
    make: (root) => paths.forEach((path) => void addRepository(join(root, path))),
    ...options
  })
  return { folder, at: (path: string) => join(folder.root, path), [Symbol.asyncDispose]: folder[Symbol.asyncDispose] }
}

/** Refs, stashes, HEAD, the index, and how the files differ from it. */
function describe(cwd: string): string {
  return [['for-each-ref'], ['stash', 'list'], ['status', '--porcelain=v2', '--branch']]
    .map((args) => git(cwd, ...args))
    .join('\n')
}

const restoreAll = ({ engine, workspace }: RecordedFolder) =>
  engine.call('git.restore', { workspace, all: true, names: [], dryRun: false })

const lostIn = async ({ engine, workspace }: RecordedFolder) =>
  (await engine.call('git.lost', { workspace })).lost.map(({ kind, name }) => `${kind} ${name}`)

test('[GT-12] repositories of subfolders: what a run did to them is said, lost branches, stashes and .git come back, and the undo reverts that', async () => {
  await using place = await work(['a', 'libs/b', 'c'])
  const { folder, at } = place
  const { engine, workspace } = folder
  const whole = describe(at('libs/b'))
  const spike = git(at('c'), 'rev-parse', 'spike')
  const run = await folder.run('clean up', () => {
    rmSync(at('libs/b/.git'), { recursive: true })
    git(at('c'), 'branch', '-qD', 'spike')
    git(at('a'), 'stash', 'drop', '-q')
  })
  const { changes } = await engine.call('git.changes', { workspace, run })
  expect(gitChangesText(changes)).toBe(
    'dropped 1 stash in a, deleted branch spike (1 commit only there) in c, deleted the repository in libs/b'
  )
  expect((await lostIn(folder)).sort()).toEqual([
    'branch c:spike',
    'repository libs/b/.git',
    expect.stringMatching(/^stash a:[0-9a-f]{12}$/)
  ])
  const { lostBelow, notCovered } = await engine.call('workspace.status', { workspace, check: false })
  expect([lostBelow, notCovered]).toEqual([[{ folder: 'libs/b', state: 'missing' }], []])

  await restoreAll(folder)
  expect(describe(at('libs/b'))).toBe(whole)
  expect(git(at('c'), 'rev-parse', 'spike')).toBe(spike)
  for (const path of ['a', 'libs/b', 'c']) expect(git(at(path), 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
  expect(await lostIn(folder)).toEqual([])

  await engine.call('git.undo', { workspace })
  expect((await lostIn(folder)).length).toBe(3)

  const plan = await folder.plan({ kind: 'restore', target: run })
  expect(plan.git.map(({ item, lost }) => [item, lost])).toEqual([
    [expect.stringMatching(/^a:stash@/), true],
    ['c:heads/spike', true],
    ['libs/b/.git', true]
  ])
  const request = { kind: 'restore', target: run, git: ['c:spike', 'libs/b/.git'] } as const
  expect((await folder.apply(request)).git.map(({ result }) => result)).toEqual(['done', 'done'])
  expect([describe(at('libs/b')), git(at('c'), 'rev-parse', 'spike')]).toEqual([whole, spike])
  await folder.apply({ kind: 'undo' })
  expect((await lostIn(folder)).length).toBe(3)
})

function isMarked(file: string, checkpoint: string): boolean {
  const store = openGitStore(file)
  try {
    return gitStateAt(store, checkpoint) !== null
  } finally {
    store.close()
  }
}

/** Repositories with nothing but a HEAD, as a scan finds them. `beyond`: folders that are recorded themselves. */
function bareRepositories(...beyond: readonly string[]) {
  const dir = mkdtempSync(join(tmpdir(), 'driftline-below-'))
  const store = openStore(join(dir, 'history/store.db'))
  const [root, boundaries] = [join(dir, 'folder'), new Set(beyond)]
  const open = (): Repositories =>
    createRepositories({
      ...{ root, historyDir: join(dir, 'history'), mainHistoryDir: () => join(dir, 'history'), store, boundaries },
      ...{ isOn: () => true, isRecordedElsewhere: () => false, clock: systemClock }
    })
  const repositories = open()
  const opened = [repositories]
  const found = new Set<string>()
  const list = (): void => {
    const paths = JSON.stringify([...found].map((path) => `${path}/.git`))
    transact(store, (tx) => writeMeta(tx, 'repositories', paths))
    repositories.refresh()
  }
  return {
    repositories,
    boundaries,
    /** As after a restart: nothing was listed yet. */
    reopen: (): Repositories => {
      opened.push(open())
      return opened.at(-1) as Repositories
    },
    make: (...paths: readonly string[]): void => {
      for (const path of paths) {
        mkdirSync(join(root, path, '.git/objects'), { recursive: true })
        writeFileSync(join(root, path, '.git/HEAD'), 'ref: refs/heads/main\n')
        found.add(path)
      }
      list()
    },
    /** Only a scan of everything removes them from what was found. */
    lose: (...paths: readonly string[]): void => {
      for (const path of paths) rmSync(join(root, path), { recursive: true })
    },
    [Symbol.dispose]: (): void => {
      for (const each of opened) each.close()
      store.close()
      rmSync(dir, { recursive: true })
    }
  }
}

/** The paths of kept copies in subfolders' repositories. */
const keptBelow = ({ dataDir, workspace }: RecordedFolder, pattern: string): string[] =>
  globSync(join(dataDir, 'w', workspace, 'git/below/*', pattern))

test('[GT-12] [GT-6] while the folder is watched, a repository is found as soon as it is made in a subfolder, and comes back', async () => {
  await using place = await work([], { files: { 'p/a.txt': 'a\n', 'q/b.txt': 'b\n' }, watch: true })
  const { folder, at } = place
  const { engine, workspace } = folder
  await expect
    .poll(async () => (await engine.call('workspace.status', { workspace, check: true })).watcher.state)
    .toBe('live')
  git(at('p'), 'init', '-q', '-b', 'main')
  const tip = commit(at('p'), 'new')
  const object = `objects/${tip.slice(0, 2)}/${tip.slice(2)}`
  while (keptBelow(folder, object).length === 0) await new Promise(setImmediate)
  rmSync(at('p/.git'), { recursive: true })
  expect(await lostIn(folder)).toEqual(['repository p/.git'])
  await restoreAll(folder)
  expect(git(at('p'), 'rev-parse', 'HEAD')).toBe(tip)
})

test('[GT-12] [GT-7] a position at which nothing had changed in a repository has the state of then, also after a restart', async () => {
  await using place = await work(['a', 'b'])
  const { folder, at } = place
  await folder.checkpoint()
  // Times of less than 50 ms ago do not show that nothing changed since.
  const made = Date.now()
  while (Date.now() < made + 60) await new Promise(setImmediate)
  await folder.checkpoint()
  const idle = await folder.run('nothing', () => {})
  const position = await folder.checkpoint()
  const marked = () => keptBelow(folder, 'git.db').map((file) => isMarked(file, position))
  expect(marked()).toEqual([false, false])

  git(at('a'), 'branch', '-qD', 'spike')
  const lostSince = async (target: string) =>
    (await folder.plan({ kind: 'restore', target })).git.map(({ item }) => item)
  expect(await lostSince(position)).toEqual(['a:heads/spike'])
  await folder.reopen()
  expect(marked()).toEqual([true, true])
  git(at('b'), 'branch', '-qD', 'spike')
  expect(await lostSince(position)).toEqual(['a:heads/spike', 'b:heads/spike'])
  expect(await lostSince(idle)).toEqual(['a:heads/spike', 'b:heads/spike'])
  expect((await folder.engine.call('git.changes', { workspace: folder.workspace, run: idle })).changes).toEqual([])
})

test('[GT-12] [GT-7] the undo of a restore that made a subfolder and its repository leaves nothing of them, and the redo restores both', async () => {
  await using place = await work(['a', 'b/c'])
  const { folder, at } = place
  const whole = describe(at('b/c'))
  const run = await folder.run('delete', () => rmSync(at('b'), { recursive: true }))
  await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
  expect(describe(at('b/c'))).toBe(whole)
  const undone = await folder.apply({ kind: 'undo' })
  expect(undone.items.filter(({ result }) => result !== 'done')).toEqual([])
  expect(readdirSync(folder.root)).toEqual(['a'])
  await folder.apply({ kind: 'redo' })
  expect(describe(at('b/c'))).toBe(whole)
  expect(git(at('b/c'), 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
})

test('[GT-12] nothing is read or written through a link in the place of a subfolder', { tags: ['posix'] }, async () => {
  await using place = await work(['a'])
  const { folder, at } = place
  await folder.checkpoint()
  const outside = join(folder.root, '../outside')
  renameSync(at('a'), outside)
  rmSync(join(outside, '.git'), { recursive: true })
  symlinkSync(outside, at('a'))
  expect(await lostIn(folder)).toEqual(['repository a/.git'])
  await expect(restoreAll(folder)).rejects.toThrow(/a is a link or a file now/)
  expect(readdirSync(outside)).toEqual(['a.txt'])
  rmSync(at('a'))
  await restoreAll(folder)
  expect(git(at('a'), 'fsck', '--full', '--no-dangling')).toBe('')
})

test('[GT-12] of more than 100 repositories, those beyond are listed as not protected; of none where the setting is off', async () => {
  const paths = Array.from({ length: 102 }, (_, n) => `r${String(n).padStart(3, '0')}`)
  const files = Object.fromEntries(paths.map((path) => [`${path}/.git/HEAD`, 'ref: refs/heads/main\n']))
  const make = (root: string): void => {
    for (const path of paths) mkdirSync(join(root, path, '.git/objects'))
  }
  await using folder = await recordedFolder({ files, make })
  const { engine, workspace } = folder
  const notKept = async () => {
    await folder.check()
    return (await engine.call('coverage.list', { workspace })).notCovered.map(({ path }) => path)
  }
  expect(await notKept()).toEqual(['r100/.git', 'r101/.git'])
  rmSync(join(folder.root, 'r050'), { recursive: true })
  expect(await notKept()).toEqual(['r101/.git'])
  await engine.call('settings.set', { key: `git.state/${workspace}`, value: 'off' })
  expect((await notKept()).length).toBe(101)
})

test('[GT-12] of more than 100 lost repositories the 100 that were lost last are listed, whenever each was found', () => {
  using place = bareRepositories()
  const { repositories, make, lose } = place
  const temporary = Array.from({ length: 99 }, (_, n) => `t${n}`)
  make('old')
  make(...temporary)
  lose(...temporary)
  make('new')
  lose('old', 'new')
  make('next')
  const listed = repositories.all().map(({ path }) => path)
  expect(['old', 'new', 'next', 't98', 't0'].filter((path) => !listed.includes(path))).toEqual(['t0'])
})

test('[GT-12] a subfolder that is recorded itself instead of another is left to its own history, and the other one is kept', () => {
  using place = bareRepositories('b')
  const { repositories, make, boundaries } = place
  make('a', 'b')
  expect(repositories.all().map(({ path }) => path)).toEqual(['', 'a'])
  boundaries.delete('b')
  boundaries.add('a')
  expect(repositories.all().map(({ path }) => path)).toEqual(['', 'b'])
})

test('[GT-12] the undo in a repository that was not listed yet is ready, and that of one that is no longer kept is said', () => {
  using place = bareRepositories()
  const { repositories, make } = place
  make('a')
  repositories.at('a')?.captureNow()
  const works = createWorks(place.reopen())
  const branch = { kind: 'branch', item: 'spike', name: 'refs/heads/spike', from: '1'.repeat(40), to: '' } as const
  const undo = works.reverse([
    { ...branch, folder: 'a' },
    { ...branch, folder: 'b' }
  ])
  expect(works.statesOf(undo)).toEqual(['evicted', 'ready'])
})

test('[GT-12] the undo is that of the restore made last, whichever repository, also after the clock was set back', async () => {
  await using place = await work(['a', 'b'])
  const { folder, at } = place
  await folder.checkpoint()
  for (const path of ['a', 'b']) git(at(path), 'branch', '-qD', 'spike')
  const restore = (name: string) =>
    folder.engine.call('git.restore', { workspace: folder.workspace, all: false, names: [name], dryRun: false })
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 3600_000 } })
  await restore('a:spike')
  await folder.reopen({ clock: systemClock })
  await restore('b:spike')
  await folder.engine.call('git.undo', { workspace: folder.workspace })
  expect(['a', 'b'].map((path) => git(at(path), 'branch', '--list', 'spike').length > 0)).toEqual([true, false])
})

test('[GT-12] [GT-1] a branch in a folder of branches that moved alone, unwatched, is as it was at each pin', async () => {
  await using place = await work(['a'])
  const { folder, at } = place
  const [main, spike] = [git(at('a'), 'rev-parse', 'main'), git(at('a'), 'rev-parse', 'spike')]
  git(at('a'), 'branch', 'team/x', 'main')
  const pinIdle = async () => {
    // Times of less than 50 ms ago do not show that nothing changed since.
    const made = Date.now()
    while (Date.now() < made + 60) await new Promise(setImmediate)
    return folder.checkpoint()
  }
  for (let n = 0; n < 3; n++) await pinIdle()
  git(at('a'), 'update-ref', 'refs/heads/team/x', 'spike')
  const position = await pinIdle()
  git(at('a'), 'update-ref', 'refs/heads/team/x', 'main')
  const items = (await folder.plan({ kind: 'restore', target: position })).git
  expect(items.map(({ item, from, to }) => [item, from, to])).toEqual([['a:heads/team/x', main, spike]])
})

test('[GT-12] the kept copies of a repository that is gone are deleted after the retention time', async () => {
  await using place = await work(['a', 'b'])
  const { folder, at } = place
  await folder.checkpoint()
  await folder.engine.close()
  rmSync(at('a'), { recursive: true })
  const file = storeFile(folder.dataDir, folder.workspace)
  const store = openStore(file)
  const historyDir = dirname(file)
  const repositories = createRepositories({
    ...{ root: folder.root, historyDir, mainHistoryDir: () => historyDir, store },
    ...{ isOn: () => true, isRecordedElsewhere: () => false, clock: systemClock, boundaries: new Set<string>() }
  })
  repositories.capture()
  await repositories.sweep(0, Number.MAX_SAFE_INTEGER)
  expect(repositories.all().map(({ path }) => path)).toEqual(['', 'a', 'b'])
  await repositories.sweep(Date.now() + 1, Number.MAX_SAFE_INTEGER)
  expect(repositories.all().map(({ path }) => path)).toEqual(['', 'b'])
  expect(keptBelow(folder, 'git.db').length).toBe(1)
  repositories.close()
  store.close()
})

test('[GT-12] [GT-8] damaged kept copies of one repository cost no other: it is said, and what the others lost comes back', async () => {
  await using place = await work(['a', 'b'])
  const { folder, at } = place
  const { engine, workspace } = folder
  const target = await folder.checkpoint()
  await engine.close()
  const [damaged = ''] = keptBelow(folder, 'git.db')
  writeFileSync(damaged, 'damaged')
  await folder.reopen()
  for (const path of ['a', 'b']) git(at(path), 'branch', '-qD', 'spike')
  const { lost, below } = await folder.engine.call('git.lost', { workspace })
  const [whole = ''] = lost.map((item) => item.folder)
  expect(lost.map(({ name }) => name)).toEqual([`${whole}:spike`])
  expect(below.filter(({ notKept }) => notKept.includes('damaged')).length).toBe(1)
  const plan = await folder.plan({ kind: 'restore', target })
  expect([plan.git.map(({ item }) => item), plan.warnings]).toEqual([
    [`${whole}:heads/spike`],
    expect.arrayContaining([{ code: 'git-not-read' }])
  ])
  await restoreAll(folder)
  expect(git(at(whole), 'branch', '--list', 'spike')).toContain('spike')
})
