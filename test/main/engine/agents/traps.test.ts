/**
 * Behaviour of real agents that a naive recorder gets wrong. The numbers are those of the agent integration notes
 * (2.3 to 2.6).
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Params } from '../../../../src/contract/api.ts'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { AGENTS } from '../../../../src/main/engine/agents/agent-action.ts'
import { guardedHookCommand, launcherFile, writeLauncher } from '../../../../src/main/engine/agents/connect/launcher.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { CLI } from '../../../support/programs.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

const runs = async (folder: RecordedFolder): Promise<RunEntry[]> =>
  (await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 50, kinds: ['run'] }))
    .entries as RunEntry[]
const changes = async (folder: RecordedFolder, run: string): Promise<Record<string, string>> => {
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })
  return Object.fromEntries(files.filter((file) => file.kind !== 'dir').map((file) => [file.path, file.attribution]))
}
const outside = async (folder: RecordedFolder): Promise<readonly string[]> =>
  (await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift.flatMap(
    (drift) => drift.paths
  )
const calls = async (folder: RecordedFolder, run: string) =>
  (await folder.engine.call('entry.show', { workspace: folder.workspace, target: run })).calls ?? []

/** Sends events of one agent for one session. */
function teller(folder: RecordedFolder, agent: string, base: Record<string, unknown> = {}) {
  return (event: string, more: Record<string, unknown> = {}, also: Partial<Params<'agent.event'>> = {}) =>
    folder.engine.callUntyped(
      'agent.event',
      toHookEvent(
        agent,
        { event, input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...base, ...more } },
        also
      )
    )
}

describe('2.3 a hook that misbehaves', () => {
  const run = (command: string, env: NodeJS.ProcessEnv = {}) =>
    spawnSync(command, { shell: true, input: '{}', encoding: 'utf8', env: { PATH: process.env.PATH, ...env } })
  const silent = { status: 0, stdout: '', stderr: '' }

  test.each(AGENTS)(
    '%s: with Driftline removed, its command succeeds silently (else Gemini blocks every tool)',
    (agent) => {
      using temp = tempFolder("driftline it's ")
      const command = guardedHookCommand(temp.path, agent, 'PreToolUse')
      expect(run(command)).toMatchObject(silent)
      // The launcher exists, but its program does not: another version, or a removed Node.
      writeLauncher(temp.path, join(temp.path, 'gone', 'cli.cjs'))
      expect(run(command)).toMatchObject(silent)
      const text = readFileSync(launcherFile(temp.path), 'utf8')
        .replace(/^node=.*$/m, "node='/gone/node'")
        .replaceAll('node.exe', 'gone.exe')
      writeFileSync(launcherFile(temp.path), text)
      expect(run(command)).toMatchObject(silent)
    }
  )

  test('2.4 the command\u2019s text does not depend on the version: Codex trusts it once', () => {
    using temp = tempFolder()
    const before = guardedHookCommand(temp.path, 'codex', 'Stop')
    writeLauncher(temp.path, join(temp.path, 'new', 'cli.cjs'))
    expect(guardedHookCommand(temp.path, 'codex', 'Stop')).toBe(before)
    expect(before).not.toMatch(/node|\d+\.\d+/)
  })

  test('with everything in place the real command prints nothing, too', () => {
    using temp = tempFolder()
    writeLauncher(temp.path, CLI)
    expect(run(guardedHookCommand(temp.path, 'gemini-cli', 'BeforeTool'), { HOME: temp.path })).toMatchObject(silent)
  })
})

test('2.6.1 2.6.2 a shell\u2019s edits are the agent\u2019s with and without the list that Claude sometimes adds', async () => {
  const without = (line: Line): Line => {
    const reply = line.input.tool_response as Record<string, unknown> | undefined
    if (!reply || !('bashEditDiff' in reply)) return line
    const { bashEditDiff: _, ...rest } = reply
    return { ...line, input: { ...line.input, tool_response: rest } }
  }
  const found: Record<string, string>[] = []
  for (const change of [(line: Line) => line, without]) {
    await using folder = await recordedFolder({ files: PROJECT })
    await replay(folder, 'claude-code', recordedEvents('claude', folder.root).map(change))
    found.push(await changes(folder, (await runs(folder))[0]!.id))
  }
  expect(found[1]).toEqual(found[0])
  expect(found[0]).toMatchObject({ 'b.txt': 'inferred' })
})

test('2.6.3 no hook reports an interrupt: the end of the session ends the turn, with its edits', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'claude-code')
  await send('UserPromptSubmit', { prompt: 'go' })
  await send('PreToolUse', { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'x' } })
  writeFileSync(join(folder.root, 'half.txt'), 'half')
  await send('SessionEnd', { reason: 'prompt_input_exit' })
  const [run] = await runs(folder)
  expect([run!.state, await changes(folder, run!.id)]).toEqual(['ended', { 'half.txt': 'inferred' }])
  expect((await calls(folder, run!.id)).map((call) => call.state)).toEqual(['abandoned'])
})

test('2.6.3 codex reports an interrupt but lets the command continue: its later writes are outside, and the run has a note', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'codex', { turn_id: 't' })
  await send('UserPromptSubmit', { prompt: 'go slow' })
  await send('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'slow' }, tool_use_id: 'c1' })
  writeFileSync(join(folder.root, 'half.txt'), 'half\n')
  await send('Interrupt')
  writeFileSync(join(folder.root, 'late.txt'), 'late\n')
  const [run] = await runs(folder)
  expect(run).toMatchObject({ state: 'ended', notes: [{ code: 'stopped-with-command' }] })
  expect(await changes(folder, run!.id)).toEqual({ 'half.txt': 'inferred' })
  expect(await outside(folder)).toEqual(['late.txt'])
})

test('2.6.4 qwen: the agent tool replies before its subagent writes: the edit is still the run\u2019s', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'qwen-code')
  const agent = { tool_name: 'agent', tool_use_id: 'a', tool_input: { prompt: 'write it' } }
  const file = join(folder.root, 'sub.txt')
  const write = { tool_name: 'write_file', tool_use_id: 'w', tool_input: { file_path: file }, agent_id: 'sub-1' }
  await send('UserPromptSubmit', { prompt: 'go', submitted_prompt: 'go' })
  await send('PreToolUse', agent)
  await send('PostToolUse', agent)
  await send('PreToolUse', write)
  writeFileSync(file, 'x')
  await send('PostToolUse', write)
  await send('SubagentStop', { agent_id: 'sub-1' })
  await send('Stop', { background_tasks: [] })
  const [run, ...others] = await runs(folder)
  expect([others, await changes(folder, run!.id)]).toEqual([[], { 'sub.txt': 'declared' }])
  expect((await calls(folder, run!.id)).map((call) => [call.name, call.subagent])).toEqual([
    ['agent', null],
    ['write_file', 'sub-1']
  ])
})

test('2.6.4 a subagent that writes after the stop keeps the turn open, and a task notification is not a prompt', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'claude-code')
  const file = join(folder.root, 'late.txt')
  const write = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: file }, agent_id: 'a1' }
  await send('UserPromptSubmit', { prompt: 'go' })
  await send('Stop', { background_tasks: [{ id: 'a1' }] })
  await send('PreToolUse', write)
  writeFileSync(file, 'x')
  await send('PostToolUse', write)
  await send('UserPromptSubmit', { prompt: '<task-notification>done</task-notification>' })
  await send('Stop', { background_tasks: [] })
  const [run, ...others] = await runs(folder)
  expect([others, run!.title, run!.turns, run!.state]).toEqual([[], 'go', 1, 'ended'])
  expect(await changes(folder, run!.id)).toEqual({ 'late.txt': 'declared' })
})

test('2.6.5 a detached process\u2019s writes after its session are recorded as outside edits', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents('claude', folder.root)
  await replay(folder, 'claude-code', lines)
  writeFileSync(join(folder.root, 'detached.txt'), 'late')
  expect(await outside(folder)).toEqual(['detached.txt'])
  expect(await changes(folder, (await runs(folder))[0]!.id)).not.toHaveProperty('detached.txt')
})

test('2.6.6 gemini: calls without ids are matched in order, also two of one tool at once', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'gemini-cli')
  const write = (name: string) => ({ tool_name: 'write_file', tool_input: { file_path: join(folder.root, name) } })
  await send('BeforeAgent', { prompt: 'go' })
  await send('BeforeTool', write('one.txt'))
  await send('BeforeTool', write('two.txt'))
  writeFileSync(join(folder.root, 'one.txt'), '1')
  await send('AfterTool', write('one.txt'))
  writeFileSync(join(folder.root, 'two.txt'), '2')
  await send('AfterTool', write('two.txt'))
  await send('AfterAgent', { prompt_response: 'done' })
  const [run] = await runs(folder)
  expect(await changes(folder, run!.id)).toEqual({ 'one.txt': 'declared', 'two.txt': 'declared' })
  expect((await calls(folder, run!.id)).map((call) => [call.state, call.changed.map((change) => change.path)])).toEqual(
    [
      ['done', ['one.txt']],
      ['done', ['two.txt']]
    ]
  )
})

test('2.6.7 a rewind inside the agent sends no event: its writes are outside edits, and nothing is lost', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const send = teller(folder, 'claude-code')
  const app = join(folder.root, 'app.txt')
  const edit = { tool_name: 'Edit', tool_use_id: 'e', tool_input: { file_path: app } }
  await send('UserPromptSubmit', { prompt: 'one' })
  await send('PreToolUse', edit)
  writeFileSync(app, 'the agent\n')
  await send('PostToolUse', edit)
  await send('Stop', { background_tasks: [] })
  writeFileSync(app, PROJECT['app.txt'])
  await send('UserPromptSubmit', { prompt: 'two' })
  const [secondRun, firstRun] = await runs(folder)
  expect(await changes(folder, secondRun!.id)).toEqual({})
  expect(await changes(folder, firstRun!.id)).toEqual({ 'app.txt': 'declared' })
  const { versions } = await folder.engine.call('file.history', { workspace: folder.workspace, path: 'app.txt' })
  expect(versions.map((version) => version.origin)).toEqual(['outside', 'agent', 'baseline'])
})

test.each([
  ['codex', 'PreToolUse', 'PostToolUse'],
  ['opencode', 'tool.execute.before', 'tool.execute.after']
] as const)(
  '2.6.8 %s: a patch names several paths, relative to the agent\u2019s folder',
  async (agent, before, after) => {
    await using folder = await recordedFolder({ files: { ...PROJECT, 'sub/x.txt': 'x\n' } })
    const { root } = folder
    const sub = join(root, 'sub')
    const patch =
      '*** Begin Patch\n*** Add File: made.txt\n+1\n*** Update File: x.txt\n*** Move to: y.txt\n*** Delete File: ../c.txt\n*** End Patch\n'
    const send = teller(folder, agent, { cwd: sub, directory: sub, sessionID: 's' })
    const use = {
      tool_name: 'apply_patch',
      tool_use_id: 'p',
      tool_input: { command: patch },
      tool: 'apply_patch',
      callID: 'p',
      output: { args: { patchText: patch } },
      args: { patchText: patch }
    }
    await send(agent === 'codex' ? 'UserPromptSubmit' : 'chat.message', {
      prompt: 'go',
      output: { parts: [{ text: 'go' }] }
    })
    await send(before, use)
    const [run] = await runs(folder)
    expect((await calls(folder, run!.id))[0]!.paths).toEqual(['c.txt', 'sub/made.txt', 'sub/x.txt', 'sub/y.txt'])
    writeFileSync(join(sub, 'made.txt'), '1\n')
    rmSync(join(sub, 'x.txt'))
    writeFileSync(join(sub, 'y.txt'), 'another\n')
    rmSync(join(root, 'c.txt'))
    await send(after, use)
    expect(await changes(folder, run!.id)).toEqual({
      'c.txt': 'declared',
      'sub/made.txt': 'declared',
      'sub/x.txt': 'declared',
      'sub/y.txt': 'declared'
    })
    expect(await outside(folder)).toEqual([])
  }
)

test('2.2 the shell\u2019s folder may change: the agent\u2019s project names the workspace', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const away = tmpdir()
  const send = teller(folder, 'claude-code', { cwd: away })
  const project = { project: folder.root }
  const file = join(folder.root, 'here.txt')
  const write = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: file } }
  expect(await send('UserPromptSubmit', { prompt: 'go' })).toEqual({ ingested: false })
  await send('UserPromptSubmit', { prompt: 'go' }, project)
  await send('PreToolUse', write, project)
  writeFileSync(file, 'x')
  await send('PostToolUse', write, project)
  expect(await changes(folder, (await runs(folder))[0]!.id)).toEqual({ 'here.txt': 'declared' })
})

test('2.2 hooks that are registered twice (Cursor runs Claude\u2019s, too) send everything twice, which changes nothing', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents('claude', folder.root)
  const end = lines.findIndex((line) => line.event === 'Stop')
  for (const line of lines.slice(0, end)) {
    await replay(folder, 'claude-code', [line])
    await folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
  }
  const [run, ...others] = await runs(folder)
  const starts = lines.filter((line) => line.event === 'PreToolUse').length
  expect([others, run!.turns, (await calls(folder, run!.id)).length]).toEqual([[], 1, starts])
  const { sessions } = await folder.engine.call('sessions.list', { workspace: folder.workspace })
  const { messages } = await folder.engine.call('sessions.messages', {
    workspace: folder.workspace,
    session: sessions[0]!.id
  })
  expect(messages.filter((message) => message.role === 'user')).toHaveLength(1)
})

test('missing or odd ids and fields of another shape are ignored, never an error', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  for (const agent of AGENTS) {
    const send = teller(folder, agent)
    for (const event of [
      'UserPromptSubmit',
      'PreToolUse',
      'BeforeTool',
      'PostToolUse',
      'AfterTool',
      'Stop',
      'TaskStart'
    ])
      for (const odd of [{ session_id: 7 }, { tool_input: 'text' }, { tool_name: null, tool_use_id: {} }, { cwd: 3 }])
        await expect(send(event, odd)).resolves.toMatchObject({ ingested: expect.any(Boolean) })
  }
  expect(await outside(folder)).toEqual([])
})
