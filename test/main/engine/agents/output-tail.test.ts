/** The tail of a command's output: from each agent's reply, shortened and cleaned, and never with secrets. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionCall } from '../../../../src/contract/conversation.ts'
import type { AgentId } from '../../../../src/main/engine/agents/agent-action.ts'
import { normalizeEvent } from '../../../../src/main/engine/agents/normalize.ts'
import { outputTail } from '../../../../src/main/engine/agents/output-tail.ts'
import { PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

/** The tool calls of the only session. */
async function calls(folder: RecordedFolder): Promise<readonly SessionCall[]> {
  const { workspace, engine } = folder
  const { sessions } = await engine.call('sessions.list', { workspace })
  return (await engine.call('sessions.show', { workspace, session: sessions[0]!.id })).calls
}

/** One command of Claude Code and its output. */
async function ran(folder: RecordedFolder, command: string, stdout: string, more: object = {}): Promise<SessionCall> {
  const use = { tool_name: 'Bash', tool_use_id: command, tool_input: { command } }
  const send = (event: string, input: object): Promise<unknown> =>
    folder.engine.callUntyped(
      'agent.event',
      toHookEvent('claude-code', {
        event,
        input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...input }
      })
    )
  await send('UserPromptSubmit', { prompt: command, prompt_id: command })
  await send('PreToolUse', use)
  await send('PostToolUse', { ...use, tool_response: { stdout, stderr: '', ...more } })
  return (await calls(folder)).find((call) => call.summary === command)!
}

const hook = (event: string, tool: string, reply: object): [string, object] => [
  event,
  { session_id: 's', cwd: '/p', hook_event_name: event, tool_name: tool, tool_input: { command: 'ls' }, ...reply }
]

describe('each agent reports output in its own form', () => {
  const outputOf = (agent: AgentId, [event, payload]: [string, object]): unknown => {
    const end = normalizeEvent(agent, event, payload)?.actions.find((entry) => entry.kind === 'tool-end')
    return end?.output ?? null
  }
  const printed = { command: 'ls', text: 'out' }

  test.each<[string, AgentId, [string, object], unknown]>([
    [
      'both streams',
      'claude-code',
      hook('PostToolUse', 'Bash', { tool_response: { stdout: 'a', stderr: 'b' } }),
      { command: 'ls', text: 'a\nb' }
    ],
    ['a failed command', 'claude-code', hook('PostToolUseFailure', 'Bash', { error: 'out' }), printed],
    [
      'an image is not text',
      'claude-code',
      hook('PostToolUse', 'Bash', { tool_response: { stdout: 'iVBO', isImage: true } }),
      null
    ],
    ['a tool that is no command', 'claude-code', hook('PostToolUse', 'Read', { tool_response: { stdout: 'a' } }), null],
    ['a text', 'codex', hook('PostToolUse', 'Bash', { tool_response: 'out' }), printed],
    ['a patch is no command', 'codex', hook('PostToolUse', 'apply_patch', { tool_response: 'out' }), null],
    [
      'the displayed text',
      'gemini-cli',
      hook('AfterTool', 'run_shell_command', { tool_response: { llmContent: 'x', returnDisplay: 'out' } }),
      printed
    ],
    [
      'the displayed text',
      'qwen-code',
      hook('PostToolUse', 'run_shell_command', { tool_response: { llmContent: 'x', returnDisplay: 'out' } }),
      printed
    ],
    ['a failed command', 'qwen-code', hook('PostToolUseFailure', 'run_shell_command', { error: 'out' }), printed],
    [
      'several commands',
      'cline',
      [
        'PostToolUse',
        {
          taskId: 's',
          cwd: '/p',
          tool_result: {
            name: 'run_commands',
            input: { commands: ['ls', 'pwd'] },
            output: [{ result: 'a' }, { result: 'b' }]
          }
        }
      ],
      { command: 'ls\npwd', text: 'a\nb' }
    ],
    [
      'metadata',
      'opencode',
      [
        'tool.execute.after',
        {
          sessionID: 's',
          directory: '/p',
          tool: 'bash',
          args: { command: 'ls' },
          output: { output: 'x', metadata: { output: 'out' } }
        }
      ],
      printed
    ],
    [
      'nothing was printed',
      'opencode',
      [
        'tool.execute.after',
        {
          sessionID: 's',
          directory: '/p',
          tool: 'bash',
          args: { command: 'ls' },
          output: { metadata: { output: '(no output)' } }
        }
      ],
      null
    ]
  ])('%s (%s)', (_what, agent, payload, expected) => {
    expect(outputOf(agent, payload) ?? null).toEqual(expected)
  })

  test('the recorded conversation of Codex has its command’s output, and the lines each call wrote', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    await replay(folder, 'codex', recordedEvents('codex', folder.root))
    const printed = (await calls(folder)).map(({ name, added, deleted, output }) => [
      name,
      added,
      deleted,
      output?.text
    ])
    expect(printed).toEqual([
      ['apply_patch', 2, 0, undefined],
      ['Bash', 0, 0, 'name = demo\ncolour = red'],
      ['apply_patch', 1, 1, undefined],
      // A file moved and changed, one deleted, one created.
      ['Bash', 2, 2, undefined]
    ])
  })
})

describe('only the tail is stored', () => {
  test('at most twenty lines and four thousand characters, marked as cut', () => {
    const lines = Array.from({ length: 30 }, (_, n) => `line ${n}`)
    expect(outputTail(lines.join('\n'))).toEqual({ text: lines.slice(10).join('\n'), cut: true })
    expect(outputTail(`${lines.slice(10).join('\n')}\n\n`)).toEqual({ text: lines.slice(10).join('\n'), cut: false })
    const wide = outputTail(`${'\u{1F600}'.repeat(3000)}x`)
    expect([wide.text.length, wide.text.isWellFormed(), wide.cut]).toEqual([3999, true, true])
    const huge = outputTail(`${'y'.repeat(3_000_000)}\nend`)
    expect([huge.text.length, huge.text.endsWith('y\nend'), huge.cut]).toEqual([4000, true, true])
  })

  test('as a terminal shows it at the end: no colours, no control sequences, a progress bar in its last state', () => {
    expect(outputTail('\u001b[32m✓\u001b[39m ok\r\n 10 %\r 99 %\r100 %\r\ndone\u0007 \n').text).toBe(
      '✓ ok\n100 %\ndone'
    )
    expect(outputTail('\n\n').text).toBe('')
  })
})

describe('output that may hold secrets is not stored', () => {
  test.each([
    'cat .env',
    'cat ./config/.env.local | sort',
    'node --env-file=.env x.js',
    'cat private/notes.txt',
    'ls private',
    'cd private && cat notes.txt',
    'cat "*.pem"'
  ])('%s', async (command) => {
    await using folder = await recordedFolder({ files: { 'private/notes.txt': 'x', a: 'a' } })
    await folder.engine.call('settings.set', { key: 'capture.never', value: 'private/' })
    expect((await ran(folder, command, 'a word')).output).toBeNull()
    expect((await ran(folder, 'cat a', 'a word')).output).toEqual({ text: 'a word', cut: false })
  })

  test('a search that finds such a file', async () => {
    await using folder = await recordedFolder({ files: { a: 'a' } })
    expect((await ran(folder, 'grep -r KEY .', 'src/x.ts:KEY\nconfig/.env:KEY=1234')).output).toBeNull()
    expect((await ran(folder, 'npm test', '✓ an unknown secret is refused.')).output?.text).toContain('refused')
  })
})

test('a long call’s lines are counted when it ends; followers are notified then', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  const { engine, workspace, root } = folder
  const use = { tool_name: 'Bash', tool_use_id: 't', tool_input: { command: 'generate' } }
  const send = (event: string, input: object = {}): Promise<unknown> =>
    engine.callUntyped(
      'agent.event',
      toHookEvent('claude-code', { event, input: { session_id: 's', cwd: root, hook_event_name: event, ...input } })
    )
  await send('UserPromptSubmit', { prompt: 'go', prompt_id: 'p' })
  await send('PreToolUse', use)
  for (let n = 0; n < 300; n++) writeFileSync(join(root, `made-${n}`), `${n}\n`)
  await engine.call('workspace.status', { workspace, check: true })
  const open = await engine.call('sessions.show', { workspace, session: 's' })
  expect(open.calls[0]).toMatchObject({ changedCount: 300, added: 0, counted: false })
  await send('PostToolUse', { ...use, tool_response: {} })
  let last = await engine.call('sessions.show', { workspace, session: 's', since: open.mark })
  while (!last.calls[0]!.counted) {
    // An answer alone leaves no turn to the count.
    await new Promise(setImmediate)
    last = await engine.call('sessions.show', { workspace, session: 's', since: last.mark })
  }
  expect(last.calls[0]).toMatchObject({ added: 300, deleted: 0 })
  expect((await engine.call('sessions.show', { workspace, session: 's', since: last.mark })).calls).toEqual([])
})
