/** Attribution of edits to runs: one after another, at the same time, and killed. */
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processStart } from '../../../../src/main/engine/ports/processes.ts'
import { KILLED, runCrashChild } from '../../../support/crash-process.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { remove, writeFiles } from '../../../support/tree.ts'

/** A run whose process is killed after its edits were recorded. */
/** Returns its id. */
async function killedRun(folder: RecordedFolder, files: Readonly<Record<string, string>>): Promise<string> {
  const owner = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const pid = owner.pid as number
  const { workspace } = folder
  const begun = { workspace, title: 'killed', agent: 'test', pid, pidStart: processStart(pid) }
  const { run } = await folder.engine.call('run.begin', begun)
  writeFiles(folder.root, files)
  await folder.check()
  const ended = once(owner, 'exit')
  owner.kill('SIGKILL')
  await ended
  return run
}

const begin = async (folder: RecordedFolder, title: string): Promise<string> =>
  (
    await folder.engine.call('run.begin', {
      workspace: folder.workspace,
      title,
      agent: 'test',
      pid: process.pid,
      pidStart: ''
    })
  ).run
const end = (folder: RecordedFolder, run: string) =>
  folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 0 })
const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')

test('[A21] [GW-2] consecutive runs keep their own changes and their own start', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const first = await folder.run('first', () => writeFiles(folder.root, { a: '1' }))
  const second = await folder.run('second', () => writeFiles(folder.root, { b: '2' }))
  const { workspace } = folder
  for (const [run, path] of [
    [first, 'a'],
    [second, 'b']
  ] as const) {
    const diff = await folder.engine.call('diff.files', { workspace, target: run })
    expect(diff.files.map((file) => [file.path, file.attribution, file.interleaved])).toEqual([
      [path, 'inferred', false]
    ])
    expect(diff.prevCheckpointId).toMatch(/^cp_/)
  }
  await folder.apply({ kind: 'undo-run', run: first })
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['0', '2'])
})

test('[GW-2] [GW-4] changes while two runs are open are shared: shown in both, undone by neither', async () => {
  await using folder = await recordedFolder({ files: { both: '0', one: '0', two: '0' } })
  const { workspace } = folder
  const one = await begin(folder, 'one')
  writeFiles(folder.root, { one: 'by one alone' })
  const two = await begin(folder, 'two')
  writeFiles(folder.root, { both: 'by one of them' })
  await end(folder, one)
  writeFiles(folder.root, { two: 'by two alone' })
  await end(folder, two)
  const files = async (run: string) =>
    (await folder.engine.call('diff.files', { workspace, target: run })).files.map((file) => [
      file.path,
      file.attribution
    ])
  expect(await files(one)).toEqual([
    ['both', 'shared'],
    ['one', 'inferred']
  ])
  expect(await files(two)).toEqual([
    ['both', 'shared'],
    ['two', 'inferred']
  ])
  const shown = await folder.engine.call('entry.show', { workspace, target: one })
  const shared = { code: 'shared', paths: ['both'], count: 1 }
  expect(shown.warnings).toEqual([{ code: 'all-changes' }, shared])
  const undo = await folder.apply({ kind: 'undo-run', run: one })
  expect(undo.warnings).toContainEqual({ code: 'shared-edits', paths: ['both'], count: 1 })
  expect([text(folder, 'both'), text(folder, 'one'), text(folder, 'two')]).toEqual([
    'by one of them',
    '0',
    'by two alone'
  ])
})

test('[GW-2] two processes at the same time have two runs', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const me = await begin(folder, 'mine')
  await runCrashChild(folder, { do: 'run', files: { a: 'theirs' }, checked: true })
  writeFiles(folder.root, { b: 'mine' })
  await end(folder, me)
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 9,
    kinds: ['run']
  })
  expect(entries.map((entry) => entry.kind === 'run' && [entry.title, entry.state])).toEqual([
    ['killed run', 'interrupted'],
    ['mine', 'ended']
  ])
})

test.each<[string, (folder: RecordedFolder) => Promise<unknown>]>([
  ['drift', (folder) => folder.check()],
  ['a checkpoint', (folder) => folder.checkpoint()],
  [
    'a diff with the disk',
    (folder) => folder.engine.call('diff.files', { workspace: folder.workspace, target: 'latest', to: 'now' })
  ],
  ['status', (folder) => folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })],
  [
    'the list of runs, which never names it as running,',
    async (folder) => {
      const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 10 })
      expect(entries[0]).toMatchObject({ kind: 'run', state: 'interrupted', files: 1 })
    }
  ]
])('[GW-3] %s ends a run whose process died; later changes are not attributed to it', async (_, scan) => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  await killedRun(folder, { a: '1' })
  await scan(folder)
  writeFiles(folder.root, { b: 'by a person' })
  await folder.check()
  const diff = await folder.engine.call('diff.files', { workspace: folder.workspace, target: 'latest' })
  expect(diff.files.map((file) => file.path)).toEqual(['a'])
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  expect(drift[0]?.paths).toEqual(['b'])
})

test.each([true, false])(
  '[A25] [GW-3] a killed run keeps all its edits (scanned while it ran: %s), is interrupted, and can be undone',
  async (checked) => {
    await using folder = await recordedFolder({ files: { a: 'one', b: 'one' } })
    const before = folder.tree()
    const ended = await runCrashChild(folder, { do: 'run', files: { a: 'two', b: 'two', new: 'n' }, checked })
    expect(ended, ended.errors).toMatchObject(KILLED)
    const { workspace } = folder
    const status = await folder.engine.call('workspace.status', { workspace, check: true })
    expect(status.activeRuns).toEqual([])
    expect(status.interruptedRuns).toMatchObject([{ agent: 'test', phase: 'stopped' }])
    const run = status.interruptedRuns[0]?.run as string
    const diff = await folder.engine.call('diff.files', { workspace, target: run })
    expect(diff.files.map((file) => file.path)).toEqual(['a', 'b', 'new'])
    expect(diff.warnings, 'no earlier version is missing because its process died').toEqual([])
    const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace, run })
    expect(checkpoints.map((checkpoint) => checkpoint.reason)).toEqual(['end_of_turn', 'run_start'])
    expect(status.drift, "it is the run's, not outside").toEqual([])
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
  }
)

test('[GW-3] [RS-8] a killed run does not block a restore', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  await killedRun(folder, { a: 'two' })
  expect((await folder.apply({ kind: 'restore', target: 'latest' })).state).toBe('done')
  expect(text(folder, 'a')).toBe('one')
})

test('[GW-3] a run whose process died after it reported the end of its command has ended, once', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await killedRun(folder, { a: 'two' })
  expect(await end(folder, run)).toMatchObject({ state: 'ended' })
  const { workspace } = folder
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace, run })
  expect(checkpoints.map(({ reason }) => reason).filter((reason) => reason === 'end_of_turn')).toEqual(['end_of_turn'])
})

test('[GW-4] a process id that was reused by another program does not keep a run alive', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const process = fork(
    join(import.meta.dirname, '../../../hostile/restless-writer.ts'),
    [join(folder.root, '..', 'elsewhere')],
    { execArgv: [] }
  )
  await once(process, 'message')
  const { workspace } = folder
  try {
    const pid = process.pid as number
    await folder.engine.call('run.begin', { workspace, title: 't', agent: 'x', pid, pidStart: 'long ago' })
    const status = await folder.engine.call('workspace.status', { workspace, check: true })
    expect([status.activeRuns.length, status.interruptedRuns.length]).toEqual([0, 1])
  } finally {
    process.kill('SIGKILL')
    await once(process, 'exit')
  }
})

test('[A12] [GW-3] a cancelled run (exit code 130) has its checkpoints and its changes', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await begin(folder, 'cancelled')
  writeFiles(folder.root, { a: 'two' })
  remove(folder.root, 'nothing')
  const result = await folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 130 })
  expect([result.state, result.files.length, result.checkpointId]).toEqual(['ended', 1, expect.stringMatching(/^cp_/)])
})

test('a run that changes nothing has an empty checkpoint id and still its start', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const run = await begin(folder, 'nothing')
  const result = await end(folder, run)
  expect([result.checkpointId, result.files, result.prevCheckpointId]).toEqual(['', [], expect.stringMatching(/^cp_/)])
  expect((await end(folder, run)).state, 'ending twice is harmless').toBe('ended')
})

test('[B7] [RS-8] no restore while a run is live, unless a person overrides it', async () => {
  await using folder = await recordedFolder({ files: { a: 'one' } })
  const mark = await folder.checkpoint()
  const run = await begin(folder, 'live')
  writeFiles(folder.root, { a: 'two' })
  const before = folder.tree()
  const request = { kind: 'restore', target: mark } as const
  await expect(folder.apply(request)).rejects.toMatchObject({ code: 'RunIsLive', data: { runs: [run] } })
  expect(folder.tree()).toEqual(before)
  expect((await folder.plan(request)).live).toMatchObject([{ run, title: 'live' }])
  const { workspace } = folder
  expect((await folder.engine.call('restore.apply', { workspace, request, whileLive: true })).state).toBe('done')
  expect(text(folder, 'a')).toBe('one')
})
