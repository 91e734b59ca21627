/** [TS-1] [TS-2] Test results, from what agents and `driftline run` report, at their positions. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { TestResult } from '../../../../src/contract/tests.ts'
import type { RunEntry, TimelineEntry } from '../../../../src/contract/timeline.ts'
import { deleteConversation } from '../../../../src/main/engine/runs/delete-conversation.ts'
import { lastPass } from '../../../../src/main/engine/store/test-results.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

/** Claude Code in one session: it writes files and runs commands that end with an exit code. */
function agentOf(folder: RecordedFolder, session = 's') {
  let n = 0
  const send = (event: string, payload: object): Promise<unknown> =>
    folder.engine.callUntyped(
      'agent.event',
      toHookEvent('claude-code', { event, input: { session_id: session, cwd: folder.root, ...payload } })
    )
  const prompt = (text: string) => send('UserPromptSubmit', { prompt: text, prompt_id: text })
  const write = async (path: string, content: string): Promise<void> => {
    const use = {
      tool_name: 'Write',
      tool_use_id: `${session}${++n}`,
      tool_input: { file_path: join(folder.root, path) }
    }
    await send('PreToolUse', use)
    writeFiles(folder.root, { [path]: content })
    await send('PostToolUse', use)
  }
  const start = async (command: string) => {
    const use = { tool_name: 'Bash', tool_use_id: `${session}${++n}`, tool_input: { command } }
    await send('PreToolUse', use)
    return (code: number, more: object = {}) =>
      code === 0
        ? send('PostToolUse', { ...use, tool_response: { stdout: 'ok', stderr: '', interrupted: false, ...more } })
        : send('PostToolUseFailure', { ...use, error: `Exit code ${code}\n1 failed`, ...more })
  }
  const run = async (command: string, code: number, more: object = {}) => (await start(command))(code, more)
  return { send, prompt, write, start, run, stop: () => send('Stop', { background_tasks: [] }) }
}

async function entries({ engine, workspace }: RecordedFolder): Promise<readonly TimelineEntry[]> {
  return (await engine.call('timeline.list', { workspace, limit: 50 })).entries
}

async function testsOf(folder: RecordedFolder): Promise<readonly TestResult[]> {
  return (await entries(folder)).find((entry): entry is RunEntry => entry.kind === 'run')?.tests ?? []
}

const brief = (tests: readonly TestResult[] | undefined) => tests?.map(({ command, result }) => `${command} ${result}`)

test('[TS-1] a run, the versions of its files and a pin have the results at their positions', async () => {
  await using folder = await recordedFolder({ files: { 'a.ts': '0' } })
  const { workspace, engine } = folder
  const agent = agentOf(folder)
  await agent.prompt('add a')
  await agent.run('npm test', 0)
  await agent.write('a.ts', '1')
  await agent.run('npm test', 1)
  await agent.write('a.ts', '2')
  await agent.run('CI=1 npm test 2>&1', 0)
  await agent.run('npx tsc --noEmit', 2)
  await agent.stop()
  await folder.checkpoint('good')
  expect(brief(await testsOf(folder))).toEqual([
    'npm test passed',
    'npm test failed',
    'npm test passed',
    'npx tsc --noEmit failed'
  ])
  const { versions } = await engine.call('file.history', { workspace, path: 'a.ts' })
  expect(versions.map(({ tests }) => brief(tests))).toEqual([
    ['npm test passed', 'npx tsc --noEmit failed'],
    ['npm test failed'],
    ['npm test passed']
  ])
  const [pin] = await entries(folder)
  expect(brief(pin?.tests)).toEqual(['npm test passed', 'npx tsc --noEmit failed'])
})

test('[TS-1] a pipe, an interrupt, a command in the background and one without an exit code claim nothing', async () => {
  await using folder = await recordedFolder()
  const agent = agentOf(folder)
  await agent.prompt('try')
  await agent.run('npm test | tail -5', 0)
  await agent.run('npm test', 0, { interrupted: true })
  await agent.run('npm test', 1, { is_interrupt: true })
  await agent.run('npm test', 0, { backgroundTaskId: 'b1' })
  await agent.run('npm test', 1, { error: 'The user rejected this tool use.' })
  await agent.start('npm test')
  await agent.stop()
  expect(await testsOf(folder)).toEqual([])
})

test('[TS-1] a result is not recorded when others changed files while the tests ran', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const [one, two] = [agentOf(folder, 'one'), agentOf(folder, 'two')]
  await one.prompt('test')
  await two.prompt('edit')
  const end = await one.start('npm test')
  await two.write('a', '1')
  await end(0)
  const own = await one.start('npm test -- -u')
  writeFiles(folder.root, { snapshot: 'of the tests' })
  await own(0)
  const tested = (await entries(folder)).flatMap(({ tests = [] }) => tests)
  expect(brief(tested)).toEqual(['npm test -- -u passed'])
})

test('[TS-1] the command of `driftline run` and one that the settings name have results', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { engine, workspace } = folder
  await engine.call('settings.set', { key: `tests.commands/${workspace}`, value: './ci.sh\nmake verify' })
  const run = async (command: string, exitCode: number): Promise<void> => {
    const { run } = await engine.call('run.begin', { workspace, title: 'x', agent: 'command', pid: 1, pidStart: '' })
    await engine.call('run.end', { workspace, run, exitCode, command })
  }
  await run('npm test', 0)
  await run("sh -c './ci.sh --all'", 3)
  await run('make', 0)
  const tested = (await entries(folder)).map(({ tests }) => brief(tests))
  expect(tested).toEqual([[], ['./ci.sh --all failed'], ['npm test passed']])
})

test('[TS-2] green is where tests passed last: types and lint do not replace it, and a failure at the same place does', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { engine, workspace } = folder
  const agent = agentOf(folder)
  const green = async () => (await engine.call('workspace.status', { workspace, check: false })).lastPass?.seq ?? null
  await expect(folder.plan({ kind: 'restore', target: 'green' })).rejects.toMatchObject({ code: 'UnknownTarget' })
  await agent.prompt('work')
  await agent.write('a', '1')
  await agent.run('npx tsc', 0)
  expect(await green()).toBe(1)
  await agent.write('a', '2')
  await agent.run('npm test', 0)
  await agent.write('a', '3')
  await agent.run('npx tsc', 0)
  await agent.run('npm test', 1)
  expect(await green()).toBe(2)
  await agent.write('a', '4')
  await agent.run('npm test -- a', 0)
  await agent.run('npm test -- b', 1)
  expect(await green()).toBe(2)
  await agent.stop()
  const plan = await folder.plan({ kind: 'restore', target: 'green' })
  expect(plan).toMatchObject({ target: 'seq:2', title: 'where "npm test" last passed' })
  await folder.apply({ kind: 'restore', target: 'green' })
  expect(readFileSync(join(folder.root, 'a'), 'utf8')).toBe('2')
  expect(folder.store((store) => lastPass(store, { command: 'npm test -- a' })?.seq)).toBe(4)
  expect(folder.store((store) => lastPass(store, { command: 'npm test -- b' }))).toBeNull()
})

test('the results of a conversation are deleted with its text', async () => {
  await using folder = await recordedFolder()
  const agent = agentOf(folder)
  await agent.prompt('try')
  await agent.run('npm test', 0)
  await agent.stop()
  folder.store((store) => deleteConversation(store, 's'))
  expect(await testsOf(folder)).toEqual([])
})

const THREAD = '01a1fc1b-f5cf-7d62-a341-f77336a65af2'

test('[TS-1] Codex: the exit code from its transcript, which is written before or after the end event', async () => {
  await using folder = await recordedFolder()
  const { engine, root } = folder
  const file = join(folder.home, `.codex/sessions/2026/11/25/rollout-2026-11-25T10-00-00-${THREAD}.jsonl`)
  const records: object[] = [{ type: 'session_meta', payload: { id: THREAD, session_id: THREAD, cwd: root } }]
  const record = (call: string, exit_code: number): void => {
    const command = ['/bin/bash', '-lc', `npm test -- ${call}`]
    const item = { type: 'CommandExecution', id: call, command, exit_code, status: 'completed' }
    records.push({ timestamp: '2026-11-25T10:00:00Z', type: 'event_msg', payload: { type: 'item_completed', item } })
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, records.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
  }
  const send = (event: string, payload: object) => {
    const common = { session_id: THREAD, transcript_path: file, cwd: root, hook_event_name: event }
    return engine.callUntyped('agent.event', toHookEvent('codex', { event, input: { ...common, ...payload } }))
  }
  const use = (call: string) => ({
    tool_name: 'Bash',
    tool_use_id: call,
    tool_input: { command: `npm test -- ${call}` },
    tool_response: 'done'
  })
  await send('UserPromptSubmit', { prompt: 'go', turn_id: 't' })
  await send('PreToolUse', use('late'))
  await send('PostToolUse', use('late'))
  record('late', 1)
  await send('PreToolUse', use('early'))
  record('early', 0)
  await send('PostToolUse', use('early'))
  await send('Stop', {})
  expect(brief(await testsOf(folder))?.toSorted()).toEqual(['npm test -- early passed', 'npm test -- late failed'])
})
