/** [TS-1] The exit code of a command, as far as each agent reports it beyond doubt. */
import { describe, expect, test } from 'vitest'
import type { AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { normalizeEvent } from '../../../../src/main/engine/agents/normalize.ts'
import { EXIT_READERS } from '../../../../src/main/engine/agents/transcript-records.ts'

function exitOf(agent: AgentId, event: string, payload: object): number | null {
  const base = { session_id: 's', cwd: '/p', hook_event_name: event }
  const end = normalizeEvent(agent, event, { ...base, ...payload })?.actions.find(
    (action) => action.kind === 'tool-end'
  )
  return end?.exit?.code ?? null
}

describe('Claude Code', () => {
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' } }
  test.each([
    ['succeeded', 'PostToolUse', { tool_response: { stdout: '', interrupted: false } }, 0],
    ['interrupted', 'PostToolUse', { tool_response: { stdout: '', interrupted: true } }, null],
    ['in the background', 'PostToolUse', { tool_response: { backgroundTaskId: 'b' } }, null],
    ['failed', 'PostToolUseFailure', { error: 'Exit code 3\nExit code 0' }, 3],
    ['printed a code before its own', 'PostToolUseFailure', { error: 'no\nExit code 3' }, null],
    ['cancelled', 'PostToolUseFailure', { error: 'Exit code 137', is_interrupt: true }, null]
  ])('a command that %s', (_, event, payload, code) => {
    expect(exitOf('claude-code', event, { ...bash, ...payload })).toBe(code)
    expect(exitOf('claude-code', event, { ...bash, tool_name: 'Write', ...payload })).toBeNull()
  })
})

describe('Gemini CLI', () => {
  const exit = (llmContent: string, error?: object) =>
    exitOf('gemini-cli', 'AfterTool', {
      tool_name: 'run_shell_command',
      tool_input: { command: 'npm test' },
      tool_response: { llmContent, returnDisplay: '', ...(error ? { error } : {}) }
    })
  test.each([
    ['<untrusted_context>\nOutput: ok\nProcess Group PGID: 27\n</untrusted_context>', 0],
    ['Output: bad\nExit Code: 1\nProcess Group PGID: 27', 1],
    ['Output: bad\nExit Code: 1\nBackground PIDs: 30, 31\nProcess Group PGID: 27', 1],
    [
      'Command: npm test\nDirectory: (root)\nOutput: ok\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: 27',
      0
    ],
    ['Output: \nSignal: SIGKILL\nProcess Group PGID: 27', null],
    ['Output: \nError: spawn failed\nProcess Group PGID: 27', null],
    ['Command was cancelled by user before it could complete. Below is the output:\nok\nProcess Group PGID: 27', null],
    ['Command moved to background (PID: 27). Output hidden.', null],
    ['A summary by another model: all passed', null]
  ])('%j', (text, code) => {
    expect(exit(text)).toBe(code)
    expect(exit(text, { message: 'failed' })).toBeNull()
  })
})

test.each([
  ['Output: ok\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)', 0],
  ['Output: Exit Code: 0\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: 12', 2],
  ['Output: ok\nError: (none)\nExit Code: (none)\nSignal: 9\nProcess Group PGID: 12', null],
  ['Output: ok\nProcess Group PGID: 12', null]
])('Qwen Code: %j', (llmContent, code) => {
  const payload = { tool_name: 'run_shell_command', tool_input: { command: 'npm test' }, tool_response: { llmContent } }
  expect(exitOf('qwen-code', 'PostToolUse', payload)).toBe(code)
})

test('opencode', () => {
  const exit = (metadata: object, tool = 'bash') =>
    exitOf('opencode', 'tool.execute.after', {
      ...{ directory: '/p', sessionID: 's', tool, callID: 'c', args: { command: 'npm test' }, output: { metadata } }
    })
  expect([exit({ exit: 0 }), exit({ exit: 4 }), exit({ exit: null }), exit({}), exit({ exit: 0 }, 'edit')]).toEqual([
    ...[0, 4, null, null, null]
  ])
})

test('Cline: of a single command, because several run at the same time', () => {
  const exit = (commands: readonly string[], ...output: object[]) =>
    exitOf('cline', 'PostToolUse', {
      taskId: 't',
      tool_result: { id: 'c', name: 'run_commands', input: { commands }, output }
    })
  expect(exit(['npm test'], { success: true, result: 'ok' })).toBe(0)
  expect(exit(['npm test'], { success: false, result: 'no', error: 'Command exited with code 2' })).toBe(2)
  expect(exit(['npm test'], { success: false, error: 'Command timed out after 30000ms' })).toBeNull()
  expect(exit(['npm test'], { success: true, result: '[Command is still running. Output in /tmp/x]' })).toBeNull()
  expect(exit(['npm test', 'ls'], { success: true, result: '' }, { success: true, result: '' })).toBeNull()
})

test('Codex: its hooks report none, its transcript does, for the same call', () => {
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_response: 'ok' }
  expect(exitOf('codex', 'PostToolUse', bash)).toBeNull()
  const item = { type: 'CommandExecution', id: 'call_1', command: ['/bin/bash', '-lc', 'npm test'], exit_code: 1 }
  const record = (changed: object) => ({
    type: 'event_msg',
    payload: { type: 'item_completed', item: { ...item, ...changed } }
  })
  expect(EXIT_READERS.codex?.(record({}))).toEqual([{ call: 'call_1', command: 'npm test', code: 1 }])
  expect(EXIT_READERS.codex?.(record({ exit_code: null }))).toEqual([])
})
