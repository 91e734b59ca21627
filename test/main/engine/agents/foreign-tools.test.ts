/**
 * Unknown tools, such as a user's own MCP servers: paths in their arguments are declared, everything else they change
 * is inferred.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const FILES = { 'a.txt': 'one\n', 'b.txt': 'two\n' }

interface Names {
  readonly prompt: string
  readonly before: string
  readonly after: string
  readonly stop: string
}
const HOOKS: Names = { prompt: 'UserPromptSubmit', before: 'PreToolUse', after: 'PostToolUse', stop: 'Stop' }

/** The name each agent gives the tool `move_file` of the server `files`. */
const AGENTS: readonly (readonly [string, string, Names])[] = [
  ['claude-code', 'mcp__files__move_file', HOOKS],
  ['codex', 'mcp__files__move_file', HOOKS],
  ['qwen-code', 'mcp__files__move_file', HOOKS],
  [
    'gemini-cli',
    'mcp_files_move_file',
    { prompt: 'BeforeAgent', before: 'BeforeTool', after: 'AfterTool', stop: 'AfterAgent' }
  ],
  [
    'opencode',
    'files_move_file',
    { prompt: 'chat.message', before: 'tool.execute.before', after: 'tool.execute.after', stop: 'session.idle' }
  ]
]

async function changesOf(folder: RecordedFolder): Promise<Record<string, string>> {
  const { workspace } = folder
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 1, kinds: ['run'] })
  const { files } = await folder.engine.call('diff.files', { workspace, target: entries[0]!.id, scope: 'run' })
  return Object.fromEntries(files.filter((file) => file.kind !== 'dir').map((file) => [file.path, file.attribution]))
}

test.each(AGENTS)(
  '%s: the paths that %s names are declared, its other writes are inferred',
  async (agent, name, events) => {
    await using folder = await recordedFolder({ files: FILES })
    const { root } = folder
    const input = { source: join(root, 'a.txt'), destination: 'sub/moved.txt' }
    const base = { session_id: 's', cwd: root, sessionID: 's', directory: root, prompt: 'go', submitted_prompt: 'go' }
    const call = { tool_name: name, tool_input: input, tool_use_id: 't', tool: name, callID: 't', args: input }
    const send = (event: string, more: object = {}): Promise<unknown> =>
      folder.engine.callUntyped(
        'agent.event',
        toHookEvent(agent, { event, input: { ...base, hook_event_name: event, ...more } })
      )
    await send(events.prompt, { output: { parts: [{ type: 'text', text: 'go' }] } })
    await send(events.before, { ...call, output: { args: input } })
    mkdirSync(join(root, 'sub'))
    renameSync(join(root, 'a.txt'), join(root, 'sub/moved.txt'))
    writeFileSync(join(root, 'journal.txt'), 'moved one file\n')
    await send(events.after, call)
    await send(events.stop, { background_tasks: [] })
    expect(await changesOf(folder)).toEqual({ 'sub/moved.txt': 'declared', 'journal.txt': 'inferred' })
    expect((await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })).drift).toEqual([])
  }
)

test.each<[string, object]>([
  ['outside the folder', { path: '/etc/hostname', file: '../beside.txt' }],
  ['in git\u2019s own folder', { path: '.git/config' }],
  ['that is the folder itself', { path: '.' }],
  ['that no system opens', { path: `${'x/'.repeat(1900)}y`, file_path: 'a\0b' }],
  ['deep in lists', { files: [{ edits: [{ path: 'a.txt' }] }, { path: 7 }, null, 'b.txt'] }]
])(
  'a writing tool called with a path %s: nothing outside is read, and its edits are still recorded',
  async (_, input) => {
    await using folder = await recordedFolder({ files: FILES })
    const send = (event: string, more: object = {}): Promise<unknown> =>
      folder.engine.callUntyped(
        'agent.event',
        toHookEvent('claude-code', {
          event,
          input: { session_id: 's', cwd: folder.root, hook_event_name: event, ...more }
        })
      )
    const call = { tool_name: 'mcp__files__write', tool_use_id: 't', tool_input: input }
    await send('UserPromptSubmit', { prompt: 'go' })
    await send('PreToolUse', call)
    writeFileSync(join(folder.root, 'a.txt'), 'changed\n')
    writeFileSync(join(folder.root, 'b.txt'), 'changed\n')
    await send('PostToolUse', call)
    await send('Stop', { background_tasks: [] })
    const attribution = 'files' in input ? 'declared' : 'inferred'
    expect(await changesOf(folder)).toEqual({ 'a.txt': attribution, 'b.txt': attribution })
    const names = folder.store((store) => store.db.prepare("SELECT name FROM path WHERE name <> ''").pluck().all())
    expect(names).toEqual(['a.txt', 'b.txt'])
  }
)
