/** The baseline of a run's diff is the checkpoint that the run began with, and never changes. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { DiffResult } from '../../../../src/contract/diff.ts'
import { type Line, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const FILES = { 'a.txt': 'one\n' }

const hookInput = (folder: RecordedFolder, event: string, more: Record<string, unknown> = {}): Line => ({
  event,
  input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more }
})

/** One turn of an agent that writes `content` into a.txt; returns its run. */
async function runTurn(folder: RecordedFolder, name: string, content: string): Promise<string> {
  const file = join(folder.root, 'a.txt')
  const use = { tool_name: 'Write', tool_use_id: name, tool_input: { file_path: file } }
  const send = (event: string, more = {}): Promise<unknown> =>
    folder.engine.callUntyped('agent.event', toHookEvent('claude-code', hookInput(folder, event, more)))
  await send('UserPromptSubmit', { prompt: name, prompt_id: name })
  await send('PreToolUse', use)
  writeFileSync(file, content)
  await send('PostToolUse', use)
  await send('Stop', { background_tasks: [] })
  return newestRun(folder)
}

async function newestRun(folder: RecordedFolder): Promise<string> {
  const { workspace } = folder
  return (await folder.engine.call('timeline.list', { workspace, limit: 1, kinds: ['run'] })).entries[0]!.id
}

const runDiff = (folder: RecordedFolder, target: string): Promise<DiffResult & { patch: string }> =>
  folder.engine.call('diff.patch', { workspace: folder.workspace, target, scope: 'run' })

/** Content of a.txt at a checkpoint. */
const contentAt = async (folder: RecordedFolder, target: string): Promise<string> => {
  const { base64 } = await folder.engine.call('file.cat', { workspace: folder.workspace, target, path: 'a.txt' })
  return Buffer.from(base64, 'base64').toString()
}

test('the baseline is the start of the run in its own session, also while the run is live', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const first = await runTurn(folder, 'first', 'two\n')
  const second = await runTurn(folder, 'second', 'three\n')
  const [firstDiff, secondDiff] = await Promise.all([runDiff(folder, first), runDiff(folder, second)])
  expect([
    await contentAt(folder, firstDiff.prevCheckpointId),
    await contentAt(folder, secondDiff.prevCheckpointId)
  ]).toEqual(['one\n', 'two\n'])
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, session: 's' })
  const starts = checkpoints
    .filter((checkpoint) => checkpoint.reason === 'run_start')
    .map((checkpoint) => checkpoint.id)
  expect(starts).toEqual([secondDiff.prevCheckpointId, firstDiff.prevCheckpointId])
})

test('after a restore, the next run\u2019s baseline is the restored state, and its patch contains nothing of the restore', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const first = await runTurn(folder, 'first', 'two\n')
  const before = await runDiff(folder, first)
  expect((await folder.apply({ kind: 'restore', target: before.prevCheckpointId })).state).toBe('done')
  const second = await runTurn(folder, 'second', 'one\nmore\n')
  const after = await runDiff(folder, second)
  expect(await contentAt(folder, after.prevCheckpointId)).toBe('one\n')
  expect(after.patch).toContain('\n one\n+more\n')
  expect(after.patch).not.toContain('two')
  expect(await runDiff(folder, first), 'and what is said of the run before is as it was').toMatchObject({
    prevCheckpointId: before.prevCheckpointId,
    patch: before.patch
  })
})

test('late events, after the next run began, move no baseline', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const first = await runTurn(folder, 'first', 'two\n')
  const second = await runTurn(folder, 'second', 'three\n')
  const before = [await runDiff(folder, first), await runDiff(folder, second)]
  const spool = join(folder.dataDir, 'spool')
  mkdirSync(spool)
  const file = join(folder.root, 'late.txt')
  const use = { tool_name: 'Write', tool_use_id: 'late', tool_input: { file_path: file } }
  const late = [hookInput(folder, 'PreToolUse', use), hookInput(folder, 'PostToolUse', use), hookInput(folder, 'Stop')]
  for (const [n, line] of late.entries())
    writeFileSync(join(spool, `${n}.json`), JSON.stringify(toHookEvent('claude-code', line, { at: 1 })))
  await folder.reopen()
  const after = [await runDiff(folder, first), await runDiff(folder, second)]
  for (const [i, diffAfter] of after.entries())
    expect([diffAfter.prevCheckpointId, diffAfter.patch]).toEqual([before[i]!.prevCheckpointId, before[i]!.patch])
})

test('a later turn of a run has its own checkpoint; the run begins at its first', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const send = (event: string, more = {}): Promise<unknown> =>
    folder.engine.callUntyped('agent.event', toHookEvent('claude-code', hookInput(folder, event, more)))
  const shell = { tool_name: 'Bash', tool_use_id: 'b', tool_input: { command: 'serve' } }
  await send('UserPromptSubmit', { prompt: 'one' })
  await send('PreToolUse', shell)
  writeFileSync(join(folder.root, 'a.txt'), 'two\n')
  await send('PostToolUse', { ...shell, tool_response: { backgroundTaskId: 'x' } })
  await send('Stop', { background_tasks: [1] })
  await send('UserPromptSubmit', { prompt: 'two' })
  writeFileSync(join(folder.root, 'a.txt'), 'three\n')
  await send('Stop', { background_tasks: [] })
  const run = await newestRun(folder)
  const { turns } = await folder.engine.call('entry.show', { workspace: folder.workspace, target: run })
  const ofTurn = await folder.engine.call('diff.files', { workspace: folder.workspace, target: turns[1]!.id })
  expect([
    await contentAt(folder, ofTurn.prevCheckpointId),
    await contentAt(folder, (await runDiff(folder, run)).prevCheckpointId)
  ]).toEqual(['two\n', 'one\n'])
})

test('a missing start is empty with a warning, and never a guess', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const run = await runTurn(folder, 'first', 'two\n')
  await runTurn(folder, 'second', 'three\n')
  folder.store((store) => {
    store.db.pragma('foreign_keys = OFF')
    store.db.prepare('DELETE FROM checkpoint WHERE id = (SELECT start_checkpoint FROM run WHERE id = ?)').run(run)
  })
  const result = await runDiff(folder, run)
  expect(result.prevCheckpointId).toBe('')
  expect(result.warnings).toEqual([{ code: 'no-start' }])
  expect(result.files.map((file) => file.path)).toEqual(['a.txt'])
})

test('[RC-2] a run that is begun again with the same id is begun once, with the same answer', async () => {
  await using folder = await recordedFolder({ files: { a: '1' } })
  const { workspace, engine } = folder
  const params = { workspace, run: 'run_0123456789ab', title: 't', agent: 'command', pid: process.pid, pidStart: '' }
  const begun = await engine.call('run.begin', params)
  expect(begun.run).toBe(params.run)
  expect(await engine.call('run.begin', params)).toEqual(begun)
  const { entries } = await engine.call('timeline.list', { workspace, limit: 5, kinds: ['run'] })
  expect(entries.map(({ id }) => id)).toEqual([params.run])
})
