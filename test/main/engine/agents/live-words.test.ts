/** [GW-9] What an agent writes is in its conversation while it works, and stays when it is interrupted or killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { processStart } from '../../../../src/main/engine/ports/processes.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const QUIET_MS = 3000

/** A Claude Code session, whose transcript the test writes. `process`: that of the agent. */
function session(folder: RecordedFolder, process?: { pid: number; start: string }) {
  const file = join(folder.home, '.claude/projects/p/s.jsonl')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  let last: string | null = null
  let next = 1
  const record = (type: 'user' | 'assistant', content: unknown) => {
    const uuid = `u${next++}`
    const timestamp = new Date().toISOString()
    appendFileSync(
      file,
      `${JSON.stringify({ parentUuid: last, uuid, timestamp, type, message: { role: type, content } })}\n`
    )
    last = uuid
  }
  return {
    prompt: (text: string) => record('user', text),
    says: (text: string) => record('assistant', [{ type: 'text', text }]),
    interrupt: () => record('user', [{ type: 'text', text: '[Request interrupted by user]' }]),
    send: (event: string, more: object = {}) => {
      const input = { session_id: 's', cwd: folder.root, transcript_path: file, hook_event_name: event, ...more }
      const hookEvent = toHookEvent('claude-code', { event, input }, process ? { process } : {})
      return folder.engine.callUntyped('agent.event', hookEvent)
    }
  }
}

const write = (folder: RecordedFolder) => ({
  tool_name: 'Write',
  tool_use_id: 't1',
  tool_input: { file_path: join(folder.root, 'a.txt'), content: 'b' }
})
const words = async (folder: RecordedFolder): Promise<readonly string[]> =>
  (await folder.engine.call('sessions.messages', { workspace: folder.workspace, session: 's' })).messages.map(
    ({ text }) => text
  )
const lastRun = async (folder: RecordedFolder): Promise<RunEntry> =>
  (await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 1, kinds: ['run'] }))
    .entries[0] as RunEntry
const check = (folder: RecordedFolder) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })

/** A folder whose clock can be moved: an agent is quiet when its last event is old. */
async function folderWithClock() {
  const folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const clock = { ahead: 0 }
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + clock.ahead } })
  return { folder, clock }
}

test('[GW-9] words before a tool call are there when it has ended, words before a long command once the agent is quiet', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const agent = session(folder)
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  agent.prompt('do it')
  agent.says('Writing the file.')
  await agent.send('PreToolUse', write(folder))
  writeFileSync(join(folder.root, 'a.txt'), 'b')
  await agent.send('PostToolUse', { ...write(folder), tool_response: {} })
  expect(await words(folder)).toEqual(['do it', 'Writing the file.'])

  agent.says('Now the tests.')
  await check(folder)
  expect(await words(folder), 'the agent may be in the middle of its answer').toEqual(['do it', 'Writing the file.'])
  clock.ahead += QUIET_MS
  await check(folder)
  expect(await words(folder)).toEqual(['do it', 'Writing the file.', 'Now the tests.'])

  agent.says('Done.')
  await agent.send('Stop', { last_assistant_message: 'Done.', background_tasks: [] })
  expect(await words(folder)).toEqual(['do it', 'Writing the file.', 'Now the tests.', 'Done.'])
  expect((await lastRun(folder)).state).toBe('ended')
})

test('[GW-10] a tool call whose event arrives before that of its prompt belongs to the run of that prompt', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const agent = session(folder)
  await agent.send('PreToolUse', write(folder))
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  writeFileSync(join(folder.root, 'a.txt'), 'b')
  await agent.send('PostToolUse', { ...write(folder), tool_response: {} })
  await agent.send('Stop', { background_tasks: [] })
  const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 9 })
  expect(entries).toMatchObject([{ kind: 'run', title: 'do it', state: 'ended', files: 1, turns: 1 }])
  expect(await words(folder)).toEqual(['do it'])
  await folder.apply({ kind: 'undo-run', run: entries[0]!.id })
  expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe('a')
})

test('[GW-9] an interrupted run keeps what its agent wrote last', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const agent = session(folder)
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  agent.prompt('do it')
  agent.says('Let me think.')
  agent.interrupt()
  clock.ahead += QUIET_MS
  await check(folder)
  expect(await lastRun(folder)).toMatchObject({ state: 'ended', notes: [{ code: 'stopped' }] })
  expect(await words(folder)).toContain('Let me think.')
})

test('[GW-9] the run of a killed agent keeps what it wrote last', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const agentProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
  await once(agentProcess, 'spawn')
  const pid = agentProcess.pid as number
  const agent = session(folder, { pid, start: processStart(pid) ?? '' })
  await agent.send('UserPromptSubmit', { prompt: 'do it', prompt_id: 'p1' })
  agent.prompt('do it')
  agent.says('Let me think.')
  agentProcess.kill('SIGKILL')
  await once(agentProcess, 'exit')
  await check(folder)
  expect((await lastRun(folder)).state).toBe('interrupted')
  expect(await words(folder)).toEqual(['do it', 'Let me think.'])
})
