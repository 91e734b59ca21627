/** [RV-4] [RV-5] A review as a person and an agent use it: the command line, the real hook, the real MCP server. */
import { type ChildProcess, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { connectHost, type HostConnection } from '../../../src/main/host/connect-host.ts'
import { toHookEvent } from '../../support/agent-replay.ts'
import { CLI, HOOK } from '../../support/programs.ts'
import { type CliProject, createCliProject, waitForExit, waitForOutput } from './cli-project.ts'

let project: CliProject
/** One for all tests; each has a folder and a session of its own. */
let recorder: { readonly child: ChildProcess; readonly end: Promise<unknown> }
let connection: HostConnection
let root: string
let session: string
let tests = 0

beforeAll(async () => {
  project = createCliProject()
  const child = project.start(['serve', '--no-open', '--stay'])
  recorder = { child, end: waitForExit(child) }
  await waitForOutput(child.stdout!, '#token=')
  connection = (await connectHost(project.data, 10_000, 10_000)) as HostConnection
})
afterAll(async () => {
  connection.disconnect()
  recorder.child.kill('SIGKILL')
  await recorder.end
  project.remove()
})
beforeEach(async () => {
  tests += 1
  session = `session-${tests}`
  root = join(project.root, `project-${tests}`)
  write('one\ntwo\nthree\n')
  await call(['add'])
})

const call = (args: readonly string[]) => project.call(args, root)
const json = <T>(args: readonly string[]) => project.json<T>(args, root)
const write = (text: string): void => project.write(`project-${tests}/src/total.ts`, text)
const read = (): string => project.read(`project-${tests}/src/total.ts`)

/** What the hook prints for an event of Claude Code, or of `agent`. */
function hook(event: string, input: object, agent = 'claude-code'): string {
  const payload = { session_id: session, cwd: root, hook_event_name: event, ...input }
  const { stdout, stderr, status } = spawnSync(process.execPath, [HOOK, 'hook', agent, event], {
    cwd: root,
    // As Claude Code does; on Windows nothing else tells its process.
    env: { ...project.env, CLAUDE_PID: String(process.pid) },
    input: JSON.stringify(payload)
  })
  expect({ status, stderr: String(stderr) }).toEqual({ status: 0, stderr: '' })
  return String(stdout)
}

/** Sends an event as a hook does whose answer nobody reads. */
async function sendEvent(event: string, input: object): Promise<void> {
  const payload = { session_id: session, cwd: root, hook_event_name: event, ...input }
  const { client } = connection
  await client.call('agent.event', toHookEvent('claude-code', { event, input: payload }))
}

/** A run that changes the second line. */
async function changedRun(): Promise<string> {
  await sendEvent('UserPromptSubmit', { prompt: 'capitals please' })
  const call = { tool_name: 'Write', tool_input: { file_path: join(root, 'src/total.ts') }, tool_use_id: 'a' }
  await sendEvent('PreToolUse', call)
  write('one\nTWO\nthree\n')
  await sendEvent('PostToolUse', call)
  await sendEvent('Stop', {})
  return (await json<{ entries: { id: string }[] }>(['log', '--kind', 'run'])).doc.entries[0]!.id
}

test('a comment and an undo reach the next request of the agent, once', async () => {
  const run = await changedRun()
  expect((await call(['comment', run, 'src/total.ts:2-1', '-m', 'Why?'])).code).toBe(2)
  const added = await json<{ comment: object }>(['comment', run, 'src/total.ts:2', '-m', 'Why?'])
  expect(added.doc.comment).toMatchObject({
    run,
    path: 'src/total.ts',
    line: 2,
    endLine: 2,
    text: 'Why?',
    state: 'open'
  })
  expect((await call(['undo-run', run, '--yes'])).code).toBe(0)
  expect(read()).toBe('one\ntwo\nthree\n')
  const { doc } = await json<{ message: string }>(['review'])
  expect(doc).toMatchObject({
    comments: [{ run, path: 'src/total.ts', lines: 'gone', quote: 'TWO' }],
    decisions: [{ kind: 'undone', run, path: 'src/total.ts', hunk: expect.stringContaining('-TWO') }]
  })
  expect(hook('UserPromptSubmit', { prompt: 'go on' })).toBe('')
  const sent = await json(['review', 'send'])
  expect(sent).toMatchObject({
    code: 0,
    doc: { session, delivered: 'queued', comments: 1, decisions: 1 }
  })
  const printed = hook('UserPromptSubmit', { prompt: 'go on again' })
  expect(JSON.parse(printed)).toEqual({
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: doc.message }
  })
  expect(hook('UserPromptSubmit', { prompt: 'and again' })).toBe('')
  expect((await call(['review'])).out.toString()).toContain('Nothing to send to Claude Code')
})

test('a comment is resolved and reopened; what is missing or does not exist is named, with its exit code', async () => {
  const run = await changedRun()
  const { doc } = await json<{ comment: { id: string } }>(['comment', run, '-m', 'Smaller steps.'])
  const { id } = doc.comment
  expect(await json(['comment', 'resolve', id])).toMatchObject({ doc: { comment: { state: 'resolved' } } })
  expect(await json(['review', '--all'])).toMatchObject({ doc: { comments: [{ id }], message: '' } })
  expect(await json(['comment', 'reopen', id])).toMatchObject({ doc: { comment: { state: 'open' } } })
  expect(await json(['comment', id, '-m', 'Really.'])).toMatchObject({ doc: { comment: { replyTo: id } } })
  expect((await call(['comment', run])).code).toBe(2)
  expect((await call(['comment', 'resolve', 'cm_none'])).code).toBe(5)
  expect((await call(['comment', run, 'src/total.ts:9', '-m', 'x'])).code).toBe(3)
  expect((await call(['review', 'send', 'no-such-session'])).code).toBe(5)
  expect((await call(['comment', 'delete', id])).code).toBe(0)
  const refused = await call(['review', 'send'])
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('There is nothing to send') })
})

test('the MCP server of the agent that works gets the message, another session of the same folder does not', async () => {
  const run = await changedRun()
  await call(['comment', run, '-m', 'Smaller steps.'])
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'mcp'],
    cwd: root,
    env: project.env as Record<string, string>,
    stderr: 'ignore'
  })
  const client = new Client({ name: 'test-client', version: '1.0.0' }, { versionNegotiation: { mode: 'legacy' } })
  await client.connect(transport)
  onTestFinished(() => client.close())
  const readNotes = async (): Promise<unknown> => {
    const answer = await client.callTool({ name: 'review_notes', arguments: {} })
    return (answer as { structuredContent: { message: string } }).structuredContent.message
  }
  // No run of the session is live, so nobody is known to ask.
  await call(['review', 'send'])
  expect(await readNotes()).toBe('')
  hook('UserPromptSubmit', { prompt: 'go on' })
  await call(['comment', run, '-m', 'And tests.'])
  await call(['review', 'send'])
  expect(await readNotes()).toContain('And tests.')
  expect(await readNotes()).toBe('')
})

test('[UI-48] a message is named by its number in the conversation, and the review quotes it', async () => {
  const run = await changedRun()
  expect((await call(['messages', session])).out.toString()).toMatch(/^#1 you, .*:\ncapitals please$/m)
  const { doc } = await json<{ comment: { id: string } }>(['comment', `${session}#1`, '-m', 'Only the vowels.'])
  expect(doc.comment).toMatchObject({ run, message: { seq: 1, role: 'user', undone: false }, quote: 'capitals please' })
  const listed = String((await call(['review', '--all'])).out)
  expect(listed).toMatch(/cm_\w+ {2}open {2}.* {2}prompt #1 {2}Only the vowels\./)
  expect(String((await call(['review'])).out)).toContain('**prompt #1**\n\n```\ncapitals please\n```')
  expect((await call(['comment', `${session}#9`, '-m', 'x'])).code).toBe(5)
  expect((await call(['comment', 'nobody#1', '-m', 'x'])).code).toBe(5)
  expect((await call(['comment', `${session}#1`, 'src/total.ts', '-m', 'x'])).code).toBe(2)
  expect((await call(['comment', 'delete', doc.comment.id])).code).toBe(0)
})

test('of a run without hooks the message is printed, and sending it is refused', async () => {
  await call([
    'run',
    '--title',
    'by hand',
    '--',
    process.execPath,
    '-e',
    "fs.appendFileSync('src/total.ts', 'four\\n')"
  ])
  expect((await call(['comment', 'latest', 'src/total.ts:4', '-m', 'Why four?'])).code).toBe(0)
  expect((await call(['review'])).out.toString()).toContain('Why four?')
  const refused = await call(['review', 'send'])
  expect(refused).toMatchObject({ code: 3, err: expect.stringContaining('No hooks reported to this run') })
})
