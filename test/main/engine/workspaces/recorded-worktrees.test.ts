/**
 * Worktrees that are recorded automatically, and what they leave behind.
 * @module-tag git
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreResult } from '../../../../src/contract/restore.ts'
import { removedWorktreeText } from '../../../../src/contract/words/worktrees.ts'
import type { RecordedWorktree } from '../../../../src/contract/workspace.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { writeMeta } from '../../../../src/main/engine/store/meta.ts'
import { openStore, ROOT_ID, type Store } from '../../../../src/main/engine/store/open-store.ts'
import { hasPackedPaths } from '../../../../src/main/engine/store/packed-paths.ts'
import { addPathOnce } from '../../../../src/main/engine/store/paths.ts'
import { run, transact, type Writable } from '../../../../src/main/engine/store/sql.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { runGit as git } from '../../../support/git.ts'
import { putMade } from '../../../support/made-once.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { limitFor } from '../../../support/scale.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'

function makeRepository(root: string): void {
  writeFiles(root, { 'a.txt': 'a\n', 'src/b.txt': 'b\n' })
  git(root, 'init', '-q', '-b', 'main')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'first')
}

/** A watched repository with two files on main. */
async function repository(mode: 'ask' | 'on' | 'off' = 'on'): Promise<RecordedFolder> {
  const folder = await recordedFolder({
    make: (root) => putMade(root, 'two files on main', makeRepository),
    watch: true
  })
  await folder.engine.call('settings.set', { key: `git.worktrees/${folder.workspace}`, value: mode })
  return folder
}

const listed = async ({ engine, workspace }: RecordedFolder): Promise<readonly RecordedWorktree[]> =>
  (await engine.call('worktrees.list', { workspace })).worktrees

/** Waits for notices of the recorder until the recorded worktrees are as wanted. */
async function until(
  folder: RecordedFolder,
  isWanted: (worktrees: readonly RecordedWorktree[]) => boolean
): Promise<readonly RecordedWorktree[]> {
  const { promise, resolve } = Promise.withResolvers<readonly RecordedWorktree[]>()
  const look = async (): Promise<void> => {
    const worktrees = await listed(folder)
    if (isWanted(worktrees)) resolve(worktrees)
  }
  const stops = (['workspace.changed', 'workspaces.changed'] as const).map((event) =>
    folder.engine.on(event, () => void look())
  )
  await look()
  const worktrees = await promise
  for (const stop of stops) stop()
  return worktrees
}

/** Waits until the worktree's files, which are there now, are recorded. */
async function recorded(folder: RecordedFolder, workspace: string): Promise<void> {
  const isComplete = async (): Promise<boolean> =>
    (await folder.engine.call('workspace.status', { workspace, check: false })).coverage === 'complete'
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = folder.engine.on('workspace.changed', async () => {
    if (await isComplete()) resolve()
  })
  if (!(await isComplete())) await promise
  stop()
  await folder.engine.call('drift.list', { workspace, check: true })
}

/** Whether paths of the workspace are packed now. */
function packed({ dataDir }: RecordedFolder, workspace: string): boolean {
  const store = openStore(storeFile(dataDir, workspace))
  const isPacked = hasPackedPaths(store)
  store.close()
  return isPacked
}

const place = (folder: Pick<RecordedFolder, 'root'>, name: string): string => join(dirname(folder.root), name)

test('[WT-2] worktrees inside, outside and many at once are recorded automatically after one consent', async () => {
  await using folder = await repository()
  const inside = [join(folder.root, '.claude/worktrees/task')]
  const outside = Array.from({ length: 2 }, (_, n) => place(folder, `outside-${n}`))
  for (const root of [...inside, ...outside]) git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const worktrees = await until(folder, (all) => all.length === 3)
  expect(worktrees.map(({ root }) => root).sort()).toEqual([...inside, ...outside].sort())
  for (const { id } of worktrees) {
    await recorded(folder, id)
    expect(await folder.engine.call('coverage.list', { workspace: id })).toMatchObject({ covered: { files: 2 } })
  }
})

test('[WT-6] a worktree is packed until something in it is used; its first change is from the version that git wrote', async () => {
  await using folder = await repository()
  const root = place(folder, 'idle')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  const workspace = worktree?.id ?? ''
  await recorded(folder, workspace)
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(status).toMatchObject({ covered: { files: 2, bytes: 4 }, notCovered: [] })
  // Elsewhere a watch may lose events without a sign of it: the folder is compared with what was recorded.
  expect(packed(folder, workspace)).toBe(process.platform === 'linux')
  const before = readTree(root)
  writeFileSync(join(root, 'src/b.txt'), 'changed\n')
  const { drift } = await folder.engine.call('drift.list', { workspace, check: true })
  expect(drift).toMatchObject([{ paths: ['src/b.txt'] }])
  expect(packed(folder, workspace)).toBe(false)
  const request = { kind: 'drift', drift: drift[0]?.id ?? '' } as const
  expect(await folder.engine.call('restore.apply', { workspace, request })).toMatchObject({ state: 'done' })
  expect(readTree(root)).toEqual(before)
})

test('[WT-6] [ST-9] a worktree whose packed paths are damaged stops nothing else, whatever is made in it', async () => {
  await using folder = await repository()
  writeFiles(folder.root, { '.git/info/exclude': 'build/\n' })
  const root = place(folder, 'damaged')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  const workspace = worktree?.id ?? ''
  await recorded(folder, workspace)
  const store = openStore(storeFile(folder.dataDir, workspace))
  transact(store, (tx) => run(tx, 'UPDATE packed_path SET columns = ?', Buffer.from('damaged')))
  store.close()
  // The rules ignore it, so that its watch asks whether it was recorded before.
  mkdirSync(join(root, 'build'))
  const status = folder.engine.call('workspace.status', { workspace, check: true })
  if (process.platform === 'linux') await expect(status).rejects.toMatchObject({ code: 'StoreDamaged' })
  else await status
  writeFileSync(join(folder.root, 'a.txt'), 'changed\n')
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  expect(drift).toMatchObject([{ paths: ['a.txt'] }])
})

test('[WT-2] a worktree whose recorder died before it took a snapshot is recorded by the next one', async () => {
  await using folder = await repository()
  const root = place(folder, 'task')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  const workspace = worktree?.id ?? ''
  await recorded(folder, workspace)
  await folder.engine.close()
  // As the file was then.
  rmSync(storeFile(folder.dataDir, workspace))
  openStore(storeFile(folder.dataDir, workspace)).close()
  await folder.reopen({ watch: true })
  await recorded(folder, workspace)
  expect(await folder.engine.call('coverage.list', { workspace })).toMatchObject({ covered: { files: 2 } })
})

test('[WT-2] a worktree that git makes while others are recorded is watched before all of them are', {
  tags: ['long']
}, async () => {
  await using folder = await repository()
  for (let n = 0; n < 200; n++) writeFileSync(join(folder.root, `src/${n}.txt`), `${n}\n`)
  git(folder.root, 'add', '.')
  git(folder.root, 'commit', '-qm', 'many')
  const states = async (): Promise<string[]> => {
    const worktrees = await listed(folder)
    const all = worktrees.map(({ id }) => folder.engine.call('workspace.status', { workspace: id, check: false }))
    return (await Promise.all(all)).map(({ coverage }) => coverage)
  }
  const add = (name: string): string => git(folder.root, 'worktree', 'add', '-q', '--detach', place(folder, name))
  const { promise: isOneComplete, resolve } = Promise.withResolvers<void>()
  const stop = folder.engine.on('coverage.changed', ({ coverage }) => coverage === 'complete' && resolve())
  for (let n = 0; n < 6; n++) add(`task-${n}`)
  await isOneComplete
  stop()
  add('late')
  await until(folder, (all) => all.some(({ worktree }) => worktree === 'late'))
  expect((await states()).filter((state) => state !== 'complete').length).toBeGreaterThan(1)
})

test('[WT-2] without consent no worktree is recorded; the status offers it, and not where a person declined', async () => {
  await using folder = await repository('ask')
  const root = place(folder, 'fix')
  git(folder.root, 'worktree', 'add', '-q', '-b', 'fix', root)
  const status = () => folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(await status()).toMatchObject({ worktreeMode: 'ask', worktrees: [{ folder: root, branch: 'fix' }] })
  expect(await listed(folder)).toEqual([])
  const key = `git.worktrees/${folder.workspace}`
  await folder.engine.call('settings.set', { key, value: 'off' })
  expect(await status()).toMatchObject({ worktreeMode: 'off', worktrees: [] })
  await folder.engine.call('settings.set', { key, value: 'on' })
  expect(await until(folder, (all) => all.length === 1)).toMatchObject([{ root, branch: 'fix', removedAt: null }])
})

test('[WT-3] a removed worktree is offered with the files that are nowhere else, and every byte comes back', async () => {
  await using folder = await repository()
  const root = join(folder.root, '.claude/worktrees/fix-auth')
  git(folder.root, 'worktree', 'add', '-q', '-b', 'fix-auth', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  await recorded(folder, worktree?.id ?? '')
  mkdirSync(join(root, 'new'))
  writeFileSync(join(root, 'new/one.txt'), 'one\n')
  writeFileSync(join(root, 'a.txt'), 'changed\n')
  writeFileSync(join(root, 'committed.txt'), 'committed\n')
  git(root, 'add', 'committed.txt')
  git(root, 'commit', '-qm', 'second')
  const before = readTree(root)
  // Git's index is kept at positions.
  await folder.engine.call('checkpoint.create', { workspace: worktree?.id ?? '', label: '' })
  git(folder.root, 'worktree', 'remove', '--force', root)

  const [removed] = await until(folder, (all) => all.some(({ lost }) => lost !== null))
  expect(removed).toMatchObject({ worktree: 'fix-auth', branch: 'fix-auth', lost: 2 })
  const { removedWorktrees } = await folder.engine.call('workspace.status', {
    workspace: folder.workspace,
    check: false
  })
  expect(removedWorktrees).toEqual([removed])
  const request = { kind: 'restore', target: removed?.target ?? '', outside: 'replace' } as const
  const workspace = removed?.id ?? ''
  expect(await folder.engine.call('restore.apply', { workspace, request })).toMatchObject({ state: 'done' })
  expect(readTree(root)).toEqual(before)
  expect(git(root, 'status', '--porcelain')).toBe('M a.txt\n?? new/')
  expect(git(root, 'log', '-1', '--format=%s')).toBe('second')
  expect(await listed(folder)).toMatchObject([{ removedAt: null }])
  expect(git(folder.root, 'worktree', 'list')).toContain('[fix-auth]')
})

test.each([
  ['copied', (tx: Writable<Store>) => writeMeta(tx, 'coverage', 'partial')],
  ['read', (tx: Writable<Store>) => addPathOnce(tx, 'vanished.txt', ROOT_ID)]
] as const)(
  '[WT-3] of a worktree that was removed before all its files were %s, nobody says that they are elsewhere',
  async (_, leave) => {
    await using folder = await repository()
    const root = place(folder, 'hasty')
    git(folder.root, 'worktree', 'add', '-q', root)
    const [worktree] = await until(folder, (all) => all.length === 1)
    const id = worktree?.id ?? ''
    await recorded(folder, id)
    const store = openStore(storeFile(folder.dataDir, id))
    transact(store, (tx) => void leave(tx))
    store.close()
    git(folder.root, 'worktree', 'remove', '--force', root)
    const [removed] = await until(folder, (all) => all.some(({ removedAt }) => removedAt !== null))
    expect(removed && removedWorktreeText(removed)).toContain('before all its files were recorded')
  }
)

test('[WT-3] a worktree that git moved leaves nothing that is nowhere else, and is offered once when it is removed from there', async () => {
  await using folder = await repository()
  git(folder.root, 'worktree', 'add', '-q', '--detach', place(folder, 'before'))
  const [worktree] = await until(folder, (all) => all.length === 1)
  await recorded(folder, worktree?.id ?? '')
  writeFileSync(join(place(folder, 'before'), 'new.txt'), 'new\n')
  await folder.engine.call('drift.list', { workspace: worktree?.id ?? '', check: true })
  git(folder.root, 'worktree', 'move', place(folder, 'before'), place(folder, 'after'))
  const moved = await until(folder, (all) => all.length === 2 && all.some(({ lost }) => lost !== null))
  expect(moved.map(({ root, lost }) => [root, lost]).sort()).toEqual([
    [place(folder, 'after'), null],
    [place(folder, 'before'), 0]
  ])
  git(folder.root, 'worktree', 'remove', '--force', place(folder, 'after'))
  const removed = await until(folder, (all) => all.every(({ lost }) => lost !== null))
  expect(removed.filter(({ lost }) => lost !== 0)).toMatchObject([{ root: place(folder, 'after'), lost: 1 }])
})

test('[WT-5] a worktree that is restored after its branch was deleted, too, says which branch git lacks', async () => {
  await using folder = await repository()
  const root = place(folder, 'fix')
  git(folder.root, 'worktree', 'add', '-q', '-b', 'fix', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  const workspace = worktree?.id ?? ''
  await recorded(folder, workspace)
  writeFileSync(join(root, 'new.txt'), 'new\n')
  git(root, 'add', '.')
  git(root, 'commit', '-qm', 'second')
  await folder.engine.call('checkpoint.create', { workspace, label: '' })
  git(folder.root, 'worktree', 'remove', '--force', root)
  const [removed] = await until(folder, (all) => all.some(({ lost }) => lost !== null))
  git(folder.root, 'branch', '-qD', 'fix')
  const request = { kind: 'restore', target: removed?.target ?? '', outside: 'replace' } as const
  const { warnings } = await folder.engine.call('restore.apply', { workspace, request })
  expect(warnings.at(-1)).toEqual({ code: 'worktree-branch-gone', branch: 'fix' })
  await folder.engine.call('git.restore', { workspace: folder.workspace, names: ['fix'], all: false, dryRun: false })
  expect(git(root, 'status', '--porcelain')).toBe('')
})

test('[WT-4] files of a removed worktree are restored into the main folder, which keeps what it changed, and the undo removes them', async () => {
  await using folder = await repository()
  const root = place(folder, 'fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  await recorded(folder, worktree?.id ?? '')
  writeFileSync(join(root, 'a.txt'), 'of the worktree\n')
  writeFileSync(join(root, 'src/new.txt'), 'new\n')
  await folder.engine.call('drift.list', { workspace: worktree?.id ?? '', check: true })
  writeFileSync(join(folder.root, 'a.txt'), 'of main\n')
  await folder.check()
  rmSync(root, { recursive: true })
  const [removed] = await until(folder, (all) => all.some(({ lost }) => lost !== null))
  expect(removed).toMatchObject({ lost: 2 })

  const request = { kind: 'worktree', worktree: removed?.id ?? '' } as const
  const plan = await folder.plan(request)
  expect(plan.conflicts).toMatchObject([{ path: 'a.txt', choice: 'keep' }])
  expect(await folder.apply(request)).toMatchObject({ state: 'done' })
  const read = (name: string): string => readFileSync(join(folder.root, name), 'utf8')
  expect([read('a.txt'), read('src/new.txt')]).toEqual(['of main\n', 'new\n'])
  expect(await folder.apply(request, { 'a.txt': 'replace' })).toMatchObject({ state: 'done' })
  expect(read('a.txt')).toBe('of the worktree\n')
  await folder.apply({ kind: 'undo' })
  await folder.apply({ kind: 'undo' })
  expect(read('a.txt')).toBe('of main\n')
  expect(existsSync(join(folder.root, 'src/new.txt'))).toBe(false)
})

test('[WT-3] the history of a removed worktree is deleted once the retention time has passed', async () => {
  await using folder = await repository()
  const root = place(folder, 'fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  await recorded(folder, worktree?.id ?? '')
  rmSync(root, { recursive: true })
  await until(folder, (all) => all.some(({ lost }) => lost !== null))
  const history = join(folder.dataDir, 'w', worktree?.id ?? '')
  expect(existsSync(history)).toBe(true)
  await folder.reopen({ watch: true, clock: { ...systemClock, now: () => Date.now() + 31 * 86_400_000 } })
  await until(folder, (all) => all.length === 0)
  expect(existsSync(history)).toBe(false)
})

test('[WT-2] an agent that begins to work in a new worktree has its run there, also where nothing watched git', async () => {
  await using folder = await repository()
  await folder.reopen({ watch: false })
  const root = join(folder.root, '.claude/worktrees/task')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const input = { session_id: 's', cwd: join(root, 'src'), hook_event_name: 'UserPromptSubmit', prompt: 'fix it' }
  const event = toHookEvent('claude-code', { event: 'UserPromptSubmit', input }, { project: root })
  expect(await folder.engine.callUntyped('agent.event', event)).toMatchObject({ ingested: true })
  const [worktree] = await listed(folder)
  expect(worktree).toMatchObject({ root })
  const { entries } = await folder.engine.call('timeline.list', { workspace: worktree?.id ?? '', limit: 5 })
  expect(entries).toMatchObject([{ kind: 'run', title: 'fix it' }])
})

/** Makes that many worktrees, writes in them while they are being recorded, removes them, and restores each. */
async function madeWrittenAndRemoved(count: number): Promise<void> {
  await using folder = await repository()
  const roots = Array.from({ length: count }, (_, n) => place(folder, `short-${n}`))
  for (const root of roots) git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const worktrees = await until(folder, (all) => all.length === count)
  // While they are being recorded.
  for (const root of roots) {
    for (let n = 0; n < 40; n++) {
      mkdirSync(join(root, `new/${n % 4}`), { recursive: true })
      writeFileSync(join(root, `new/${n % 4}/${n}.txt`), `${root} ${n}\n`.repeat(n + 1))
    }
    writeFileSync(join(root, 'a.txt'), `changed in ${root}\n`)
  }
  const before = roots.map((root) => readTree(root))
  for (const { id } of worktrees) await recorded(folder, id)
  for (const root of roots) git(folder.root, 'worktree', 'remove', '--force', root)
  const removed = await until(folder, (all) => all.every(({ lost }) => lost !== null))
  expect(removed.map(({ lost }) => lost)).toEqual(roots.map(() => 41))
  for (const { id, target } of removed) {
    const request = { kind: 'restore', target, outside: 'replace' } as const
    const result = await folder.engine.call('restore.apply', { workspace: id, request })
    expect(result).toMatchObject({ state: 'done', warnings: [{ code: 'creates-folder' }] })
  }
  expect(roots.map((root) => readTree(root))).toEqual(before)
}

test('[WT-3] a worktree that is made, written and removed at once has every byte back', () => madeWrittenAndRemoved(1))

test(
  '[WT-3] twenty worktrees that are made, written and removed at once have every byte back',
  { tags: ['long'], timeout: limitFor(100) },
  () => madeWrittenAndRemoved(20)
)

test('[WT-3] [RS-22] a removed worktree is one again, too, after a restore that waited in the queue', async () => {
  await using folder = await repository()
  const root = join(folder.root, '.claude/worktrees/fix')
  git(folder.root, 'worktree', 'add', '-q', '--detach', root)
  const [worktree] = await until(folder, (all) => all.length === 1)
  await recorded(folder, worktree?.id ?? '')
  git(folder.root, 'worktree', 'remove', '--force', root)
  const [removed] = await until(folder, (all) => all.some(({ lost }) => lost !== null))
  const { promise, resolve } = Promise.withResolvers<void>()
  folder.engine.on('restore.queue-ended', () => resolve())
  const request = { kind: 'restore', target: removed?.target ?? '', outside: 'replace' } as const
  await folder.engine.call('restore.queue', { workspace: removed?.id ?? '', request })
  await promise
  expect(git(folder.root, 'worktree', 'list', '--porcelain')).toContain(root)
  expect(await listed(folder)).toMatchObject([{ root, removedAt: null }])
})

test('[WT-5] a worktree that is restored where git has another of its name, or cannot be given its link, is a plain folder, and the result says so', async () => {
  await using folder = await repository()
  const at = (name: string): string => join(folder.root, '.claude/worktrees', name)
  for (const name of ['fix', 'task']) git(folder.root, 'worktree', 'add', '-q', '--detach', at(name))
  for (const { id } of await until(folder, (all) => all.length === 2)) {
    await recorded(folder, id)
  }
  for (const { id, root } of await listed(folder)) {
    writeFileSync(join(root, 'new.txt'), 'new\n')
    await folder.engine.call('drift.list', { workspace: id, check: true })
    git(folder.root, 'worktree', 'remove', '--force', root)
  }
  const removed = await until(folder, (all) => all.every(({ lost }) => lost !== null))
  const restored = async (name: string): Promise<RestoreResult> => {
    const { id = '', target = '' } = removed.find(({ worktree }) => worktree === name) ?? {}
    const request = { kind: 'restore', target, outside: 'replace' } as const
    const result = await folder.engine.call('restore.apply', { workspace: id, request })
    expect(result.state).toBe('done')
    expect(readFileSync(join(at(name), 'new.txt'), 'utf8')).toBe('new\n')
    expect(existsSync(join(at(name), '.git'))).toBe(false)
    return result
  }
  git(folder.root, 'worktree', 'add', '-q', '--detach', place(folder, 'fix'))
  expect((await restored('fix')).warnings.at(-1)).toEqual({ code: 'no-worktree-link', why: 'name-taken' })
  rmSync(join(folder.root, '.git/worktrees'), { recursive: true })
  writeFileSync(join(folder.root, '.git/worktrees'), 'in the way')
  expect((await restored('task')).warnings.at(-1)).toEqual({ code: 'no-worktree-link', why: 'not-written' })
})
