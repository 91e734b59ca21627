/** [ST-2] A sweep beside processes that capture: content that they store again is never evicted under them. */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
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
