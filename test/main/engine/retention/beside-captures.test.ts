/** [ST-2] A sweep beside processes that capture: content that they store again is never evicted under them. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { append } from '../../../../src/main/engine/capture/append.ts'
import { observe } from '../../../../src/main/engine/capture/observe.ts'
import { addCheckpoint } from '../../../../src/main/engine/checkpoints/checkpoints.ts'
import { createWorkspaceFs } from '../../../../src/main/engine/files/workspace-fs.ts'
import { WITHOUT_LIMIT } from '../../../../src/main/engine/restore/guard.ts'
import { sweep } from '../../../../src/main/engine/retention/sweep.ts'
import { bumpRev } from '../../../../src/main/engine/store/meta.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { startCrashChild } from '../../../support/crash-process.ts'
import { type OpenRecorder, openRecorder } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { writeFiles } from '../../../support/tree.ts'

const text = (n: number): string =>
  `${Array.from({ length: 80 }, (_, i) => (i === n ? 'here' : `line ${i}`)).join('\n')}\n`
const TEXTS = Array.from({ length: 12 }, (_, i) => text(i))

/** Whether both files could be read there; [CP-3] one that was being written has no content. */
async function isWhole({ engine, workspace }: RecordedFolder, target: string): Promise<boolean> {
  const read = ['one', 'two'].map((path) => engine.call('file.cat', { workspace, target, path }))
  const failures = (await Promise.allSettled(read)).filter(({ status }) => status === 'rejected')
  for (const failure of failures)
    expect(failure).toMatchObject({ reason: { message: expect.stringMatching(/changing/) } })
  return failures.length === 0
}

const SWEEPS = LONG ? 25 : 8

/** Sweeps at least that many times, and until something was evicted: the other processes may be slow to start and to record. */
async function sweepContinuously({ recorder }: OpenRecorder, children: readonly ChildProcess[]): Promise<void> {
  const isRecording = (): boolean => children.every(({ exitCode }) => exitCode === null)
  for (let evicted = 0, i = 0; (i < SWEEPS || evicted <= 5) && isRecording(); i++)
    evicted += (await recorder.sweep({ budget: 0, days: 30 })).versions
}

test('[ST-2] while two processes return to old contents, a third that sweeps continuously never evicts needed content', async () => {
  await using folder = await recordedFolder({ files: { one: 'first', two: 'first', three: 'first' } })
  const children = ['one', 'two'].map((name, i) =>
    startCrashChild(folder, { do: 'flips', name, texts: i === 0 ? TEXTS : [...TEXTS].reverse() })
  )
  await Promise.all(children.map(({ child }) => once(child, 'message')))
  const processes = children.map(({ child }) => child)
  {
    await using open = openRecorder(folder.dataDir, folder.workspace)
    await sweepContinuously(open, processes)
  }
  let pin = await folder.checkpoint('in the middle')
  while (!(await isWhole(folder, pin))) pin = await folder.checkpoint('in the middle')
  const pinned = folder.store((store) => store.records.lastSeq())
  await using again = openRecorder(folder.dataDir, folder.workspace)
  await sweepContinuously(again, processes)
  for (const child of processes) child.send('stop')
  for (const { ended } of children) expect((await ended).errors).toBe('')
  await folder.check()
  const doctor = await folder.engine.call('doctor.run', { deep: true })
  expect(doctor.problems).toEqual([])
  for (const path of ['one', 'two', 'three']) {
    const now = await folder.engine.call('file.cat', { workspace: folder.workspace, target: 'now', path })
    expect(Buffer.from(now.base64, 'base64').toString()).toBe(readFileSync(join(folder.root, path), 'utf8'))
    const then = await folder.engine.call('file.cat', { workspace: folder.workspace, target: pin, path })
    // A scan may read a file between its truncation and the write of its new content.
    expect(['', ...TEXTS, 'first'], `${path} at ${pinned}`).toContain(Buffer.from(then.base64, 'base64').toString())
  }
  // By chance both may hold what they held at the pin.
  writeFiles(folder.root, { one: 'last', two: 'last' })
  expect((await folder.apply({ kind: 'restore', target: pin, outside: 'replace' })).state).toBe('done')
}, 60_000)

/** Three contents of one file, of which a sweep evicts the second: what happens when `meddle` acts once that is decided. */
async function sweepWhile(meddle: (open: OpenRecorder['recorder']) => void): Promise<RecordedFolder> {
  const folder = await recordedFolder({ files: { a: text(0) } })
  for (const bytes of [SECOND, text(2)]) {
    writeFiles(folder.root, { a: bytes })
    await folder.check()
  }
  await using open = openRecorder(folder.dataDir, folder.workspace)
  let meddled = false
  await sweep(open.recorder.store, {
    ...{ budget: 0, days: 30, now: Date.now(), dryRun: false, neverKeep: null, pause: async () => {} },
    stop: () => {
      if (!meddled) meddle(open.recorder)
      meddled = true
      return false
    }
  })
  expect(meddled).toBe(true)
  return folder
}

const SECOND = randomBytes(5000)

const isKept = async ({ engine, workspace }: RecordedFolder, target: string): Promise<boolean> =>
  await engine.call('file.cat', { workspace, target, path: 'a' }).then(
    ({ base64 }) => Buffer.from(base64, 'base64').equals(SECOND),
    () => false
  )

test('[ST-2] what a sweep has chosen is evicted, unless a file returns to it or a position needs it meanwhile', async () => {
  await using untouched = await sweepWhile(() => {})
  expect(await isKept(untouched, 'seq:1')).toBe(false)
  await using returned = await sweepWhile(({ store, root }) => {
    writeFiles(root, { a: SECOND })
    const observation = observe(createWorkspaceFs(root), store.content, 'a', { ...WITHOUT_LIMIT, readAt: Date.now() })
    const outside = () => ({ origin: 'outside', attribution: 'none', by: [], drift: null }) as const
    transact(store, (tx) => {
      append(tx, root, [observation], { author: outside, at: Date.now() })
      bumpRev(tx)
    })
  })
  expect(await isKept(returned, 'now')).toBe(true)
  await using pinned = await sweepWhile(({ store, root }) =>
    transact(store, (tx) => {
      addCheckpoint(tx, root, { reason: 'manual', seq: 1 }, Date.now())
      bumpRev(tx)
    })
  )
  expect(await isKept(pinned, 'seq:1')).toBe(true)
  for (const { engine } of [untouched, returned, pinned])
    expect((await engine.call('doctor.run', { deep: true })).problems).toEqual([])
})

test('[ST-2] [RS-2] content evicted between planning and applying makes the plan stale: nothing is written', async () => {
  await using folder = await recordedFolder({ files: { a: text(0) } })
  writeFiles(folder.root, { a: randomBytes(5000) })
  await folder.check()
  const between = folder.store((store) => store.records.lastSeq())
  writeFiles(folder.root, { a: text(2) })
  await folder.check()
  const request = { kind: 'restore', target: `seq:${between}`, outside: 'replace' } as const
  const plan = await folder.plan(request)
  expect(plan.items.map((item) => item.action)).toEqual(['write'])
  await using open = openRecorder(folder.dataDir, folder.workspace)
  await open.recorder.sweep({ budget: 0, days: 30 })
  const applied = folder.engine.call('restore.apply', { workspace: folder.workspace, request, plan: plan.plan })
  await expect(applied).rejects.toMatchObject({ code: 'PlanStale' })
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe(text(2))
  const now = await folder.plan(request)
  expect(now.items).toMatchObject([{ path: 'a', action: 'keep', note: { code: 'not-stored', reason: 'pruned' } }])
})
