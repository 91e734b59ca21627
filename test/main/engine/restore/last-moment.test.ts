/** What happens when the folder changes under a restore: between plan and apply, and at its named moments. */
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import type { ApplyPoint } from '../../../../src/main/engine/restore/apply-state.ts'
import { cutOffRestore, openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { readTree, remove, type Tree, writeFiles } from '../../../support/tree.ts'

const temps = (root: string): string[] => Object.keys(readTree(root)).filter((path) => path.includes('.driftline-'))

/** Applies `act` and changes the folder at one moment of it. */
async function applyWhile(folder: RecordedFolder, request: RestoreRequest, at: ApplyPoint, meddle: () => void) {
  await using open = openRecorder(folder.dataDir, folder.workspace)
  return await open.restore({
    request,
    point: (point) => {
      if (point === at) meddle()
    }
  })
}

async function noProblems(folder: RecordedFolder): Promise<void> {
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
}

test('[RS-2] a file that changed since the preview makes the plan stale, and nothing is written', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const request: RestoreRequest = { kind: 'restore', target: run }
  const { plan } = await folder.plan(request)
  writeFileSync(join(folder.root, 'b'), 'mine')
  const before = folder.tree()
  const { workspace } = folder
  await expect(folder.engine.call('restore.apply', { workspace, request, plan })).rejects.toMatchObject({
    code: 'PlanStale',
    data: { plan: { plan: expect.not.stringMatching(`^${plan}$`) } }
  })
  expect(folder.tree()).toEqual(before)
})

test('[RS-2] a path nobody touches may change between preview and apply', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', other: 'x' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const request: RestoreRequest = { kind: 'undo-run', run }
  const { plan } = await folder.plan(request)
  writeFiles(folder.root, { other: 'y' })
  const { workspace } = folder
  expect((await folder.engine.call('restore.apply', { workspace, request, plan })).state).toBe('done')
  expect(folder.tree()).toMatchObject({ a: expect.stringContaining(Buffer.from('one').toString('base64')) })
})

test.each<[string, (root: string) => void]>([
  ['is edited', (root) => writeFileSync(join(root, 'd/b'), 'mine')],
  ['is deleted', (root) => remove(root, 'd/b')],
  [
    'becomes a folder',
    (root) => {
      remove(root, 'd/b')
      mkdirSync(join(root, 'd/b'))
    }
  ],
  [
    'becomes a link',
    (root) => {
      remove(root, 'd/b')
      symlinkSync('a', join(root, 'd/b'))
    }
  ],
  ['gets another mode', (root) => chmodSync(join(root, 'd/b'), 0o600)],
  ['appears where it was absent', (root) => writeFileSync(join(root, 'd/back'), 'mine')],
  ['has its folder renamed', (root) => renameSync(join(root, 'd'), join(root, 'moved'))]
])(
  '[B14] [RS-2] [RS-4] a path that %s while files are staged refuses the restore with nothing written',
  async (_, meddle) => {
    await using folder = await recordedFolder({ files: { 'd/a': 'one', 'd/b': 'one', 'd/back': 'b' } })
    const run = await folder.run('edit', () => {
      writeFiles(folder.root, { 'd/a': 'two', 'd/b': 'two' })
      remove(folder.root, 'd/back')
    })
    let meddled: Tree = {}
    const done = applyWhile(folder, { kind: 'undo-run', run }, 'staged', () => {
      meddle(folder.root)
      meddled = Object.fromEntries(
        Object.entries(readTree(folder.root)).filter(([path]) => !path.includes('.driftline-'))
      )
    })
    await expect(done).rejects.toMatchObject({ code: 'PlanStale' })
    const now = Object.fromEntries(
      Object.entries(folder.tree()).filter(([path]) => !path.startsWith('moved/.driftline'))
    )
    expect(now).toEqual(meddled)
    await noProblems(folder)
  }
)

const many = (text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`d/${n}`, text]))

test('[RS-2] a folder that is deleted while its files are staged makes the plan stale, and nothing is written', async () => {
  await using folder = await recordedFolder({ files: { ...many('one'), e: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { ...many('two'), e: 'two' }))
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const applied = open.restore({
    request: { kind: 'undo-run', run },
    progress: (_, phase, done) => {
      if (phase === 'stage' && done === 1) remove(folder.root, 'd')
    }
  })
  await expect(applied).rejects.toMatchObject({ code: 'PlanStale' })
  expect(Object.keys(folder.tree())).toEqual(['e'])
})

test('[RS-2] a file that gets another owner while it is staged makes the plan stale', { tags: ['root'] }, async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const given = applyWhile(folder, { kind: 'undo-run', run }, 'staged', () =>
    chownSync(join(folder.root, 'a'), 1234, 1235)
  )
  await expect(given).rejects.toMatchObject({ code: 'PlanStale' })
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(statSync(join(folder.root, 'a'))).toMatchObject({ uid: 1234, gid: 1235 })
})

test('other work goes on while very many files are staged', async () => {
  await using folder = await recordedFolder({ files: many('one') })
  const run = await folder.run('edit', () => writeFiles(folder.root, many('two')))
  await using open = openRecorder(folder.dataDir, folder.workspace)
  let isStaging = false
  let turns = 0
  const turn = (): void => {
    if (!isStaging) return
    turns++
    setImmediate(turn)
  }
  await open.restore({
    request: { kind: 'undo-run', run },
    progress: (_, phase, done, total) => {
      if (phase === 'stage' && done === 1) setImmediate(turn)
      isStaging = phase === 'stage' && done < total
    }
  })
  expect(turns).toBeGreaterThan(0)
})

test('[RS-5] a file edited after the last check is not touched, and the restore is partial', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'checked', () =>
    writeFileSync(join(folder.root, 'b'), 'mine')
  )
  expect(result.state).toBe('partial')
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['a', 'done'],
    ['b', 'failed']
  ])
  expect(readFileSync(join(folder.root, 'b'), 'utf8')).toBe('mine')
  expect(temps(folder.root)).toEqual([])
  await noProblems(folder)
})

test('[RS-5] a file that was to be deleted, or to give way to a folder, and is edited after the last check is not touched', async () => {
  await using folder = await recordedFolder({ files: { 'x/in': 'in', y: 'one' } })
  const run = await folder.run('edit', () => {
    remove(folder.root, 'x')
    writeFiles(folder.root, { x: 'a file', added: 'a', y: 'two' })
  })
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'checked', () =>
    writeFiles(folder.root, { x: 'my file', added: 'mine' })
  )
  const reasons = Object.fromEntries(result.items.map(({ path, result, reason }) => [path, reason?.code ?? result]))
  expect([result.state, reasons]).toMatchObject(['partial', { added: 'changed', x: 'changed', y: 'done' }])
  expect(['x', 'added', 'y'].map((path) => readFileSync(join(folder.root, path), 'utf8'))).toEqual([
    'my file',
    'mine',
    'one'
  ])
  expect(temps(folder.root)).toEqual([])
  await noProblems(folder)
})

test('[RS-5] a file changed before it is read back is reported as failed, never as done', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'removed', () =>
    writeFileSync(join(folder.root, 'b'), 'mine')
  )
  expect([result.state, result.items.find((item) => item.path === 'b')?.result]).toEqual(['partial', 'failed'])
  await folder.check()
  const versions = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'b' })
  expect(versions.versions[0], 'what was written over it is recorded').toMatchObject({ size: 4 })
  await noProblems(folder)
})

test('[RS-2] a file that is replaced before its permissions are set keeps those that it has', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { a: 'one', m: { bytes: 'm', mode: 0o644 } } })
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two' })
    chmodSync(join(folder.root, 'm'), 0o755)
  })
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'removed', () => {
    writeFiles(folder.root, { mine: { bytes: 'm', mode: 0o755 } })
    renameSync(join(folder.root, 'mine'), join(folder.root, 'm'))
  })
  expect(result.items.map(({ path, result, reason }) => [path, result, reason])).toEqual([
    ['a', 'done', undefined],
    ['m', 'failed', { code: 'changed' }]
  ])
  expect(statSync(join(folder.root, 'm')).mode & 0o777).toBe(0o755)
})

test('[RS-5] whatever differs when it is read back is failed, with the difference', { tags: ['posix'] }, async () => {
  await using folder = await recordedFolder({
    files: { content: 'one', kind: 'one', link: { link: 'one' }, mode: 'one', missing: 'one' }
  })
  const all = ['content', 'kind', 'link', 'mode', 'missing']
  const run = await folder.run('edit', () => {
    remove(folder.root, ...all)
    writeFiles(folder.root, { added: 'a' })
  })
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'modes', () => {
    remove(folder.root, 'kind', 'link', 'missing')
    writeFiles(folder.root, { content: 'two', 'kind/in': '', link: { link: 'two' }, added: 'b' })
    chmodSync(join(folder.root, 'mode'), 0o600)
  })
  expect(result.state).toBe('failed')
  expect(Object.fromEntries(result.items.map(({ path, reason }) => [path, reason]))).toEqual({
    added: { code: 'still-there' },
    content: { code: 'other-content' },
    kind: { code: 'other-kind', kind: 'dir', wanted: 'file' },
    link: { code: 'other-link' },
    missing: { code: 'missing' },
    mode: { code: 'other-mode' }
  })
})

test('[RS-5] a large file that is touched while it is read back is read again from its first byte', async () => {
  const large = 'line\n'.repeat(400_000)
  await using folder = await recordedFolder({ files: { large } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { large: 'short' }))
  const { readSync } = fs
  let touched = false
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'modes', () => {
    // Node cannot run two programs in one thread, so the other program acts between two reads of this one.
    fs.readSync = ((...args: Parameters<typeof readSync>) => {
      if (!touched) fs.utimesSync(join(folder.root, 'large'), 1, 1)
      touched = true
      return readSync(...args)
    }) as typeof readSync
    syncBuiltinESMExports()
  }).finally(() => {
    fs.readSync = readSync
    syncBuiltinESMExports()
  })
  expect([touched, result.state, result.items]).toMatchObject([true, 'done', [{ path: 'large', result: 'done' }]])
  expect(readFileSync(join(folder.root, 'large'), 'utf8')).toBe(large)
})

test('[RS-4] a folder to delete is kept, with a reason, if a file appears in it at the last moment', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('add', () => writeFiles(folder.root, { 'new/a': 'a', 'new/b': 'b' }))
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'checked', () =>
    writeFileSync(join(folder.root, 'new/mine'), 'mine')
  )
  const item = result.items.find((one) => one.path === 'new')
  expect([item?.result, item?.reason]).toEqual(['kept', { code: 'not-empty', name: 'mine' }])
  expect(Object.keys(folder.tree())).toEqual(['keep', 'new', 'new/mine'])
  await noProblems(folder)
})

test('[RS-4] content that appeared in a folder that a file replaces is kept under a visible name', async () => {
  await using folder = await recordedFolder({ files: { x: 'file' } })
  const run = await folder.run('swap', () => {
    remove(folder.root, 'x')
    writeFiles(folder.root, { 'x/inside': 'i' })
  })
  const result = await applyWhile(folder, { kind: 'undo-run', run }, 'checked', () =>
    writeFileSync(join(folder.root, 'x/mine'), 'mine')
  )
  expect(temps(folder.root)).toEqual([])
  const contents = Object.entries(folder.tree()).filter(([, what]) =>
    what.includes(Buffer.from('mine').toString('base64'))
  )
  expect(contents, 'the bytes are still in the folder').toHaveLength(1)
  expect(readFileSync(join(folder.root, 'x'), 'utf8')).toBe('file')
  expect(result.items.find((item) => item.path === 'x')?.reason).toEqual({ code: 'kept-beside', name: 'x.kept' })
  await folder.check()
  const { covered } = await folder.engine.call('coverage.list', { workspace: folder.workspace })
  expect(covered.files, 'and recorded').toBe(2)
  await noProblems(folder)
})

test('[RS-5] a file that appears where a folder was moved aside is not replaced', async () => {
  await using folder = await recordedFolder({ files: { x: 'a file', y: 'one' } })
  const run = await folder.run('edit', () => {
    remove(folder.root, 'x')
    writeFiles(folder.root, { 'x/in': 'in', y: 'two' })
  })
  const { state } = await applyWhile(folder, { kind: 'undo-run', run }, 'aside', () =>
    writeFileSync(join(folder.root, 'x'), 'mine')
  )
  expect(state).toBe('partial')
  expect(['x', 'y'].map((path) => readFileSync(join(folder.root, path), 'utf8'))).toEqual(['mine', 'one'])
  expect(temps(folder.root)).toEqual([])
  await noProblems(folder)
})

test('[RS-4] a folder with unrecorded content is not replaced by a file', async () => {
  await using folder = await recordedFolder({ files: { x: 'file' } })
  const run = await folder.run('swap', () => {
    remove(folder.root, 'x')
    writeFiles(folder.root, { 'x/inside': 'i' })
  })
  mkdirSync(join(folder.root, 'x/.git'))
  writeFileSync(join(folder.root, 'x/.git/config'), 'mine')
  const result = await folder.apply({ kind: 'undo-run', run })
  expect([result.state, result.refusal]).toEqual(['refused', expect.stringContaining('.git')])
  expect(readFileSync(join(folder.root, 'x/.git/config'), 'utf8')).toBe('mine')
  expect(readFileSync(join(folder.root, 'x/inside'), 'utf8')).toBe('i')
  await noProblems(folder)
})

/** A folder of every action below `p`; `p` is replaced by a link to a folder outside that looks the same. */
async function behindLink(at: ApplyPoint | 'before') {
  const folder = await recordedFolder({
    files: {
      'p/edit': 'one',
      'p/mode': { bytes: 'm', mode: 0o644 },
      'p/back': 'b',
      'p/newdir/x': 'x',
      'p/swap': 'was a file',
      'p/dirswap/y': 'y',
      'p/sub': null
    }
  })
  const run = await folder.run('all', () => {
    remove(folder.root, 'p/back', 'p/newdir', 'p/swap', 'p/dirswap', 'p/edit')
    writeFiles(folder.root, {
      'p/edit': 'two',
      'p/added': 'a',
      'p/swap/in': 'in',
      'p/dirswap': 'file',
      'p/addeddir': null
    })
    chmodSync(join(folder.root, 'p/mode'), 0o755)
    chmodSync(join(folder.root, 'p/sub'), 0o700)
  })
  const outside = join(dirname(folder.root), 'outside')
  writeFiles(outside, {
    edit: 'theirs',
    mode: { bytes: 'm', mode: 0o755 },
    added: 'theirs',
    'swap/in': 'theirs',
    dirswap: 'theirs',
    addeddir: null,
    sub: null
  })
  chmodSync(join(outside, 'sub'), 0o700)
  const meddle = (): void => {
    renameSync(join(folder.root, 'p'), join(folder.root, 'p-moved'))
    symlinkSync('../outside', join(folder.root, 'p'))
  }
  const before = readTree(outside)
  const act: RestoreRequest = { kind: 'undo-run', run, onConflict: 'replace' }
  if (at === 'before') meddle()
  const done = at === 'before' ? folder.apply(act) : applyWhile(folder, act, at, meddle)
  const end = await done.then(
    (result) => result.state,
    (error: { code: string }) => error.code
  )
  return { folder, outside: readTree(outside), before, end }
}

/** Before, between and after the changes; each moment in the long form. */
const MOMENTS: readonly (ApplyPoint | 'before')[] = LONG
  ? ['before', 'staged', 'checked', 'aside', 'placed:1', 'placed', 'removed']
  : ['before', 'checked', 'placed:1', 'removed']

test.each(MOMENTS)(
  '[CP-4] a folder replaced by a link out of the workspace (%s) never lets a restore touch what lies behind it',
  async (at) => {
    const { folder, outside, before, end } = await behindLink(at)
    await using recorded = folder
    expect(outside).toEqual(before)
    expect(end).not.toBe('Bug')
    if (end === 'interrupted') {
      await recorded.apply({ kind: 'recover', how: 'finish' }, {})
      expect(readTree(join(dirname(recorded.root), 'outside')), 'nor does its recovery').toEqual(before)
    }
    await recorded.check()
    // What was staged in the folder that is elsewhere now is named.
    const { problems } = await recorded.engine.call('doctor.run', { deep: true })
    expect(problems.filter(({ code }) => code !== 'TemporaryFiles')).toEqual([])
  }
)

test('[RS-3] the guard and the journal are on disk before the first file changes', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  let guards: unknown[] = []
  await applyWhile(folder, { kind: 'undo-run', run }, 'checked', () => {
    guards = folder.store((store) =>
      store.db
        .prepare("SELECT c.reason FROM restore r JOIN checkpoint c ON c.id = r.guard WHERE r.state = 'applying'")
        .all()
    )
    expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('two')
  })
  expect(guards).toEqual([{ reason: 'pre_restore_guard' }])
})

test('[RS-4] each folder in which a name came or went is durable before anything is read back', {
  tags: ['posix']
}, async () => {
  const folders = ['placed', 'made', 'removed', 'swapped']
  await using folder = await recordedFolder({
    files: { 'placed/a': 'one', 'made/d': null, 'removed/a': 'one', 'swapped/x': 'a file' }
  })
  const { root } = folder
  const run = await folder.run('edit', () => {
    remove(root, 'made/d', 'swapped/x')
    writeFiles(root, { 'placed/a': 'two', 'removed/b': 'b', 'swapped/x/in': 'in' })
  })
  const handle = await open(root)
  const prototype = Object.getPrototypeOf(handle) as { sync(this: FileHandle): Promise<void> }
  await handle.close()
  const { sync } = prototype
  const synced = new Set<number>()
  prototype.sync = async function () {
    await sync.call(this)
    synced.add((await this.stat()).ino)
  }
  let missing = folders
  try {
    await applyWhile(folder, { kind: 'undo-run', run }, 'verified', () => {
      missing = folders.filter((path) => !synced.has(statSync(join(root, path)).ino))
    })
  } finally {
    prototype.sync = sync
  }
  expect(missing).toEqual([])
})

test('[A8] [RS-4] a restore that fails after its first change is interrupted, not refused, and can be recovered at once', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const broken = applyWhile(folder, { kind: 'undo-run', run }, 'placed:1', () => {
    throw new Error('a failure nobody expected')
  })
  await expect(broken).rejects.toThrow('nobody expected')
  const { workspace } = folder
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(status.interruptedRestore).toMatchObject({ written: 1, total: 2 })
  const result = await folder.apply({ kind: 'recover', how: 'undo' })
  expect(result.state).toBe('done')
  expect([readFileSync(join(folder.root, 'a'), 'utf8'), readFileSync(join(folder.root, 'b'), 'utf8')]).toEqual([
    'two',
    'two'
  ])
  expect(temps(folder.root)).toEqual([])
  await noProblems(folder)
})

test('[RS-7] a restore that fails while the history cannot be written says why, and can be recovered once it can', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  await using open = openRecorder(folder.dataDir, folder.workspace)
  const { db } = open.recorder.store
  const broken = open.restore({
    request: { kind: 'undo-run', run },
    point: (point) => {
      if (point !== 'placed:1') return
      db.pragma('query_only = ON')
      throw new Error('a failure nobody expected')
    }
  })
  await expect(broken).rejects.toThrow('nobody expected')
  db.pragma('query_only = OFF')
  expect((await folder.apply({ kind: 'recover', how: 'finish' })).state).toBe('done')
  expect(['a', 'b'].map((path) => readFileSync(join(folder.root, path), 'utf8'))).toEqual(['one', 'one'])
  await noProblems(folder)
})

test('[RS-7] [DR-4] what others wrote during an interrupted restore is an outside change with its files counted', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two', c: 'two' }))
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:1')
  writeFiles(folder.root, { b: 'mine', c: 'mine' })
  const { engine, workspace } = folder
  await folder.apply({ kind: 'recover', how: 'finish' })
  const { drift } = await engine.call('drift.list', { workspace, check: false })
  expect(drift.map(({ state, count, paths }) => ({ state, count, paths }))).toEqual([
    { state: 'open', count: 2, paths: ['b', 'c'] }
  ])
})

test('[RS-7] a restore whose engine crashed can be recovered by the next one of the same process', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:1')
  // The owner of a crashed engine is in its process, which goes on, and nothing says that it was interrupted.
  folder.store((store) => store.db.exec("UPDATE restore SET state = 'applying'"))
  const { workspace } = folder
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(status.interruptedRestore).toMatchObject({ written: 1, total: 2 })
  expect((await folder.apply({ kind: 'recover', how: 'undo' })).state).toBe('done')
})

test('[RS-7] the status of an interrupted restore reads no file, however large', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const broken = applyWhile(folder, { kind: 'undo-run', run }, 'placed:1', () => {
    throw new Error('a failure nobody expected')
  })
  await expect(broken).rejects.toThrow('nobody expected')
  writeFiles(folder.root, { b: 'a file too large to be passed on in one piece\n'.repeat(100_000) })
  const { workspace } = folder
  const { openSync } = fs
  const opened: string[] = []
  fs.openSync = ((...args: Parameters<typeof openSync>) => {
    opened.push(basename(String(args[0])))
    return openSync(...args)
  }) as typeof openSync
  syncBuiltinESMExports()
  const status = await folder.engine.call('workspace.status', { workspace, check: false }).finally(() => {
    fs.openSync = openSync
    syncBuiltinESMExports()
  })
  expect(status.interruptedRestore).toMatchObject({ written: 1, total: 2 })
  expect(opened.filter((name) => name === 'a' || name === 'b')).toEqual([])
})

test('[RS-4] a restore refused before its first change leaves no file of ours', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const before = folder.tree()
  await expect(
    applyWhile(folder, { kind: 'undo-run', run }, 'checked', () => {
      throw new Error('stop here')
    })
  ).rejects.toThrow('stop here')
  expect(folder.tree()).toEqual(before)
  expect(existsSync(join(folder.root, 'a'))).toBe(true)
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
})

test('[RS-4] doctor names the temporary files in a folder that was moved during a restore', async () => {
  await using folder = await recordedFolder({ files: { 'd/a': 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { 'd/a': 'two', b: 'two' }))
  const moved = applyWhile(folder, { kind: 'restore', target: run }, 'staged', () => {
    renameSync(join(folder.root, 'd'), join(folder.root, 'moved'))
    symlinkSync('/', join(folder.root, 'd'))
  })
  await expect(moved).rejects.toMatchObject({ code: 'PlanStale' })
  await folder.check()
  const left = temps(folder.root)
  expect(left).toEqual([expect.stringMatching(/^moved\/\.driftline-rst_/)])
  const { problems } = await folder.engine.call('doctor.run', { deep: true })
  expect(problems).toEqual([{ workspace: folder.root, code: 'TemporaryFiles', paths: left, count: 1 }])
  remove(folder.root, left[0] as string)
  await noProblems(folder)
})
