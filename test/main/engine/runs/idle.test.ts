/** Time and runs: a run without events for hours ends, and a clock that is set back changes nothing. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { createManualClock } from '../../../support/manual-clock.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const HOUR = 3_600_000
const NOBODY = { process: { pid: 0, start: '' } }

const teller =
  (folder: RecordedFolder) =>
  (event: string, more: object = {}): Promise<unknown> =>
    folder.engine.callUntyped(
      'agent.event',
      toHookEvent(
        'claude-code',
        { event, input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more } },
        NOBODY
      )
    )
const runs = async (folder: RecordedFolder): Promise<RunEntry[]> =>
  (await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 9, kinds: ['run'] }))
    .entries as RunEntry[]
const changed = async (folder: RecordedFolder, run: string): Promise<string[]> =>
  (await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })).files.map(
    (file) => file.path
  )

test('[GW-3] a run of an unknown process without events for six hours ends and keeps what it wrote', async () => {
  const clock = createManualClock()
  await using folder = await recordedFolder({ files: { a: '1' }, clock })
  const tell = teller(folder)
  await tell('UserPromptSubmit', { prompt: 'go' })
  await tell('PreToolUse', { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'make' } })
  writeFileSync(join(folder.root, 'a'), '2')
  clock.jump(5 * HOUR)
  await folder.check()
  expect((await runs(folder)).map((run) => run.state)).toEqual(['live'])
  clock.jump(2 * HOUR)
  await folder.check()
  const [run] = await runs(folder)
  expect([run!.state, await changed(folder, run!.id)]).toEqual(['interrupted', ['a']])
  expect((await folder.apply({ kind: 'undo-run', run: run!.id })).state).toBe('done')
})

test('setting the clock back by a day, in a run and between runs, changes neither order, attribution nor baselines', async () => {
  const clock = createManualClock()
  await using folder = await recordedFolder({ files: { a: '1' }, clock })
  const tell = teller(folder)
  const call = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'make' } }
  await tell('UserPromptSubmit', { prompt: 'one', prompt_id: '1' })
  await tell('PreToolUse', call)
  clock.jump(-24 * HOUR)
  writeFileSync(join(folder.root, 'a'), '2')
  await tell('PostToolUse', call)
  await tell('Stop', { background_tasks: [] })
  clock.jump(-24 * HOUR)
  writeFileSync(join(folder.root, 'b'), 'a person')
  await tell('UserPromptSubmit', { prompt: 'two', prompt_id: '2' })
  await tell('PreToolUse', { ...call, tool_use_id: 'u' })
  rmSync(join(folder.root, 'a'))
  await tell('PostToolUse', { ...call, tool_use_id: 'u' })
  await tell('Stop', { background_tasks: [] })
  const [two, one] = await runs(folder)
  expect([one!.title, two!.title]).toEqual(['one', 'two'])
  expect([one!.state, two!.state]).toEqual(['ended', 'ended'])
  expect([await changed(folder, one!.id), await changed(folder, two!.id)]).toEqual([['a'], ['a']])
  const origins = async (path: string): Promise<string[]> =>
    (await folder.engine.call('file.history', { workspace: folder.workspace, path })).versions.map(
      (version) => version.origin
    )
  expect([await origins('a'), await origins('b')]).toEqual([
    ['agent', 'agent', 'baseline'],
    ['outside', 'baseline']
  ])
  const dry = await folder.engine.call('gc.run', { workspace: folder.workspace, dryRun: true })
  expect(dry.versions).toBe(0)
  await folder.reopen()
  expect((await folder.apply({ kind: 'restore', target: `${one!.id}:start`, outside: 'keep' })).state).toBe('done')
  expect(Object.keys(folder.tree())).toEqual(['a', 'b'])
})
