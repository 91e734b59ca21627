/** What another process does between the plan of a restore and its journal: the one moment no lock of ours covers. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { recordChanges } from '../../../../src/main/engine/drift/record.ts'
import { type Clock, systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { performRestore } from '../../../../src/main/engine/restore/perform.ts'
import { evictRow } from '../../../../src/main/engine/store/evictions.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { CRASH_PROGRAM, KILLED, orderFor, runCrashChild, type Work } from '../../../support/crash-process.ts'
import { cutOffRestore, openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'
import { readTree, writeFiles } from '../../../support/tree.ts'

/** Restores here; between plan and journal another process does `work` (`plan` is the first thing read after planning). */
async function restoreWhile(folder: RecordedFolder, request: RestoreRequest, work: () => void): Promise<string> {
  await using open = openRecorder(folder.dataDir, folder.workspace)
  let worked = false
  return await performRestore(open.recorder, {
    request,
    resolutions: {},
    whileLive: false,
    progress: () => {},
    get plan(): string {
      if (!worked) work()
      worked = true
      return undefined as unknown as string
    }
  }).then(
    (result) => result.state,
    (error: { code: string }) => error.code
  )
}

function otherProcess(folder: RecordedFolder, work: Work): void {
  const program = [CRASH_PROGRAM, orderFor(folder, work)]
  const { status, signal } = spawnSync(process.execPath, program, { stdio: 'ignore' })
  // It may kill itself: that is what is asked of it.
  expect([{ code: 0 }, KILLED]).toContainEqual(signal === null ? { code: status } : { signal })
}

test('[RS-2] an edit that another process records after the plan was made is never overwritten by it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const end = await restoreWhile(folder, { kind: 'undo-run', run }, () =>
    otherProcess(folder, { do: 'captures', name: 'b', count: 1 })
  )
  expect(end).toBe('PlanStale')
  expect([readFileSync(join(folder.root, 'a'), 'utf8'), readFileSync(join(folder.root, 'b'), 'utf8')]).toEqual([
    'two',
    'b 0\n'
  ])
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[RS-2] content that another process evicts after the plan was made makes it stale, before anything is journaled', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const content = folder.store(({ records }) => records.version(records.head('a')?.version as number).content as number)
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two' }))
  const end = await restoreWhile(folder, { kind: 'undo-run', run }, () =>
    folder.store((store) => transact(store, (tx) => evictRow(tx, content)))
  )
  expect(end).toBe('PlanStale')
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('two')
  expect(folder.store((store) => store.db.prepare('SELECT count(*) FROM restore').pluck().get())).toBe(0)
})

test('[RS-2] [RS-3] a conversation that another process continues after the plan was made is not moved, and no file is written', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const agent = createTranscriptAgent(folder)
  await agent.say('first', 'done', () => writeFiles(folder.root, { a: 'two' }))
  const target = await folder.checkpoint()
  await agent.say('second', 'done', () => writeFiles(folder.root, { a: 'three' }))
  const end = await restoreWhile(folder, { kind: 'restore', target }, () =>
    folder.store((store) =>
      transact(store, ({ db }) => void db.prepare('UPDATE session SET revision = revision + 1').run())
    )
  )
  expect([end, readFileSync(join(folder.root, 'a'), 'utf8')]).toEqual(['PlanStale', 'three'])
  expect(folder.store((store) => store.db.prepare('SELECT count(*) FROM restore').pluck().get())).toBe(0)
})

test('[RS-2] [CK-1] a file over the limit that changes after the plan was made is not stored as what it was at a checkpoint', async () => {
  await using folder = await recordedFolder({ files: { big: 'small once' } })
  const big = join(folder.root, 'big')
  const run = await folder.run('grow', () => truncateSync(big, 51 * 1024 * 1024))
  const end = await restoreWhile(folder, { kind: 'undo-run', run }, () => appendFileSync(big, 'by a person'))
  expect(end).toBe('PlanStale')
  expect(statSync(big).size, 'nothing was written').toBe(51 * 1024 * 1024 + 11)
  const plan = await folder.plan({ kind: 'restore', target: `${run}:end`, outside: 'replace' })
  expect(plan.items, 'what it was then is not kept, and that is said').toMatchObject([
    { path: 'big', action: 'keep', note: { code: 'not-stored', reason: 'too-large' } }
  ])
})

test('[RS-7] a restore that another process began after the plan was made keeps this one from writing', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const request: RestoreRequest = { kind: 'undo-run', run }
  const end = await restoreWhile(folder, request, () => otherProcess(folder, { do: 'restore', request, at: 'staged' }))
  expect(end).toBe('Refused')
  const { workspace } = folder
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect(status.interruptedRestore).toMatchObject({ written: 0, total: 2 })
  expect((await folder.apply({ kind: 'recover', how: 'finish' })).state).toBe('done')
  expect((await folder.engine.call('workspace.status', { workspace, check: true })).interruptedRestore).toBeNull()
})

test('[RS-7] a restore that another process began while this one was planned is neither overtaken nor closed by it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  let worked = false
  const act: RestoreRequest = {
    kind: 'undo-run',
    // Read when the facts are gathered, after it was seen that no restore is open.
    get run(): string {
      if (!worked) otherProcess(folder, { do: 'restore', request: { kind: 'undo-run', run }, at: 'staged' })
      worked = true
      return run
    }
  }
  expect(await restoreWhile(folder, act, () => {})).toBe('Refused')
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(status.interruptedRestore).toMatchObject({ written: 0, total: 2 })
})

test('[RS-7] a scan that began before another process restored takes no part of that restore for a change', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  const before = folder.tree()
  let work = (): void => otherProcess(folder, { do: 'restore', request: { kind: 'undo-run', run }, at: 'verified' })
  // Time is asked for when a look begins.
  const clock: Clock = {
    ...systemClock,
    now: () => {
      const now = work
      work = () => {}
      now()
      return Date.now()
    }
  }
  await using open = openRecorder(folder.dataDir, folder.workspace, clock)
  const { edits } = await recordChanges(open.recorder, 'all', { cause: 'edits', branches: null })
  expect(edits, "they are the restore's to record").toEqual([])
  expect(await folder.apply({ kind: 'recover', how: 'finish' })).toMatchObject({ state: 'nothing-to-do' })
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(folder.tree(), '[RS-6] undo gives back every byte').toEqual(before)
})

test('[RS-7] two processes that recover at once end it once', async () => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: 'two', b: 'two' }))
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'verified')
  const request: RestoreRequest = { kind: 'recover', how: 'finish' }
  const end = await restoreWhile(folder, request, () => otherProcess(folder, { do: 'restore', request }))
  expect(end).toBe('nothing-to-do')
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
  const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })
  expect(status.interruptedRestore).toBeNull()
})

/** Each moment and each way once; the other pairs are in the long form. */
const RECOVERIES = [
  { at: 'staged', how: 'finish' },
  { at: 'placed:1', how: 'undo' },
  { at: 'verified', how: 'finish' },
  ...(LONG
    ? ([
        { at: 'staged', how: 'undo' },
        { at: 'placed:1', how: 'finish' },
        { at: 'verified', how: 'undo' }
      ] as const)
    : [])
] as const

test.each(RECOVERIES)('[RS-7] a recovery cut off at $at is recovered by one more $how', async ({ at, how }) => {
  await using folder = await recordedFolder({ files: { a: 'one', b: 'one', c: 'one', 'd/e': 'one' } })
  const before = folder.tree()
  const run = await folder.run('edit', () => {
    writeFiles(folder.root, { a: 'two', b: 'two', 'n/new': 'n', 'd/e': 'two' })
    writeFileSync(join(folder.root, 'c'), 'two')
  })
  const after = folder.tree()
  await cutOffRestore(folder, { kind: 'undo-run', run }, 'placed:2')
  if (at === 'staged') {
    const second = await runCrashChild(folder, { do: 'restore', request: { kind: 'recover', how }, at })
    expect(second, second.errors).toMatchObject(KILLED)
  } else await cutOffRestore(folder, { kind: 'recover', how }, at)
  const { workspace } = folder
  await folder.engine.call('workspace.status', { workspace, check: true })
  const result = await folder.apply({ kind: 'recover', how })
  expect(result.state).toBe(at === 'verified' ? 'nothing-to-do' : 'done')
  expect(readTree(folder.root)).toEqual(how === 'finish' ? before : after)
  const status = await folder.engine.call('workspace.status', { workspace, check: true })
  expect([status.interruptedRestore, status.drift]).toEqual([null, []])
  if (how === 'finish') {
    const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 10, kinds: ['restore'] })
    const first = entries.find((entry) => entry.kind === 'restore' && entry.act === 'undo-run')
    expect(first, 'whichever recovery wrote them').toMatchObject({ state: 'done', files: 5 })
  }
  expect((await folder.engine.call('doctor.run', { deep: true })).problems).toEqual([])
})
