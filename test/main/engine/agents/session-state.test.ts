/** Each agent's session state: model, tokens, mode, plan, todos and phase. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import type { SessionDetail } from '../../../../src/contract/conversation.ts'
import type { AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { normalizeEvent } from '../../../../src/main/engine/agents/normalize.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const TRANSCRIPTS = resolve(import.meta.dirname, '../../../fixtures/transcripts')

async function only(folder: RecordedFolder): Promise<SessionDetail> {
  const { sessions } = await folder.engine.call('sessions.list', { workspace: folder.workspace })
  return folder.engine.call('sessions.show', { workspace: folder.workspace, session: sessions[0]!.id })
}

test.each([
  ['claude', 'claude-code', 'claude.jsonl', 'claude-opus-5-5', { input: 0, output: 0 }],
  ['codex', 'codex', 'codex.jsonl', 'gpt-5.5', { input: 500, output: 100 }],
  ['gemini', 'gemini-cli', 'gemini.jsonl', 'gemini-2.5-pro', { input: 600, output: 120 }],
  ['qwen', 'qwen-code', 'qwen.jsonl', 'fake-model', { input: 500, output: 100 }],
  ['cline', 'cline', 'cline.json', 'fake-model', { input: 500, output: 100 }]
] as const)(
  '%s: model and tokens come from its transcript, each record counted once',
  async (name, agent, file, model, tokens) => {
    await using folder = await recordedFolder({ files: PROJECT })
    const lines = recordedEvents(name, folder.root, folder.home)
    const transcript =
      agent === 'cline'
        ? join(folder.home, '.cline/data/sessions/1795214390568_zcujn/1795214390568_zcujn.messages.json')
        : (lines[0]!.input.transcript_path as string)
    mkdirSync(dirname(transcript), { recursive: true })
    copyFileSync(join(TRANSCRIPTS, file), transcript)
    await replay(folder, agent, lines)
    const { session } = await only(folder)
    expect(session).toMatchObject({ model, tokens })
  }
)

test('opencode: mode and model come from the prompt', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents('opencode', folder.root).map((line) => ({
    ...line,
    input: { ...line.input, directory: folder.root }
  }))
  await replay(folder, 'opencode', lines)
  const { session } = await only(folder)
  expect(session).toMatchObject({ mode: 'build', model: 'fake/fake-model' })
  expect(session).not.toHaveProperty('tokens')
})

test.each([
  ['claude', 'claude-code'],
  ['gemini', 'gemini-cli'],
  ['opencode', 'opencode']
] as const)('%s: the todos of its tools', async (name, agent) => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents(name, folder.root).map((line) => ({
    ...line,
    input: agent === 'opencode' ? { ...line.input, directory: folder.root } : line.input
  }))
  await replay(folder, agent, lines)
  expect((await only(folder)).todos.map((todo) => todo.text)).toContain('Write notes')
})

/** The actions of one event. */
const kinds = (agent: AgentId, event: string, payload: object) =>
  normalizeEvent(agent, event, { session_id: 's', taskId: 's', cwd: '/p', hook_event_name: event, ...payload })?.actions

test.each([
  ['claude-code', 'PreToolUse', { tool_name: 'ExitPlanMode', tool_input: { plan: 'the plan' } }],
  ['qwen-code', 'PreToolUse', { tool_name: 'exit_plan_mode', tool_input: { plan: 'the plan' } }],
  ['gemini-cli', 'AfterTool', { tool_name: 'exit_plan_mode', tool_input: { plan: 'the plan' } }],
  ['codex', 'PostToolUse', { tool_name: 'update_plan', tool_input: { explanation: 'the plan', plan: [] } }],
  ['cline', 'PreToolUse', { tool_call: { id: 'c', name: 'plan_mode_respond', input: { response: 'the plan' } } }]
] as const)('%s: a plan that is put before a person', (agent, event, payload) => {
  expect(kinds(agent, event, payload)).toContainEqual({ kind: 'plan', text: 'the plan' })
})

test('gemini: the mode changes with its tools', () => {
  expect(kinds('gemini-cli', 'AfterTool', { tool_name: 'enter_plan_mode' })).toContainEqual({
    kind: 'mode',
    mode: 'plan'
  })
  expect(kinds('gemini-cli', 'AfterTool', { tool_name: 'exit_plan_mode' })).toContainEqual({
    kind: 'mode',
    mode: 'default'
  })
  const refused = { tool_name: 'exit_plan_mode', tool_response: { error: 'refused' } }
  expect(kinds('gemini-cli', 'AfterTool', refused)).not.toContainEqual({ kind: 'mode', mode: 'default' })
})

test('tests after edits start the phase verify; another edit is execute again; the end is stopped', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const file = join(folder.root, 'notes.txt')
  const send = (event: string, more: Record<string, unknown> = {}): Promise<unknown> => {
    const line: Line = { event, input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more } }
    return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', line))
  }
  const tool = async (name: string, id: string, input: object, work = () => {}): Promise<string> => {
    const use = { tool_name: name, tool_use_id: id, tool_input: input }
    await send('PreToolUse', use)
    const { phase } = (await only(folder)).session
    work()
    await send('PostToolUse', use)
    return phase
  }
  await send('UserPromptSubmit', { prompt: 'go' })
  expect(await tool('Bash', 'a', { command: 'npm test' }), 'nothing to verify yet').toBe('execute')
  expect(await tool('Write', 'b', { file_path: file }, () => writeFileSync(file, 'x'))).toBe('execute')
  expect(await tool('Bash', 'c', { command: 'npm test' })).toBe('verify')
  expect(await tool('Read', 'd', { file_path: file })).toBe('verify')
  expect(await tool('Edit', 'e', { file_path: file })).toBe('execute')
  await send('Stop', { background_tasks: [] })
  expect((await only(folder)).session.phase).toBe('stopped')
})
