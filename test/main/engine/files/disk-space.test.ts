/** A data folder whose disk is nearly full: recording stops visibly, and changes made meanwhile are found later. */
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDisk } from '../../../../src/main/engine/drift/check.ts'
import { createEngine } from '../../../../src/main/engine/engine.ts'
import { createDiskSpace, ENOUGH, FLOOR } from '../../../../src/main/engine/files/disk-space.ts'
import { PROJECT, recordedEvents, replay } from '../../../support/agent-replay.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { TEST_PROGRAMS } from '../../../support/programs.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'
import { manualClock } from '../watch/manual-clock.ts'

test('recording stops below the floor and resumes only well above it', () => {
  let free = FLOOR + 1
  const space = createDiskSpace('/', manualClock(), () => free)
  const low = (bytes: number): boolean => {
    free = bytes
    return space.measure().low
  }
  expect([low(FLOOR + 1), low(FLOOR - 1), low(FLOOR + 1), low(ENOUGH - 1), low(ENOUGH), low(FLOOR)]).toEqual([
    false,
    true,
    true,
    true,
    false,
    false
  ])
  expect(low(0)).toBe(true)
})

test('after a write that failed for lack of space, recording pauses whatever the system reports', () => {
  const clock = manualClock()
  const space = createDiskSpace('/', clock, () => null)
  space.reportFull()
  expect(space.measure().low).toBe(true)
  clock.advance(30_000)
  expect(space.measure()).toEqual({ free: 0, low: false })
})

test('[UI-1] [LG-2] a nearly full disk stops recording visibly; changes made meanwhile are recorded afterwards', async () => {
  let free = 9e9
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' }, freeBytes: () => free })
  const status = () => folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect((await status()).disk).toEqual({ free: 9e9, low: false })
  const run = await folder.engine.call('run.begin', {
    workspace: folder.workspace,
    title: 'continues',
    agent: 'test',
    pid: process.pid,
    pidStart: ''
  })
  free = FLOOR - 1
  writeFiles(folder.root, { a: 'two' })
  rmSync(join(folder.root, 'b'))
  const low = await status()
  expect([low.disk.low, low.recording, low.head]).toEqual([true, false, 0])
  expect(low.watcher.why).toEqual({ code: 'disk-full' })
  const begin = { workspace: folder.workspace, title: 'x', agent: 'test', pid: process.pid, pidStart: '' }
  await expect(folder.engine.call('run.begin', begin)).rejects.toMatchObject({ code: 'DiskFull' })
  await expect(folder.checkpoint()).rejects.toMatchObject({ code: 'DiskFull' })
  await expect(folder.plan({ kind: 'restore', target: 'seq:0' })).rejects.toMatchObject({ code: 'DiskFull' })
  // The run can end meanwhile; it warns that edits may be missing.
  const ended = await folder.engine.call('run.end', { workspace: folder.workspace, run: run.run, exitCode: 0 })
  expect(ended.warnings).toEqual([{ code: 'incomplete' }])
  free = 9e9
  const after = await status()
  expect([after.disk.low, after.head]).toEqual([false, 2])
  expect(after.drift.flatMap((drift) => drift.paths)).toEqual(['a', 'b'])
  expect(after.drift[0]?.cause, 'as after any time without recording').toBe('offline')
  expect((await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('one')
})

test('[RC-4] the host resumes recording by itself when there is space again, and reserves some for the next time', async () => {
  let free = 9e9
  await using folder = await recordedFolder({ files: { a: 'one' }, watch: true, freeBytes: () => free })
  const head = async (): Promise<number> =>
    (await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })).head
  await expect.poll(async () => (await status()).watcher.state, { timeout: 10_000 }).toBe('live')
  const reported: boolean[] = []
  folder.engine.on('workspace.changed', async () => reported.push((await status()).disk.low))
  free = 0
  await expect.poll(() => reported.includes(true), { timeout: 10_000 }).toBe(true)
  writeFiles(folder.root, { a: 'two', c: 'new' })
  await folder.check()
  expect(await head()).toBe(0)
  const reserve = join(folder.dataDir, 'reserve')
  expect(existsSync(reserve)).toBe(false)
  free = 9e9
  await expect.poll(head, { timeout: 10_000 }).toBe(2)
  await expect
    .poll(() => statSync(reserve, { throwIfNoEntry: false })?.size, { timeout: 10_000 })
    .toBeGreaterThan(1_000_000)

  function status() {
    return folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })
  }
})

test('[LG-2] SQLite itself runs out of space: the check pauses recording, records nothing partially, and the next check records it all', async () => {
  const clock = { now: () => time, setTimeout: () => () => {} }
  let time = Date.now()
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await using open = openRecorder(folder.dataDir, folder.workspace, clock)
  const { store, space } = open.recorder
  const check = () => open.recorder.lock.run(() => checkDisk(open.recorder, 'position'))
  await check()
  const pages = store.db.pragma('page_count', { simple: true }) as number
  store.db.pragma(`max_page_count = ${pages + 4}`)
  writeFiles(folder.root, { a: randomBytes(400_000) })
  await check()
  expect(space.measure().low).toBe(true)
  expect(store.records.lastSeq()).toBe(0)
  store.db.pragma('max_page_count = 1000000')
  await check()
  expect(store.records.lastSeq(), 'recording is paused').toBe(0)
  time += 31_000
  await check()
  expect(store.records.lastSeq()).toBe(1)
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

async function stopsAndContinues(files: number): Promise<void> {
  let free = 9e9
  using temp = tempFolder()
  const root = join(temp.path, 'project')
  mkdirSync(root)
  writeFiles(
    root,
    Object.fromEntries(Array.from({ length: files }, (_, i) => [`f${i % 40}/${i}`, `text ${i}\n`.repeat(200)]))
  )
  const dataDir = join(temp.path, 'data')
  const options = { home: temp.path, host: 'server', watch: true, programs: { ingest: TEST_PROGRAMS.copier } } as const
  const engine = await createEngine({ dataDir, ...options, freeBytes: () => free })
  try {
    // At its first report; each of its reports has the disk measured before.
    const off = engine.on('coverage.changed', ({ copy }) => {
      if (copy) free = FLOOR - 1
    })
    await expect(engine.call('workspaces.add', { folder: root, wait: true })).rejects.toMatchObject({
      code: 'DiskFull'
    })
    off()
    const { workspaces } = await engine.call('workspaces.list', {})
    const workspace = workspaces[0]?.id as string
    expect(workspaces[0]?.coverage).toBe('partial')
    const coverage = async () => (await engine.call('workspace.status', { workspace, check: false })).coverage
    const completed = Promise.withResolvers<void>()
    engine.on('coverage.changed', (change) => {
      if (change.coverage === 'complete') completed.resolve()
    })
    free = 9e9
    // A call has the disk measured.
    await expect.poll(coverage).not.toBe('partial')
    await completed.promise
    const { covered } = await engine.call('coverage.list', { workspace })
    expect(covered.files).toBe(files)
  } finally {
    await engine.close()
  }
}

test('an initial snapshot stops before the disk is full, and continues by itself when there is space again', () =>
  // Few enough to be copied by this process: another one may have to wait for a busy computer.
  stopsAndContinues(600))

test('so does one that a process of its own takes', { tags: ['long'] }, () => stopsAndContinues(3000))

test('[GW-1] [UI-1] an agent continues undisturbed on a full disk: its run exists, is marked incomplete, and its edits are found later', async () => {
  let free = 0
  await using folder = await recordedFolder({ files: PROJECT, freeBytes: () => free })
  const { workspace } = folder
  await replay(folder, 'claude-code', recordedEvents('claude', folder.root))
  const runs = async () => (await folder.engine.call('timeline.list', { workspace, limit: 9, kinds: ['run'] })).entries
  expect(await runs()).toMatchObject([{ state: 'ended', incomplete: true, files: 0 }])
  const written = readTree(folder.root)
  free = 9e9
  await folder.check()
  const { drift } = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(drift[0]?.paths).toContain('app.txt')
  await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(PROJECT['app.txt'])
  await folder.apply({ kind: 'undo' })
  expect(readTree(folder.root)).toEqual(written)
})
