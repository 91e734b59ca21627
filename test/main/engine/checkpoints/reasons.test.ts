/** When checkpoints are made, with which reason, and their status. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Checkpoint } from '../../../../src/contract/checkpoint.ts'
import { checkpointLabel } from '../../../../src/contract/words/checkpoints.ts'
import { PRE_RUN_DRIFT } from '../../../../src/main/engine/runs/open-run.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const list = async (folder: RecordedFolder, all = false): Promise<readonly Checkpoint[]> =>
  (await folder.engine.call('checkpoint.list', { workspace: folder.workspace, all })).checkpoints
/** Oldest first. */
const reasons = async (folder: RecordedFolder): Promise<string[]> =>
  (await list(folder)).map((checkpoint) => checkpoint.reason).reverse()

const say = (folder: RecordedFolder, event: string, more: Record<string, unknown> = {}): Line => ({
  event,
  input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more }
})
const tell = async (folder: RecordedFolder, ...lines: Line[]): Promise<void> => {
  for (const line of lines) await folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
}

describe('plan mode', () => {
  test('entering and leaving it make checkpoints, the plan is recorded, and the phase follows the mode', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const plan = { permission_mode: 'plan' }
    const exit = { tool_name: 'ExitPlanMode', tool_use_id: 'x', tool_input: { plan: '1. Read\n2. Write' } }
    const session = async () =>
      (await folder.engine.call('sessions.show', { workspace: folder.workspace, session: 's' })).session
    await tell(folder, say(folder, 'SessionStart'), say(folder, 'UserPromptSubmit', { prompt: 'go', ...plan }))
    await tell(folder, say(folder, 'PreToolUse', { ...exit, ...plan }))
    expect(await session()).toMatchObject({ mode: 'plan', phase: 'plan' })
    await tell(folder, say(folder, 'PostToolUse', { ...exit, permission_mode: 'acceptEdits' }))
    expect(await session()).toMatchObject({ mode: 'acceptEdits', phase: 'execute' })
    expect(await reasons(folder)).toEqual(['plan_mode', 'run_start', 'plan_mode'])
    expect((await list(folder)).map((checkpoint) => [checkpoint.label, checkpoint.session])).toEqual([
      ['left', 's'],
      ['', 's'],
      ['entered', 's']
    ])
    const shown = await folder.engine.call('sessions.show', { workspace: folder.workspace, session: 's' })
    expect(shown.plan).toBe('1. Read\n2. Write')
  })

  test('the mode of a subagent does not change the mode of the session', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    await tell(folder, say(folder, 'UserPromptSubmit', { prompt: 'go', permission_mode: 'default' }))
    const inside = { agent_id: 'a1', permission_mode: 'plan', tool_name: 'Read', tool_input: {}, tool_use_id: 'r' }
    await tell(folder, say(folder, 'PreToolUse', inside))
    expect(await reasons(folder)).toEqual(['run_start'])
  })
})

test('compact: made before the agent compacts, in a run and between runs, but not for Gemini\u2019s repeated announcements', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  await tell(folder, say(folder, 'UserPromptSubmit', { prompt: 'go' }), say(folder, 'PreCompact', { trigger: 'auto' }))
  await tell(folder, say(folder, 'Stop', { background_tasks: [] }), say(folder, 'PreCompact', { trigger: 'manual' }))
  const [second, first] = await list(folder)
  expect([first!.reason, second!.reason]).toEqual(['compact', 'compact'])
  expect([first!.run !== null, second!.run, second!.session]).toEqual([true, null, 's'])
  const noise = recordedEvents('gemini', folder.root).filter((line) => line.event === 'PreCompress')
  await replay(folder, 'gemini-cli', noise)
  expect(await reasons(folder)).toEqual(['run_start', 'compact', 'compact'])
})

describe('pre_run_drift', () => {
  test.each([
    ['off', '', ['run_start']],
    ['on', 'true', ['pre_run_drift', 'run_start']]
  ])('%s', async (_, value, expected) => {
    await using folder = await recordedFolder({ files: PROJECT })
    await folder.engine.call('settings.set', { key: PRE_RUN_DRIFT, value })
    writeFileSync(join(folder.root, 'app.txt'), 'a person\n')
    writeFileSync(join(folder.root, 'mine.txt'), 'a person\n')
    await tell(folder, say(folder, 'UserPromptSubmit', { prompt: 'go' }))
    expect(await reasons(folder)).toEqual(expected)
    const [start, before] = await list(folder)
    if (!before) return
    expect([checkpointLabel(before), before.files, start!.files]).toEqual(['2 files changed outside', 2, 0])
    // A second run without drift gets none.
    await tell(folder, say(folder, 'Stop', { background_tasks: [] }), say(folder, 'UserPromptSubmit', { prompt: '2' }))
    expect(await reasons(folder)).toEqual([...expected, 'run_start'])
  })
})

test('turns: the first starts with its run, later ones with pre_write; only a turn that changed something has an end_of_turn', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const work = { tool_name: 'Bash', tool_input: { command: 'serve &' }, tool_use_id: 't' }
  await tell(folder, say(folder, 'UserPromptSubmit', { prompt: 'one' }), say(folder, 'PreToolUse', work))
  writeFileSync(join(folder.root, 'made.txt'), 'x')
  await tell(folder, say(folder, 'PostToolUse', { ...work, tool_response: { backgroundTaskId: 'b' } }))
  await tell(folder, say(folder, 'Stop', { background_tasks: [1] }), say(folder, 'UserPromptSubmit', { prompt: 'two' }))
  await tell(folder, say(folder, 'Stop', { background_tasks: [] }))
  expect(await reasons(folder)).toEqual(['run_start', 'end_of_turn', 'pre_write', 'end_of_turn'])
  await tell(
    folder,
    say(folder, 'UserPromptSubmit', { prompt: 'three' }),
    say(folder, 'Stop', { background_tasks: [] })
  )
  expect((await reasons(folder)).slice(4)).toEqual(['run_start'])
})

describe('broken', () => {
  const damaged = async (): Promise<{ folder: RecordedFolder; mark: string; later: string }> => {
    const folder = await recordedFolder({ files: { 'app.txt': 'first\n'.repeat(50) } })
    const mark = await folder.checkpoint()
    writeFileSync(join(folder.root, 'app.txt'), 'second, and nothing like it\n'.repeat(50))
    const later = await folder.checkpoint()
    folder.store((store) => {
      const { id } = store.db
        .prepare('SELECT v.content AS id FROM edit e JOIN version v ON v.id = e.before LIMIT 1')
        .get() as { id: number }
      store.db.prepare("UPDATE content SET bytes = x'00112233' WHERE id = ?").run(id)
    })
    return { folder, mark, later }
  }

  test('doctor finds damaged content and marks the checkpoints that need it as broken; the others stay available', async () => {
    const { folder, mark, later } = await damaged()
    await using _ = folder
    expect((await folder.engine.call('doctor.run', { workspace: folder.workspace })).ok).toBe(false)
    const all = await list(folder, true)
    expect(all.find((checkpoint) => checkpoint.id === mark)).toMatchObject({
      status: 'broken',
      restorable: false,
      cause: { code: 'broken', path: 'app.txt' }
    })
    expect((await list(folder)).map((checkpoint) => checkpoint.id)).toEqual([later])
  })

  test('a restore that finds damaged content writes nothing, and marks the checkpoint as broken', async () => {
    const { folder, mark } = await damaged()
    await using _ = folder
    const before = folder.tree()
    const result = await folder
      .apply({ kind: 'restore', target: mark, outside: 'replace' })
      .catch((error: { code: string }) => error.code)
    expect(typeof result === 'string' ? result : result?.state).not.toBe('done')
    expect(folder.tree()).toEqual(before)
    expect((await list(folder, true)).find((checkpoint) => checkpoint.id === mark)?.status).toBe('broken')
  })
})
