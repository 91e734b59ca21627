/**
 * Git worktrees: found and offered, boundaries inside a recorded folder, and never touched by a restore.
 *
 * @module-tag git
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { createEngine, type Engine } from '../../../../src/main/engine/engine.ts'
import { mainWorktreeOf, unrecordedWorktrees } from '../../../../src/main/engine/git/git-worktrees.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { INGEST_PROGRAM } from '../../../support/programs.ts'
import { readTree } from '../../../support/tree.ts'
import { type TempRepository, tempRepository } from './repository.ts'

const made: { remove(): void }[] = []
const engines: Engine[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const engine of engines.splice(0)) await engine.close()
  for (const one of made.splice(0)) one.remove()
})

/** `repo` with a commit and a stash, next to it the worktrees `fix` and, inside it, `repo/in/side`. */
function repository(): TempRepository {
  const temp = tempRepository()
  made.push(temp)
  const git = (...args: string[]) => temp.git(args, { in: 'repo' })
  mkdirSync(join(temp.path, 'repo'))
  git('init')
  temp.put('repo/a.txt', 'one\n')
  temp.put('repo/b/c.txt', 'one\n')
  git('add', '.')
  git('commit', '-m', 'first')
  temp.put('repo/a.txt', 'stashed\n')
  git('stash')
  git('worktree', 'add', '-b', 'fix', '../fix')
  return temp
}

async function engineFor(temp: TempRepository, watch = false): Promise<Engine> {
  const engine = await createEngine({
    dataDir: join(temp.path, 'data'),
    home: join(temp.path, 'home'),
    host: 'cli',
    watch,
    programs: { ingest: INGEST_PROGRAM }
  })
  engines.push(engine)
  return engine
}

/** Every file of git's own, as bytes. */
function gitBytes(folder: string): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = join(folder, name)
    if (statSync(path).isFile()) all[name] = readFileSync(path).toString('base64')
  }
  return all
}

async function runIn(engine: Engine, workspace: string, work: () => void): Promise<string> {
  const begin = { workspace, title: 'work', agent: 'test', pid: process.pid, pidStart: '' }
  const { run } = await engine.call('run.begin', begin)
  work()
  await engine.call('run.end', { workspace, run, exitCode: 0 })
  return run
}

test('worktrees are found from each other by reading files; a deleted or merely claimed one is not', () => {
  const temp = repository()
  const [repo, fix] = [join(temp.path, 'repo'), join(temp.path, 'fix')]
  temp.git(['worktree', 'add', '--detach', 'in/side'], { in: 'repo' })
  temp.git(['worktree', 'add', '-b', 'gone', '../gone'], { in: 'repo' })
  rmSync(join(temp.path, 'gone'), { recursive: true })
  // A repository that points to a folder which does not point back.
  mkdirSync(join(repo, '.git/worktrees/liar'))
  mkdirSync(join(temp.path, 'stranger'))
  writeFileSync(join(repo, '.git/worktrees/liar/gitdir'), join(temp.path, 'stranger/.git'))
  const side = join(repo, 'in/side')
  expect(unrecordedWorktrees(repo, [])).toEqual([
    { folder: fix, branch: 'fix' },
    { folder: side, branch: '' }
  ])
  expect(unrecordedWorktrees(fix, []).map((worktree) => worktree.folder)).toEqual([repo, side])
  expect([mainWorktreeOf(repo), mainWorktreeOf(fix), mainWorktreeOf(temp.path)]).toEqual([null, repo, null])
})

test.each([
  ['have just been written', 0],
  ['are old, so that they are remembered', 60_000]
])('of worktrees that are locked, moved or pruned, those are offered that git accepts; its files %s', (_, later) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + later })
  const temp = repository()
  const repo = join(temp.path, 'repo')
  const git = (...args: string[]) => temp.git(args, { in: 'repo' })
  for (const name of ['locked', 'moved', 'by-hand', 'pruned']) git('worktree', 'add', '-b', name, `../${name}`)
  git('worktree', 'lock', '../locked')
  expect(unrecordedWorktrees(repo, [])).toHaveLength(5)
  git('worktree', 'move', '../moved', '../elsewhere')
  renameSync(join(temp.path, 'by-hand'), join(temp.path, 'carried'))
  rmSync(join(temp.path, 'pruned'), { recursive: true })
  const offered = () =>
    unrecordedWorktrees(repo, []).map(({ folder, branch }) => [folder.slice(temp.path.length + 1), branch])
  const sure = [
    ['elsewhere', 'moved'],
    ['fix', 'fix'],
    ['locked', 'locked']
  ]
  expect(offered()).toEqual(sure)
  git('worktree', 'repair', '../carried')
  git('worktree', 'prune')
  expect(offered()).toEqual([['carried', 'by-hand'], ...sure])
})

/** A folder whose repository is elsewhere, and the folders of git's own files. */
interface Odd {
  readonly root: string
  readonly git: readonly string[]
  readonly others: readonly string[]
}

test.each<[string, (temp: TempRepository) => Odd]>([
  [
    'a worktree of a bare repository',
    (temp) => {
      temp.git(['clone', '--bare', 'repo', 'bare.git'])
      temp.git(['worktree', 'add', '-b', 'one', '../one'], { in: 'bare.git' })
      temp.git(['worktree', 'add', '-b', 'two', '../two'], { in: 'bare.git' })
      return { root: join(temp.path, 'one'), git: [join(temp.path, 'bare.git')], others: [join(temp.path, 'two')] }
    }
  ],
  [
    'a worktree on a branch without a commit',
    (temp) => {
      temp.git(['symbolic-ref', 'HEAD', 'refs/heads/unborn'], { in: 'fix' })
      return {
        root: join(temp.path, 'fix'),
        git: [join(temp.path, 'repo/.git')],
        others: [join(temp.path, 'repo')]
      }
    }
  ],
  [
    'a worktree whose repository is gone',
    (temp) => {
      renameSync(join(temp.path, 'repo'), join(temp.path, 'away'))
      return { root: join(temp.path, 'fix'), git: [join(temp.path, 'away/.git')], others: [] }
    }
  ],
  [
    'a submodule',
    (temp) => {
      mkdirSync(join(temp.path, 'super'))
      temp.git(['init'], { in: 'super' })
      temp.git(['submodule', 'add', '../repo', 'sub'], { in: 'super' })
      return { root: join(temp.path, 'super/sub'), git: [join(temp.path, 'super/.git')], others: [] }
    }
  ]
])('[CP-5] %s is recorded and restored like any folder, without changing a byte of git', async (_, make) => {
  const temp = repository()
  const { root, git, others } = make(temp)
  const engine = await engineFor(temp)
  const { workspace, worktrees } = await engine.call('workspaces.add', { folder: root, wait: true })
  expect(worktrees.map((worktree) => worktree.folder)).toEqual(others)
  const bytes = () => [readFileSync(join(root, '.git'), 'utf8'), ...git.map(gitBytes)]
  const [files, before] = [readTree(root), bytes()]
  const run = await runIn(engine, workspace.id, () => {
    writeFileSync(join(root, 'a.txt'), 'two\n')
    rmSync(join(root, 'b'), { recursive: true })
    writeFileSync(join(root, 'new.txt'), 'new')
  })
  const request = { kind: 'restore', target: `${run}:start`, outside: 'replace' } as const
  expect((await engine.call('restore.apply', { workspace: workspace.id, request })).state).toBe('done')
  expect(readTree(root)).toEqual(files)
  await engine.call('restore.apply', { workspace: workspace.id, request: { kind: 'undo' } })
  expect(bytes()).toEqual(before)
})

test('adding a folder reports which worktrees are not recorded; each is a workspace of its own, linked to its project', async () => {
  const temp = repository()
  const [repo, fix] = [join(temp.path, 'repo'), join(temp.path, 'fix')]
  const engine = await engineFor(temp)
  const added = await engine.call('workspaces.add', { folder: repo, wait: true })
  expect(added.worktrees).toEqual([{ folder: fix, branch: 'fix' }])
  const { workspace } = added
  const offered = async () =>
    (await engine.call('workspace.status', { workspace: workspace.id, check: false })).worktrees
  expect(await offered()).toEqual(added.worktrees)
  const result = await engine.call('workspaces.add', { folder: fix, wait: true })
  expect([result.worktrees, await offered()]).toEqual([[], []])
  expect(result.workspace.id).not.toBe(workspace.id)
  const { workspaces } = await engine.call('workspaces.list', {})
  expect(workspaces.map((summary) => [summary.name, summary.worktreeOf])).toEqual([
    ['fix', repo],
    ['repo', undefined]
  ])
})

test('[CP-5] restoring a worktree changes no byte of git: not HEAD, branch, index or stash', async () => {
  const temp = repository()
  const [repo, fix] = [join(temp.path, 'repo'), join(temp.path, 'fix')]
  const engine = await engineFor(temp)
  const { workspace } = await engine.call('workspaces.add', { folder: fix, wait: true })
  const before = readTree(fix)
  writeFileSync(join(fix, 'staged.txt'), 'staged')
  temp.git(['add', 'staged.txt'], { in: 'fix' })
  rmSync(join(fix, 'staged.txt'))
  const run = await runIn(engine, workspace.id, () => {
    writeFileSync(join(fix, 'a.txt'), 'two\n')
    rmSync(join(fix, 'b'), { recursive: true })
    writeFileSync(join(fix, 'new.txt'), 'new')
  })
  const [git, pointer] = [gitBytes(join(repo, '.git')), readFileSync(join(fix, '.git'), 'utf8')]
  const request = { kind: 'restore', target: run, outside: 'replace' } as const
  expect((await engine.call('restore.apply', { workspace: workspace.id, request })).state).toBe('done')
  expect(readTree(fix)).toEqual(before)
  await engine.call('restore.apply', { workspace: workspace.id, request: { kind: 'undo' } })
  await engine.call('restore.apply', { workspace: workspace.id, request: { kind: 'undo-run', run } })
  expect(gitBytes(join(repo, '.git'))).toEqual(git)
  expect(readFileSync(join(fix, '.git'), 'utf8')).toBe(pointer)
  expect(temp.git(['stash', 'list'], { in: 'repo' })).toContain('stash@{0}')
  expect(temp.git(['status', '--porcelain'], { in: 'fix' })).toBe('AD staged.txt\n')
})

test('[CP-5] a branch without a commit can be restored', async () => {
  const temp = tempRepository()
  made.push(temp)
  const root = join(temp.path, 'unborn')
  mkdirSync(root)
  temp.git(['init'], { in: 'unborn' })
  writeFileSync(join(root, 'a.txt'), 'one')
  temp.git(['add', 'a.txt'], { in: 'unborn' })
  const engine = await engineFor(temp)
  const { workspace, worktrees } = await engine.call('workspaces.add', { folder: root, wait: true })
  expect(worktrees).toEqual([])
  const git = gitBytes(join(root, '.git'))
  const run = await runIn(engine, workspace.id, () => writeFileSync(join(root, 'a.txt'), 'two'))
  const request = { kind: 'restore', target: run } as const
  expect((await engine.call('restore.apply', { workspace: workspace.id, request })).state).toBe('done')
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one')
  expect(gitBytes(join(root, '.git'))).toEqual(git)
})

test('an agent in an unrecorded worktree opens no run in the folder around it; one that writes into it from there is reported', async () => {
  const temp = repository()
  const repo = join(temp.path, 'repo')
  temp.git(['worktree', 'add', '-b', 'agent', '.claude/worktrees/agent'], { in: 'repo' })
  const inner = join(repo, '.claude/worktrees/agent')
  const engine = await engineFor(temp)
  const { workspace } = await engine.call('workspaces.add', { folder: repo, wait: true })
  const work = async (session_id: string, cwd: string, project: string): Promise<unknown[]> => {
    const use = { tool_name: 'Write', tool_use_id: session_id, tool_input: { file_path: join(inner, 'a.txt') } }
    const tell = (event: string, more: object) =>
      engine.callUntyped(
        'agent.event',
        toHookEvent('claude-code', { event, input: { session_id, cwd, hook_event_name: event, ...more } }, { project })
      )
    return [
      await tell('UserPromptSubmit', { prompt: session_id }),
      await tell('PreToolUse', use),
      await tell('PostToolUse', use),
      await tell('Stop', { background_tasks: [] })
    ]
  }
  const [no, yes] = [{ ingested: false }, { ingested: true }]
  expect(await work('inside', inner, inner)).toEqual([no, no, no, no])
  await expect(engine.call('workspaces.find', { folder: join(inner, 'b') })).rejects.toMatchObject({
    code: 'NotAWorkspace',
    message: expect.stringContaining(`${inner} is a git worktree`)
  })
  expect(await work('from-outside', inner, repo)).toEqual([yes, yes, yes, yes])
  const runs = async (id: string) => {
    const { entries } = await engine.call('timeline.list', { workspace: id, limit: 9, kinds: ['run'] })
    return Promise.all(entries.map((entry) => engine.call('entry.show', { workspace: id, target: entry.id })))
  }
  expect((await runs(workspace.id)).map((run) => run.warnings)).toEqual([
    [{ code: 'elsewhere', paths: ['.claude/worktrees/agent'], count: 1 }]
  ])
  const own = await engine.call('workspaces.add', { folder: inner, wait: true })
  expect(await work('recorded', inner, inner)).toEqual([yes, yes, yes, yes])
  expect((await runs(own.workspace.id)).map((run) => [run.entry.id.length > 0, run.warnings])).toEqual([[true, []]])
  expect(await runs(workspace.id)).toHaveLength(1)
})

test('a worktree created inside a recorded folder is a boundary: not recorded, not restored, offered', async () => {
  const temp = repository()
  const repo = join(temp.path, 'repo')
  const engine = await engineFor(temp, true)
  const { workspace } = await engine.call('workspaces.add', { folder: repo, wait: true })
  const status = () => engine.call('workspace.status', { workspace: workspace.id, check: true })
  await expect.poll(async () => (await status()).watcher.state, { timeout: 10_000 }).toBe('live')
  const run = await runIn(engine, workspace.id, () => {
    temp.git(['worktree', 'add', '-b', 'agent', 'in/side'], { in: 'repo' })
    writeFileSync(join(repo, 'in/side/a.txt'), 'work of an agent\n')
    writeFileSync(join(repo, 'a.txt'), 'two\n')
  })
  const files = await engine.call('diff.files', { workspace: workspace.id, target: run, scope: 'run' })
  expect(files.files.map((file) => file.path).filter((path) => path.startsWith('in/side/'))).toEqual([])
  const now = await status()
  expect(now.worktrees.map((worktree) => worktree.folder)).toContain(join(repo, 'in/side'))
  expect(now.notCovered).toContainEqual({ path: 'in/side', reason: 'workspace' })
  const request = { kind: 'restore', target: `${run}:start`, outside: 'replace' } as const
  await engine.call('restore.apply', { workspace: workspace.id, request })
  expect(readFileSync(join(repo, 'a.txt'), 'utf8')).toBe('one\n')
  expect(readFileSync(join(repo, 'in/side/a.txt'), 'utf8')).toBe('work of an agent\n')
  expect(existsSync(join(repo, 'in/side/.git'))).toBe(true)
  // Recorded as a workspace it has its own history; after git removes it, its folder is an ordinary one again.
  const inner = await engine.call('workspaces.add', { folder: join(repo, 'in/side'), wait: true })
  expect(inner.covered.files).toBe(2)
  await engine.call('workspaces.remove', { workspace: inner.workspace.id, deleteHistory: true })
  execFileSync('git', ['worktree', 'remove', '--force', 'in/side'], { cwd: repo })
  mkdirSync(join(repo, 'in/side'), { recursive: true })
  writeFileSync(join(repo, 'in/side/plain.txt'), 'ordinary')
  const later = await status()
  expect(later.notCovered.map((one) => one.path)).not.toContain('in/side')
  const cat = await engine.call('file.cat', { workspace: workspace.id, target: 'now', path: 'in/side/plain.txt' })
  expect(Buffer.from(cat.base64, 'base64').toString()).toBe('ordinary')
})
