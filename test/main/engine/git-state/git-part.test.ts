/** @module-tag git */
import { globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import type { Clock } from '../../../../src/main/engine/ports/clock.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { repository } from '../../../support/repository.ts'

/** Its timers end at once. */
const IMPATIENT: Clock = {
  now: Date.now,
  setTimeout: (fn) => {
    const timer = setImmediate(fn)
    return () => clearImmediate(timer)
  }
}
const to = (target: string, git?: readonly string[]): RestoreRequest => ({
  kind: 'restore',
  target,
  ...(git ? { git } : {})
})

test('[GT-7] an ordinary restore leaves git as it is, and says what differs', async () => {
  await using repo = await repository()
  const run = await repo.folder.run('work', () => repo.commit('second'))
  const before = repo.git('rev-parse', 'HEAD')
  const plan = await repo.folder.plan(to(run))
  expect(plan.git.map(({ item, lost, chosen }) => [item, lost, chosen])).toEqual([
    ['heads/main', false, false],
    ['index', false, false]
  ])
  const result = await repo.folder.apply(to(run))
  expect([result.state, result.git]).toEqual(['done', []])
  expect([repo.git('rev-parse', 'HEAD'), repo.git('diff', '--cached')]).toEqual([before, ''])
})

test('[GT-7] what git lost is proposed; selected items come back with the files, are undone and redone', async () => {
  await using repo = await repository()
  const { folder } = repo
  repo.git('switch', '-qc', 'spike')
  const tip = repo.commit('spike')
  writeFileSync(join(folder.root, 'a.txt'), 'stashed\n')
  repo.git('stash', 'push', '-qm', 'later')
  const stash = repo.git('rev-parse', 'stash')
  const run = await folder.run('clean up', () => {
    repo.git('switch', '-q', 'main')
    repo.git('branch', '-qD', 'spike')
    repo.git('stash', 'drop', '-q')
    repo.git('reflog', 'expire', '--expire=now', '--all')
    repo.git('gc', '-q', '--prune=now')
  })
  const before = repo.describe()
  const { git } = await folder.plan(to(run))
  expect(git.filter(({ lost }) => lost).map(({ item }) => item)).toEqual(['heads/spike', `stash@${stash.slice(0, 12)}`])
  const lost = await folder.apply(to(run, ['lost']))
  expect(lost.git.map(({ result }) => result)).toEqual(['done', 'done'])
  expect(repo.git('rev-parse', 'spike', 'stash', 'HEAD')).toBe([tip, stash, repo.git('rev-parse', 'main')].join('\n'))
  const nameOfStash = ({ git }: typeof lost) => git.find(({ kind }) => kind === 'stash')?.name
  expect(nameOfStash(await folder.apply({ kind: 'undo' }))).toBe(nameOfStash(lost))
  expect(repo.describe()).toBe(before)
  expect(nameOfStash(await folder.apply({ kind: 'redo' }))).toBe(nameOfStash(lost))
  expect(repo.git('rev-parse', 'spike', 'stash')).toBe([tip, stash].join('\n'))
  expect(repo.git('fsck', '--full', '--strict', '--no-dangling')).toBe('')

  const all = await folder.plan(to(run))
  await folder.apply(
    to(
      run,
      all.git.map(({ item }) => item)
    )
  )
  expect(repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/spike')
  expect(repo.git('status', '--porcelain')).toBe('')
})

test('[GT-7] a restore of git alone is an entry of its own, and undo reverts it before the restore of files', async () => {
  await using repo = await repository()
  const { folder } = repo
  const checkpoint = await folder.checkpoint()
  rmSync(join(folder.root, '.git'), { recursive: true })
  const result = await folder.apply(to(checkpoint, ['.git']))
  expect([result.state, result.items, result.git.map(({ item }) => item)]).toEqual(['done', [], ['.git']])
  expect(repo.git('log', '--format=%s')).toBe('first')
  await folder.apply({ kind: 'undo' })
  expect(() => repo.git('log')).toThrow()
  await expect(folder.apply({ kind: 'undo' })).rejects.toMatchObject({ code: 'Refused' })
})

test('[GT-7] while a git command holds the index, a restore with items of git writes nothing and says so', async () => {
  await using repo = await repository()
  const { folder } = repo
  const checkpoint = await folder.checkpoint()
  repo.commit('second')
  const lock = join(folder.root, '.git/index.lock')
  writeFileSync(lock, '')
  const file = readFileSync(join(folder.root, 'a.txt'), 'utf8')
  const plan = await folder.plan(to(checkpoint, ['heads/main']))
  expect(plan.warnings).toMatchObject([{ code: 'git-at-work' }])
  await folder.reopen({ clock: IMPATIENT })
  await expect(folder.apply(to(checkpoint, ['heads/main']))).rejects.toMatchObject({ code: 'Refused' })
  expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe(file)
  rmSync(lock)
  expect(await folder.apply(to(checkpoint, ['heads/main']))).toMatchObject({ state: 'done' })
})

test('[GT-7] an item that git changed since the plan fails alone; one that does not differ is not known', async () => {
  await using repo = await repository({ refs: 'files' })
  const { folder } = repo
  repo.git('branch', 'old')
  const checkpoint = await folder.checkpoint()
  repo.git('branch', '-qD', 'old')
  writeFileSync(join(folder.root, '.git/refs/heads/old.lock'), '')
  repo.commit('second')
  const result = await folder.apply(to(checkpoint, ['heads/old', 'heads/main']))
  expect(result).toMatchObject({ state: 'partial' })
  expect(result.git.map(({ item, result: each }) => [item, each])).toEqual([
    ['heads/main', 'done'],
    ['heads/old', 'failed']
  ])
  await expect(folder.plan(to(checkpoint, ['heads/none']))).rejects.toMatchObject({ code: 'UnknownTarget' })
})

test('[GT-7] a branch whose name is a folder of others now fails alone, and leaves no lock of git', async () => {
  await using repo = await repository({ refs: 'files' })
  const { folder } = repo
  repo.git('branch', 'spike')
  const checkpoint = await folder.checkpoint()
  repo.git('branch', '-qD', 'spike')
  repo.git('branch', 'spike/redis')
  const { state, git } = await folder.apply(to(checkpoint, ['heads/spike']))
  expect([state, git.map(({ result }) => result)]).toEqual(['failed', ['failed']])
  expect(git[0]?.reason).toContain('Git cannot have this name beside another one')
  expect(readdirSync(join(folder.root, '.git/refs/heads')).sort()).toEqual(['main', 'spike'])
})

test('[GT-7] the kept copies of git’s state cannot be read: files are restored all the same, and items of git are refused', async () => {
  await using repo = await repository()
  const { folder } = repo
  const before = folder.tree()['a.txt']
  const run = await folder.run('work', () => repo.commit('second'))
  const [keptStore] = globSync('**/git.db', { cwd: folder.dataDir })
  await folder.engine.close()
  writeFileSync(join(folder.dataDir, keptStore as string), 'not a database'.repeat(1000))
  await folder.reopen()
  await expect(folder.plan(to(run, ['lost']))).rejects.toThrow()
  expect(await folder.apply(to(run))).toMatchObject({
    state: 'done',
    git: [],
    warnings: expect.arrayContaining([{ code: 'git-not-read' }])
  })
  expect(folder.tree()['a.txt']).toEqual(before)
})

test('[GT-8] the kept copies of git’s state cannot be read: the folder is watched, recorded and shown all the same', async () => {
  await using repo = await repository()
  const { folder } = repo
  await folder.run('work', () => repo.commit('second'))
  const [keptStore] = globSync('**/git.db', { cwd: folder.dataDir })
  await folder.engine.close()
  writeFileSync(join(folder.dataDir, keptStore as string), 'not a database'.repeat(1000))
  const clock = createManualClock()
  await folder.reopen({ watch: true, clock })
  const { engine, workspace } = folder
  expect((await engine.call('workspace.status', { workspace, check: false })).folder).toBe('present')
  // The first capture after a start.
  clock.jump(60_000)
  expect((await engine.call('timeline.list', { workspace, limit: 10 })).entries).toHaveLength(1)
  await expect(engine.call('git.lost', { workspace })).rejects.toMatchObject({ code: 'StoreDamaged' })
})
