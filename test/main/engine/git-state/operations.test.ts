/**
 * What git has begun and not ended: an unfinished merge, rebase, cherry-pick, revert, bisect or series of patches.
 * @module-tag git
 */
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { gitChangesText, gitItemText, lostCells } from '../../../../src/contract/words/git.ts'
import { writeParts } from '../../../../src/main/engine/git-state/write-operation.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import {
  hasGitContent,
  newestGitFile,
  openGitStore,
  putGitContent
} from '../../../../src/main/engine/store/git-store.ts'
import { sha256 } from '../../../../src/main/engine/store/hash.ts'
import type { GitWork } from '../../../../src/main/engine/store/restore-git.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { runGit, tryGit } from '../../../support/git.ts'
import { createHookedAgent } from '../../../support/hooked-agent.ts'
import { putMade } from '../../../support/made-once.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

/** Two branches that conflict in a.txt: `main` with one commit more than their base, `spike` with two. */
async function withConflict(options: { readonly watch?: true } = {}) {
  const folder = await recordedFolder({
    ...options,
    make: (root) =>
      putMade(root, 'two branches with a conflict', (place) => {
        runGit(place, 'init', '-q', '-b', 'main')
        const commit = (text: string): void => {
          for (const name of ['a', text]) writeFileSync(join(place, `${name}.txt`), `${text}\n`)
          runGit(place, 'add', '.')
          runGit(place, 'commit', '-qm', text)
        }
        commit('base')
        runGit(place, 'switch', '-qc', 'spike')
        for (const text of ['spike', 'spike-again']) commit(text)
        runGit(place, 'switch', '-q', 'main')
        commit('main')
      })
  })
  const { root } = folder
  const git = (...args: readonly string[]): string => runGit(root, ...args)
  return {
    folder,
    git,
    tryGit: (...args: readonly string[]) => tryGit(root, ...args),
    /** What git says of the state, every stage in the index, and the file. */
    state: () => [git('status', '--long'), git('ls-files', '--stage'), readFileSync(join(root, 'a.txt'), 'utf8')],
    resolve: () => {
      writeFileSync(join(root, 'a.txt'), 'resolved\n')
      git('add', 'a.txt')
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}

const notDone = ({ git }: RestoreResult) => git.filter(({ result }) => result !== 'done')

/** Begins it; it stops at a conflict. `abort` gives it up; `go` ends it, and git has the result. */
const OPERATIONS = [
  ['merge', ['merge', 'spike'], ['merge', '--abort'], ['merge', '--continue']],
  ['rebase', ['rebase', 'spike'], ['rebase', '--abort'], ['rebase', '--continue']]
] as const
const MORE_OPERATIONS = [
  ['merge', ['merge', 'spike'], ['reset', '-q', '--hard'], ['commit', '-qm', 'merged']],
  ['rebase', ['rebase', '--apply', 'spike'], ['rebase', '--abort'], ['rebase', '--continue']],
  ['cherry-pick', ['cherry-pick', 'spike'], ['cherry-pick', '--abort'], ['cherry-pick', '--continue']],
  ['cherry-pick', ['cherry-pick', 'spike~', 'spike'], ['cherry-pick', '--abort'], ['commit', '-qm', 'picked']],
  ['revert', ['revert', 'main~'], ['revert', '--abort'], ['revert', '--continue']]
] as const

test.each(OPERATIONS)(
  '[GT-15] an unfinished %s with resolved conflicts that a run gave up comes back, is undone and redone, and ends as it would have',
  playOperation
)
test.each(MORE_OPERATIONS)(
  '[GT-15] the same of a %s that is begun and given up with other commands: %j %j',
  { tags: 'long' },
  playOperation
)

async function playOperation(
  kind: string,
  begin: readonly string[],
  abort: readonly string[],
  go: readonly string[]
): Promise<void> {
  await using repo = await withConflict()
  const { folder, git } = repo
  repo.tryGit(...begin)
  repo.resolve()
  const [before, tip] = [repo.state(), git('rev-parse', 'main')]
  const run = await folder.run('clean up', () => {
    git(...abort)
    git('reflog', 'expire', '--expire=now', '--all')
    git('gc', '-q', '--prune=now')
  })
  const after = repo.state()
  expect(after).not.toEqual(before)
  const { engine, workspace } = folder
  expect(gitChangesText((await engine.call('git.changes', { workspace, run })).changes)).toContain(
    `ended the unfinished ${kind}`
  )
  const done = await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
  expect([notDone(done), done.git.map(({ item }) => item)]).toEqual([[], expect.arrayContaining([kind, 'index'])])
  expect(repo.state()).toEqual(before)
  expect(notDone(await folder.apply({ kind: 'undo' }))).toEqual([])
  expect(repo.state()).toEqual(after)
  expect(notDone(await folder.apply({ kind: 'redo' }))).toEqual([])
  expect([repo.state(), git('fsck', '--full', '--no-dangling')]).toEqual([before, ''])
  repo.tryGit(...go)
  expect(git('rev-parse', 'main')).not.toBe(tip)
  expect(git('status', '--porcelain')).toBe('')
}

test('[GT-15] `driftline git` lists what git gave up, with the command that restores it and its files', async () => {
  await using repo = await withConflict()
  const { folder, git } = repo
  const { engine, workspace } = folder
  repo.tryGit('merge', 'spike')
  repo.resolve()
  const [before, checkpoint] = [repo.state(), await folder.checkpoint()]
  git('merge', '--abort')
  const { lost } = await engine.call('git.lost', { workspace })
  expect(lost.map(lostCells)).toEqual([['operation', 'merge', `driftline restore ${checkpoint} --git merge`]])
  await expect(
    engine.call('git.restore', { workspace, names: ['merge'], all: false, dryRun: false })
  ).rejects.toMatchObject({ code: 'Refused' })
  const request = { kind: 'restore', target: checkpoint, git: ['merge'], outside: 'replace' } as const
  expect((await folder.plan(request)).git.map(gitItemText)).toEqual([
    'the index: what was staged',
    'the unfinished merge, lost, with index'
  ])
  await folder.apply(request)
  expect(repo.state()).toEqual(before)
  git('merge', '--continue')
  expect((await engine.call('git.lost', { workspace })).lost).toEqual([])
})

test.each([
  [['rebase'], 'rebase-merge', 'orig-head'],
  [['rebase', '--apply'], 'rebase-apply', 'orig-head'],
  // What is left then looks like an `am`.
  [['rebase', '--apply'], 'rebase-apply', 'head-name']
])(
  '[GT-15] %j that was kept while git deleted its %s, %s first, is listed all the same',
  async (begin, name, first) => {
    await using repo = await withConflict()
    const { folder, git } = repo
    const { engine, workspace } = folder
    repo.tryGit(...begin, 'spike')
    const [before, checkpoint] = [repo.state(), await folder.checkpoint()]
    const [place, copy] = [join(folder.root, '.git', name), join(folder.dataDir, 'copy')]
    cpSync(place, copy, { recursive: true })
    git('rebase', '--abort')
    cpSync(copy, place, { recursive: true })
    const files = readdirSync(copy).filter((file) => file !== first)
    for (const file of [first, ...files]) {
      rmSync(join(place, file), { recursive: true })
      await engine.call('git.lost', { workspace })
    }
    const { lost } = await engine.call('git.lost', { workspace })
    expect(lost.map(({ name: kind, title }) => [kind, title])).toEqual([['rebase', checkpoint]])
    await folder.apply({ kind: 'restore', target: checkpoint, git: ['rebase'], outside: 'replace' })
    expect(repo.state()).toEqual(before)
  }
)

test('[GT-15] of several checkpoints with the merge, the newest is named: it has what was resolved last', async () => {
  await using repo = await withConflict()
  const { folder, git } = repo
  repo.tryGit('merge', 'spike')
  const checkpoints: string[] = []
  for (let n = 0; n < 12; n++) {
    writeFileSync(join(folder.root, 'a.txt'), `resolved ${n}\n`)
    checkpoints.push(await folder.checkpoint())
  }
  git('merge', '--abort')
  await folder.checkpoint()
  const { lost } = await folder.engine.call('git.lost', { workspace: folder.workspace })
  expect(lost.map(({ name, title }) => [name, title])).toEqual([['merge', checkpoints.at(-1)]])
})

test('[GT-15] what a run began is removed by a restore to its start, with HEAD and the index; the undo restores it', async () => {
  await using repo = await withConflict()
  const { folder } = repo
  const before = repo.state()
  const run = await folder.run('rebase', () => void repo.tryGit('rebase', 'spike'))
  const during = repo.state()
  const { git } = await folder.plan({ kind: 'restore', target: run, git: ['rebase'] })
  expect(git.filter(({ chosen }) => chosen).map((item) => gitItemText(item))).toEqual([
    expect.stringMatching(/^HEAD: /),
    'the index: what was staged',
    'the unfinished rebase, which is removed, with index and HEAD'
  ])
  await folder.apply({ kind: 'restore', target: run, git: ['rebase'] })
  expect(repo.state()).toEqual(before)
  await folder.apply({ kind: 'undo' })
  expect(repo.state()).toEqual(during)
})

test('[GT-15] a merge that ended with its result is not lost, and is offered at an earlier position with the branch that it moved', async () => {
  await using repo = await withConflict()
  const { folder } = repo
  repo.tryGit('merge', 'spike')
  const before = repo.state()
  const checkpoint = await folder.checkpoint()
  repo.resolve()
  repo.git('commit', '-qm', 'merged')
  const { engine, workspace } = folder
  expect((await engine.call('git.lost', { workspace })).lost).toEqual([])
  const { git } = await folder.plan({ kind: 'restore', target: checkpoint })
  const merge = git.find(({ item }) => item === 'merge')
  expect(merge && [merge.lost, merge.chosen, merge.needs]).toEqual([false, false, ['heads/main', 'index']])
  await folder.apply({ kind: 'restore', target: checkpoint, git: ['merge'], outside: 'replace' })
  expect(repo.state()).toEqual(before)
})

test('[GT-15] an unfinished bisect comes back with its verdicts, as the run that reset it began', async () => {
  await using repo = await withConflict()
  const { folder, git } = repo
  const first = git('rev-list', '--max-parents=0', 'spike')
  git('switch', '-q', 'spike')
  git('bisect', 'start', 'HEAD', first)
  const [log, head] = [git('bisect', 'log'), git('rev-parse', 'HEAD')]
  const run = await folder.run('clean up', () => git('bisect', 'reset'))
  const done = await folder.apply({ kind: 'undo-run', run, git: ['lost'] })
  expect(done.git.map(({ item, result }) => [item, result])).toEqual([
    ['index', 'done'],
    ['HEAD', 'done'],
    ['bisect', 'done']
  ])
  expect([git('bisect', 'log'), git('rev-parse', 'HEAD')]).toEqual([log, head])
  expect(git('bisect', 'good')).toContain('is the first bad commit')
})

test('[GT-15] where the index cannot be written, the operation that needs it is not, either', async () => {
  await using repo = await withConflict()
  const { folder } = repo
  repo.tryGit('merge', 'spike')
  repo.resolve()
  const run = await folder.run('clean up', () => repo.git('merge', '--abort'))
  const { engine } = folder
  const plan = await folder.plan({ kind: 'restore', target: run, git: ['merge'] })
  expect(plan.git.map(({ item }) => item)).toContain('merge')
  const lock = join(folder.root, '.git/index.lock')
  const stop = engine.on('restore.progress', () => writeFileSync(lock, ''))
  const { git } = await folder.apply({ kind: 'restore', target: run, git: ['merge'] })
  stop()
  expect(git.map(({ item, result }) => [item, result])).toEqual([
    ['index', 'failed'],
    ['merge', 'failed']
  ])
  expect(existsSync(join(folder.root, '.git/MERGE_HEAD'))).toBe(false)
})

test('[GT-15] where a part cannot be written, the error says why, the others are as they were, and what is not is named', async () => {
  using place = tempFolder()
  const at = (name: string): string => join(place.path, name)
  const store = openGitStore(at('git.db'))
  const hash = transact(store, (tx) => Buffer.from(putGitContent(tx, Buffer.from('new\n'))).toString('hex'))
  const part = (name: string, from: string): GitWork => ({
    ...{ kind: 'file', item: name, name, from, to: hash },
    modes: { from: from === '' ? 0 : 0o644, to: 0o644 }
  })
  const lost = sha256(Buffer.from('not kept\n')).toString('hex')
  writeFileSync(at('MERGE_MSG'), 'not kept\n')
  chmodSync(at('MERGE_MSG'), 0o644)
  writeFileSync(at('MERGE_MODE.lock'), '')
  const parts = [part('SQUASH_MSG', ''), part('MERGE_MSG', lost), part('MERGE_HEAD', ''), part('MERGE_MODE', '')]
  await expect(writeParts(place.path, store, parts, systemClock)).rejects.toThrow(
    /^A git command is at work: it holds .*MERGE_MODE\.lock.*What was written before that stays: MERGE_MSG\.$/
  )
  expect(['SQUASH_MSG', 'MERGE_MSG', 'MERGE_HEAD'].filter((name) => existsSync(at(name)))).toEqual(['MERGE_MSG'])
  store.db.close()
})

test('[GT-15] [GT-6] while the folder is watched, a conflict that an agent resolves and gives up in one turn comes back as it was before that command', async () => {
  await using repo = await withConflict({ watch: true })
  const { folder, git } = repo
  const { engine, workspace } = folder
  await expect
    .poll(async () => (await engine.call('workspace.status', { workspace, check: true })).watcher.state)
    .toBe('live')
  await folder.checkpoint()
  const store = openGitStore(join(folder.dataDir, 'w', workspace, 'git/git.db'))
  const isKept = (path: string): boolean => hasGitContent(store, sha256(readFileSync(join(folder.root, '.git', path))))
  const until = async (isDone: () => boolean): Promise<void> => {
    while (!isDone()) await new Promise(setImmediate)
  }
  try {
    const agent = createHookedAgent(folder, 'agent')
    await agent.shell('git rebase spike')
    await agent.shell('echo resolved >a.txt && git add a.txt')
    await until(() => ['index', 'rebase-merge/done'].every(isKept))
    const before = repo.state()
    await agent.call('Bash', { command: 'git rebase --abort' }, () => git('rebase', '--abort'))
    await until(() => newestGitFile(store, 'rebase-merge/done')?.hash === null)
    await agent.stop()
    const { lost } = await engine.call('git.lost', { workspace })
    expect(lost.map(({ kind, name }) => [kind, name])).toEqual([['operation', 'rebase']])
    const done = await folder.apply({ kind: 'restore', target: lost[0]?.title ?? '', git: ['rebase'] })
    expect(notDone(done)).toEqual([])
    expect(repo.state()).toEqual(before)
  } finally {
    store.close()
  }
})
