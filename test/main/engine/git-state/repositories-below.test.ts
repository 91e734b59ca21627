/**
 * Repositories in subfolders of a recorded folder.
 * @module-tag git
 */
import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gitChangesText } from '../../../../src/contract/words/git.ts'
import { GIT_ENV } from '../../../support/git-env.ts'
import { putMade } from '../../../support/made-once.ts'
import { type RecordedFolder, type RecordedOptions, recordedFolder } from '../../../support/recorded-folder.ts'

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', args, { cwd, env: GIT_ENV, encoding: 'utf8', stdio: 'pipe' }).trim()

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

async function work(paths: readonly string[], options: Pick<RecordedOptions, 'watch'> = {}) {
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

  const asked = { workspace, all: true, names: [], dryRun: false }
  await engine.call('git.restore', asked)
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
