/** @module-tag git */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newestGitRestore, openGitStore } from '../../../../src/main/engine/store/git-store.ts'
import type { GitWork } from '../../../../src/main/engine/store/restore-git.ts'
import { KILLED, runCrashChild } from '../../../support/crash-process.ts'
import { runGit } from '../../../support/git.ts'
import { type Repository, repository } from '../../../support/repository.ts'

/** A restore of the deleted .git, killed before it was written. The engine is closed. */
async function killInRestore(repo: Repository): Promise<void> {
  const { folder } = repo
  const target = await folder.checkpoint()
  deleteRepository(repo)
  await folder.engine.close()
  const request = { kind: 'restore', target, git: ['.git'] } as const
  const ended = await runCrashChild(folder, { do: 'restore', request, at: 'verified' })
  expect(ended, ended.errors).toMatchObject(KILLED)
}

const restore = ({ folder: { engine, workspace } }: Repository, names: readonly string[]) =>
  engine.call('git.restore', { workspace, names, all: false, dryRun: false })
const undo = ({ folder: { engine, workspace } }: Repository) => engine.call('git.undo', { workspace })
const keptIn = ({ folder: { dataDir, workspace } }: Repository): string => join(dataDir, 'w', workspace, 'git')
const deleteRepository = ({ folder }: Repository): void => rmSync(join(folder.root, '.git'), { recursive: true })
function makeAnother({ folder }: Repository): void {
  runGit(folder.root, 'init', '-q', '-b', 'another')
}
const headOf = (repo: Repository): string => `ref: ${repo.git('symbolic-ref', 'HEAD')}`

test('[GT-2] the undo of a restore by name is durable before git is changed', { tags: ['posix'] }, async () => {
  await using repo = await repository()
  repo.git('branch', 'spike')
  await repo.folder.run('clean up', () => repo.git('branch', '-qD', 'spike'))
  // A git that copies what is stored at each of its calls: the last one is just before the ref is written.
  const [bin, copy] = ['bin', 'copy'].map((name) => join(repo.folder.root, '..', name)) as [string, string]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  mkdirSync(bin)
  writeFileSync(
    join(bin, 'git'),
    `#!/bin/sh\nrm -rf '${copy}'; cp -r '${keptIn(repo)}' '${copy}'\nexec '${real}' "$@"\n`
  )
  chmodSync(join(bin, 'git'), 0o755)
  vi.stubEnv('PATH', bin + delimiter + process.env.PATH)
  try {
    await restore(repo, ['spike'])
  } finally {
    vi.unstubAllEnvs()
  }
  const store = openGitStore(join(copy, 'git.db'))
  const items = JSON.parse(newestGitRestore(store)?.items ?? '[]') as GitWork[]
  store.close()
  expect(items.map(({ name, from }) => [name, from])).toEqual([['refs/heads/spike', '']])
})

test('[GT-2] a restore by name that was refused leaves nothing to undo; an undo whose item git changed since changes nothing', async () => {
  await using repo = await repository({ refs: 'files' })
  for (const name of ['one', 'two']) repo.git('branch', name)
  await repo.folder.run('clean up', () => repo.git('branch', '-qD', 'one', 'two'))
  const lock = join(repo.folder.root, '.git/refs/heads/one.lock')
  writeFileSync(lock, '')
  await expect(restore(repo, ['one'])).rejects.toMatchObject({ code: 'Refused' })
  await expect(undo(repo)).rejects.toMatchObject({ code: 'UnknownTarget' })
  rmSync(lock)
  await restore(repo, ['one', 'two'])
  repo.commit('second')
  repo.git('branch', '-f', 'one', 'main')
  await expect(undo(repo)).rejects.toMatchObject({ code: 'Refused', message: expect.stringContaining('heads/one') })
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main\none\ntwo')
})

test('[GT-7] a list of stashes that git changed since the plan is not overwritten', async () => {
  await using repo = await repository()
  const stash = (text: string): void => {
    writeFileSync(join(repo.folder.root, 'a.txt'), text)
    repo.git('stash', 'push', '-qm', text)
  }
  for (const text of ['first', 'second', 'third']) stash(text)
  const run = await repo.folder.run('drop', () => repo.git('stash', 'drop', '-q', 'stash@{2}'))
  const request = { kind: 'restore', target: run, git: ['lost'] } as const
  await repo.folder.apply(request)
  // The newest stays: only the reflog says that one is gone.
  repo.git('stash', 'drop', '-q', 'stash@{1}')
  const left = repo.git('stash', 'list', '--format=%gs')
  const undone = await repo.folder.apply({ kind: 'undo' })
  expect(undone.warnings).toMatchObject([{ code: 'git-changed' }])
  expect(repo.git('stash', 'list', '--format=%gs')).toBe(left)
  expect(left).toContain('first')
})

test('[GT-4] another .git in the place of a restored one is not moved by the undo, which says so', async () => {
  await using repo = await repository()
  const { folder } = repo
  const checkpoint = await folder.checkpoint()
  deleteRepository(repo)
  await folder.apply({ kind: 'restore', target: checkpoint, git: ['.git'] })
  deleteRepository(repo)
  makeAnother(repo)
  const plan = await folder.plan({ kind: 'undo' })
  expect([plan.git, plan.warnings]).toEqual([[], [{ code: 'git-changed', items: ['.git'] }]])
  await folder.apply({ kind: 'undo' })
  expect(headOf(repo)).toBe('ref: refs/heads/another')
})

test('[GT-4] [RS-7] killed before .git was written: neither the undo nor finishing moves a newer .git, and finishing says so', async () => {
  await using repo = await repository()
  const { folder } = repo
  await killInRestore(repo)
  cpSync(folder.dataDir, `${folder.dataDir}.left`, { recursive: true, preserveTimestamps: true })
  makeAnother(repo)
  await folder.reopen()
  await folder.apply({ kind: 'recover', how: 'undo' })
  expect(headOf(repo)).toBe('ref: refs/heads/another')
  await folder.engine.close()
  rmSync(folder.dataDir, { recursive: true })
  cpSync(`${folder.dataDir}.left`, folder.dataDir, { recursive: true, preserveTimestamps: true })
  await folder.reopen()
  const finished = await folder.apply({ kind: 'recover', how: 'finish' })
  expect([finished.state, finished.git[0]?.reason]).toEqual(['failed', expect.stringContaining('Another .git')])
  expect(headOf(repo)).toBe('ref: refs/heads/another')
})

test('[GT-4] a .git whose kept state is evicted is not restored: the result says why, and the journal is closed', async () => {
  await using repo = await repository()
  const { folder } = repo
  await killInRestore(repo)
  const store = openGitStore(join(keptIn(repo), 'git.db'))
  store.db.exec(
    `INSERT OR REPLACE INTO mark VALUES ('', 1000000); DELETE FROM file WHERE state < (SELECT max(state) FROM file)`
  )
  store.close()
  await folder.reopen()
  const result = await folder.apply({ kind: 'recover', how: 'finish' })
  expect(result).toMatchObject({ state: 'failed', git: [{ item: '.git', result: 'failed' }] })
  expect(result.git[0]?.reason).toContain('older than the retention time')
  expect(existsSync(join(folder.root, '.git'))).toBe(false)
  // Nothing is left to finish or to undo.
  await expect(folder.plan({ kind: 'recover', how: 'finish' })).rejects.toThrow()
  await expect(folder.plan({ kind: 'undo' })).rejects.toThrow()
})

test('[GT-4] where the .git before a restore is evicted, the undo leaves the restored one, and the plan says so', async () => {
  await using repo = await repository()
  const { folder } = repo
  const checkpoint = await folder.checkpoint()
  deleteRepository(repo)
  makeAnother(repo)
  const { git } = await folder.apply({ kind: 'restore', target: checkpoint, git: ['.git'] })
  expect(git).toMatchObject([{ item: '.git', result: 'done' }])
  for (const name of execFileSync('ls', [keptIn(repo)], { encoding: 'utf8' }).split('\n'))
    if (/^replaced-\d+-[0-9a-f]+$/.test(name)) rmSync(join(keptIn(repo), name), { recursive: true })
  expect((await folder.plan({ kind: 'undo' })).warnings).toEqual([{ code: 'git-evicted', items: ['.git'] }])
  await folder.apply({ kind: 'undo' })
  expect(headOf(repo)).toBe('ref: refs/heads/main')
})

test('[GT-7] an undo whose objects are kept nowhere says so, undoes the rest, and lets the restore before be undone', async () => {
  await using repo = await repository()
  const { folder } = repo
  const text = (): string => readFileSync(join(folder.root, 'b.txt'), 'utf8')
  const [write, branch] = [(to: string) => writeFileSync(join(folder.root, 'b.txt'), to), ['branch', '-f', 'spike']]
  write('first\n')
  const target = await folder.checkpoint()
  write('second\n')
  const { restore: first } = await folder.apply({ kind: 'restore', target, outside: 'replace' })
  repo.git(...branch, 'main')
  const before = await folder.checkpoint()
  write('third\n')
  repo.git(...branch, repo.git('commit-tree', '-m', 'lost', 'main^{tree}'))
  await folder.apply({ kind: 'restore', target: before, outside: 'replace', git: ['heads/spike'] })
  repo.git('reflog', 'expire', '--expire=now', '--all')
  repo.git('prune', '--expire=now')
  rmSync(join(keptIn(repo), 'objects'), { recursive: true })
  mkdirSync(join(keptIn(repo), 'objects'))
  const undone = await folder.apply({ kind: 'undo' })
  expect([undone.state, undone.git[0]?.reason]).toEqual(['partial', expect.stringContaining('Not all objects')])
  expect(text()).toBe('third\n')
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })
  expect(status.undo?.restore).toBe(first)
})

test('[GT-7] the undo of a run proposes the branches and stashes that git lost in it, and no others', async () => {
  await using repo = await repository()
  const { folder } = repo
  for (const name of ['spike', 'later']) repo.git('branch', name)
  writeFileSync(join(folder.root, 'a.txt'), 'stashed\n')
  repo.git('stash', 'push', '-qm', 'kept')
  const before = repo.describe()
  const run = await folder.run('clean up', () => {
    repo.git('branch', '-qD', 'spike')
    repo.git('stash', 'drop', '-q')
    writeFileSync(join(folder.root, 'b.txt'), 'by the run\n')
  })
  repo.git('branch', '-qD', 'later')
  const request = { kind: 'undo-run', run } as const
  const { git } = await folder.plan(request)
  expect(git.map(({ kind, lost, chosen }) => [kind, lost, chosen])).toEqual([
    ['branch', true, false],
    ['stash', true, false]
  ])
  expect((await folder.plan({ ...request, paths: ['b.txt'] })).git).toEqual([])
  const result = await folder.apply({ ...request, git: ['lost'] })
  expect([result.state, result.git.map(({ result: each }) => each)]).toEqual(['done', ['done', 'done']])
  repo.git('branch', 'later')
  expect(repo.describe()).toBe(before)
  await folder.apply({ kind: 'undo' })
  expect([repo.git('branch', '--list', 'spike'), repo.git('stash', 'list')]).toEqual(['', ''])
})

test('[GT-7] the undo of a run that deleted .git alone proposes it', async () => {
  await using repo = await repository()
  const { folder } = repo
  const before = repo.describe()
  const run = await folder.run('delete', () => deleteRepository(repo))
  const request = { kind: 'undo-run', run } as const
  expect((await folder.plan(request)).git.map(({ item }) => item)).toEqual(['.git'])
  expect(await folder.apply({ ...request, git: ['lost'] })).toMatchObject({ state: 'done' })
  expect(repo.describe()).toBe(before)
})

test('[GT-8] a damaged kept file costs only what it names: doctor says which, and all else git lost is listed and comes back', async () => {
  await using repo = await repository({ refs: 'files' })
  const { folder } = repo
  for (const name of ['one', 'two']) repo.git('branch', name)
  repo.git('tag', '-am', 'annotated', 'noted')
  repo.commit('second')
  repo.git('branch', '-f', 'two', 'main')
  await folder.run('clean up', () => repo.git('branch', '-qD', 'one', 'two'))
  await folder.engine.close()
  const store = openGitStore(join(keptIn(repo), 'git.db'))
  const one = `SELECT hash FROM file WHERE path = 'refs/tags/noted' AND hash IS NOT NULL`
  store.db.exec(`UPDATE content SET bytes = x'00' WHERE hash IN (${one})`)
  store.close()
  await folder.reopen()
  const { problems } = await folder.engine.call('doctor.run', { workspace: folder.workspace })
  expect(problems).toMatchObject([{ code: 'GitFile', path: 'refs/tags/noted', versions: 1 }])
  const { lost, notKept } = await folder.engine.call('git.lost', { workspace: folder.workspace })
  expect([lost.map(({ name }) => name).sort(), notKept]).toEqual([['one', 'two'], ['damaged']])
  await restore(repo, ['one', 'two'])
  expect(repo.git('branch', '--format=%(refname:short)')).toBe('main\none\ntwo')
})

test('[GT-2] an undo of files names the restore of git that is newer, also where there is nothing else to undo', async () => {
  await using repo = await repository()
  repo.git('branch', 'one')
  await repo.folder.run('delete', () => repo.git('branch', '-qD', 'one'))
  await restore(repo, ['one'])
  await expect(repo.folder.plan({ kind: 'undo' })).rejects.toThrow(
    '`driftline git undo` undoes the last restore of git: refs/heads/one.'
  )
  await undo(repo)
  await expect(repo.folder.plan({ kind: 'undo' })).rejects.toThrow('There is no restore to undo.')
  const run = await repo.folder.run('write', () => writeFileSync(join(repo.folder.root, 'a.txt'), 'changed'))
  await repo.folder.apply({ kind: 'undo-run', run })
  await restore(repo, ['one'])
  expect((await repo.folder.plan({ kind: 'undo' })).warnings).toEqual([
    { code: 'git-restored', items: ['refs/heads/one'] }
  ])
})
