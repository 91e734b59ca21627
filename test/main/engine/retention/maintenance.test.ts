/** Maintenance: the recorder keeps history within its limits when it is idle, and frees disk space later while a reader prevents it. */
import { randomBytes } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import type { Clock } from '../../../../src/main/engine/ports/clock.ts'
import { storeFile } from '../../../../src/main/engine/workspaces/store-file.ts'
import { openRecorder } from '../../../support/crash-recorder.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const DAY = 86_400_000

/** A clock with real timers and a shifted time of day. */
function shifted(): Clock & { ahead: number } {
  const clock = {
    ahead: 0,
    now: () => Date.now() + clock.ahead,
    setTimeout: (fn: () => void, ms: number) => {
      const timer = setTimeout(fn, ms)
      return () => clearTimeout(timer)
    }
  }
  return clock
}

async function withHistory(clock: Clock): Promise<RecordedFolder> {
  const folder = await recordedFolder({ files: { a: 'one' }, clock })
  for (let i = 0; i < 4; i++) {
    writeFiles(folder.root, { a: randomBytes(3_000_000) })
    await folder.check()
  }
  return folder
}

const status = (folder: RecordedFolder) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })

test('closing a folder waits for its sweep, also when another one was refused meanwhile', async () => {
  const clock = shifted()
  await using folder = await withHistory(clock)
  clock.ahead = 31 * DAY
  const open = openRecorder(folder.dataDir, folder.workspace, clock)
  const [first, second] = [1, 2].map(() => open.recorder.sweep({ budget: 2e9, days: 30 }))
  await open[Symbol.asyncDispose]()
  expect((await second)?.note).toEqual({ code: 'running' })
  expect((await first)?.note).not.toEqual({ code: 'running' })
})

test('old content that no checkpoint needs is evicted, and the file gets smaller', async () => {
  const clock = shifted()
  await using folder = await withHistory(clock)
  await folder.run('late', () => writeFiles(folder.root, { b: 'x' }))
  const before = await status(folder)
  // Three of the four versions, and the initial one; usage is known without reading all contents.
  expect(before.store.historyBytes).toBeGreaterThan(8_999_000)
  expect(before.store.historyBytes).toBeLessThan(9_010_000)
  const early = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(early.versions, 'nothing is old yet').toBe(0)
  clock.ahead = 31 * DAY
  const dry = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: true })
  const done = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(done.pruned).toEqual([{ code: 'older', path: 'a', versions: 4 }])
  expect([dry.versions, dry.pruned]).toEqual([done.versions, done.pruned])
  expect(Math.abs(dry.freedBytes - done.freedBytes)).toBeLessThan(500_000)
  const after = await status(folder)
  expect(after.store.historyBytes).toBe(0)
  expect(before.store.bytes - after.store.bytes).toBeGreaterThan(8_900_000)
  expect(after.store.headBytes).toBeGreaterThan(2_900_000)
})

test('[UI-1] evicted content is reported everywhere: diff, cat, history, checkpoints', async () => {
  const clock = shifted()
  await using folder = await recordedFolder({ files: { a: 'one' }, clock })
  const { workspace } = folder
  for (let i = 0; i < 12; i++)
    await folder.run(`run ${i}`, () => writeFiles(folder.root, { a: `text ${i}\n`.repeat(9) }))
  clock.ahead = 31 * DAY
  const done = await folder.engine.call('gc.run', { workspace, dryRun: false })
  expect(done.versions).toBeGreaterThan(0)
  const listed = await folder.engine.call('checkpoint.list', { workspace, all: true })
  const pruned = listed.checkpoints.filter((checkpoint) => checkpoint.status === 'pruned')
  expect(pruned.map((checkpoint) => checkpoint.id).sort()).toEqual(
    done.checkpoints.map((checkpoint) => checkpoint.id).sort()
  )
  expect(pruned.length).toBeGreaterThan(0)
  expect(pruned[0]).toMatchObject({
    restorable: false,
    cause: { code: 'pruned' }
  })
  await expect(folder.plan({ kind: 'restore', target: pruned[0]?.id as string })).rejects.toMatchObject({
    code: 'UnknownTarget'
  })
  const seq = pruned[0]?.seq as number
  const cat = folder.engine.call('file.cat', { workspace, target: `seq:${seq}`, path: 'a' })
  await expect(cat).rejects.toMatchObject({ code: 'NotStored' })
  const shown = await folder.engine.call('diff.file', { workspace, path: 'a', target: `seq:${seq}`, to: 'now' })
  expect(shown).toMatchObject({ view: 'not-kept', reason: 'pruned' })
  const { versions } = await folder.engine.call('file.history', { workspace, path: 'a' })
  expect(versions.filter((version) => !version.stored).length).toBe(done.versions)
  const plan = await folder.plan({ kind: 'restore', target: `seq:${seq}`, outside: 'replace' })
  expect(plan.items).toMatchObject([{ path: 'a', action: 'keep', note: { code: 'not-stored', reason: 'pruned' } }])
  // [UI-2] Named by a run or a position, a target without content is refused with the reason, not "nothing to do".
  const before = folder.tree()
  const refused = await folder.apply({ kind: 'restore', target: `seq:${seq}`, outside: 'replace' })
  expect([refused.state, refused.refusal, folder.tree()]).toEqual([
    'refused',
    'a is no longer stored: over the history limits, or on the exclude list.',
    before
  ])
})

test('the recorder sweeps on its own when it is idle, and never while a run is live', async () => {
  const clock = createManualClock()
  await using folder = await withHistory(clock)
  const { workspace } = folder
  await folder.reopen({ clock, watch: true })
  const begin = { workspace, title: 'x', agent: 'test', pid: process.pid, pidStart: '' }
  const { run } = await folder.engine.call('run.begin', begin)
  const history = async (): Promise<number> => (await status(folder)).store.historyBytes
  clock.jump(31 * DAY)
  await folder.check()
  expect(await history(), 'a run is live').toBeGreaterThan(8_900_000)
  await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  clock.jump(120_000)
  await expect.poll(history, { timeout: 10_000 }).toBe(0)
})

test('while another process reads the history, disk space is freed later', async () => {
  const clock = shifted()
  await using folder = await withHistory(clock)
  const file = storeFile(folder.dataDir, folder.workspace)
  await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  const reader = new Database(file, { readonly: true })
  reader.prepare('BEGIN').run()
  reader.prepare('SELECT count(*) FROM edit').get()
  const before = statSync(file).size
  clock.ahead = 31 * DAY
  await folder.run('late', () => writeFiles(folder.root, { b: 'x' }))
  const done = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(done.versions).toBe(4)
  expect(done.note).toEqual({ code: 'postponed', why: 'readers', erases: false })
  expect(statSync(file).size).toBe(before)
  reader.close()
  const again = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: false })
  expect(again.note).toBe(null)
  expect(statSync(file).size).toBeLessThan(before - 8_000_000)
  expect(readFileSync(file).length).toBe(statSync(file).size)
})

test('an invalid limit is refused, and a folder may have limits of its own', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const { workspace } = folder
  const set = (key: string, value: string) => folder.engine.call('settings.set', { key, value })
  await expect(set('history.budget', '2 GB')).rejects.toMatchObject({ code: 'Usage' })
  await expect(set('history.days', '-1')).rejects.toMatchObject({ code: 'Usage' })
  await set('history.budget', '10000000000')
  await set(`history.days/${workspace}`, '7')
  const get = () => folder.engine.call('storage.get', { workspace })
  expect(await get()).toMatchObject({ budget: 10_000_000_000, days: 7, own: { budget: false, days: true } })
  await set(`history.days/${workspace}`, '')
  expect(await get()).toMatchObject({ days: 30, own: { days: false }, positions: 0, oldestAt: null })
  await set(`history.days/${workspace}`, '9')
  await folder.engine.call('workspaces.remove', { workspace, deleteHistory: true })
  expect((await folder.engine.call('settings.get', {})).values).toEqual({ 'history.budget': '10000000000' })
})
