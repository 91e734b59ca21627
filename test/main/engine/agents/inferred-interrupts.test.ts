/** [GW-4] A call ends with its finish or interrupt record in the transcript when no hook reports it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import type { RunEntry } from '../../../../src/contract/timeline.ts'
import { systemClock } from '../../../../src/main/engine/ports/clock.ts'
import { processStart } from '../../../../src/main/engine/ports/processes.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

type Record_ = Record<string, unknown>

const TRANSCRIPT = resolve(import.meta.dirname, '../../../fixtures/transcripts/claude-interrupt.jsonl')
const HOUR = 3600_000

/** A folder with a controllable clock: an agent is quiet when its last event is old. `stopped`: the time at which it stands. */
async function folderWithClock() {
  const folder = await recordedFolder({ files: PROJECT })
  const clock: { ahead: number; stopped?: number } = { ahead: 0 }
  await folder.reopen({ clock: { ...systemClock, now: () => clock.stopped ?? Date.now() + clock.ahead } })
  return { folder, clock }
}

const runs = async (folder: RecordedFolder): Promise<RunEntry[]> =>
  (await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 9, kinds: ['run'] }))
    .entries as RunEntry[]
const calls = async (folder: RecordedFolder, run: string) =>
  (await folder.engine.call('entry.show', { workspace: folder.workspace, target: run })).calls ?? []
const changed = async (folder: RecordedFolder, run: string): Promise<string[]> =>
  (await folder.engine.call('diff.files', { workspace: folder.workspace, target: run, scope: 'run' })).files.map(
    (file) => file.path
  )
const scanStatus = (folder: RecordedFolder) =>
  folder.engine.call('workspace.status', { workspace: folder.workspace, check: true })

/** Waits until file times are clearly later than `at`. */
function passTime(at: number): void {
  while (Date.now() <= at + 60);
}

/** The interrupted turn: its prompt, its shell call, and their transcript records, at `at`. */
function interrupted(folder: RecordedFolder): {
  lines: Line[]
  transcript: string
  appendRecord: (at: number, only?: 'interrupt') => void
} {
  const all = recordedEvents('claude-interrupt', folder.root, folder.home)
  const prompt = all.findIndex((line) => String(line.input.prompt).includes('go slow'))
  const lines = all.slice(prompt, prompt + 2)
  const transcript = lines[0]!.input.transcript_path as string
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '')
  const records = readFileSync(TRANSCRIPT, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record_)
  const last = records.findIndex((record) => JSON.stringify(record).includes('[Request interrupted by user'))
  const appendRecord = (at: number, from = last - 1): void => {
    for (const record of records.slice(from, last + 1)) {
      appendFileSync(transcript, `${JSON.stringify({ ...record, timestamp: new Date(at).toISOString() })}\n`)
    }
  }
  return { lines, transcript, appendRecord: (at, only) => appendRecord(at, only === undefined ? last - 1 : last) }
}

test('claude: an interrupt ends the run once the agent is quiet; only earlier edits belong to it', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const { lines, appendRecord } = interrupted(folder)
  await replay(folder, 'claude-code', lines, {
    work: () => {
      writeFileSync(join(folder.root, 'slow1.txt'), 'start\n')
      return true
    }
  })
  const at = Date.now()
  appendRecord(at)
  passTime(at)
  writeFileSync(join(folder.root, 'mine.txt'), 'a person, after the interrupt')
  // However busy this computer is.
  clock.stopped = at + 60
  await scanStatus(folder)
  expect((await runs(folder))[0]!.state, 'its last event is recent: it may continue').toBe('live')
  delete clock.stopped
  clock.ahead = 5000
  const status = await scanStatus(folder)
  expect([status.activeRuns, status.drift.map((drift) => drift.paths)]).toEqual([[], [['mine.txt']]])
  const [run] = await runs(folder)
  expect(run).toMatchObject({ state: 'ended', notes: [{ code: 'stopped' }] })
  expect(await changed(folder, run!.id)).toEqual(['slow1.txt'])
  expect((await calls(folder, run!.id)).map((call) => call.state)).toEqual(['abandoned'])
  const undone = await folder.apply({ kind: 'undo-run', run: run!.id })
  expect(undone.state).toBe('done')
  expect(Object.keys(folder.tree()).sort()).toEqual(['a.txt', 'app.txt', 'c.txt', 'mine.txt'])
})

test('claude: an interrupt ends the run also when its prompt and its call waited in the spool until after it', async () => {
  const { folder } = await folderWithClock()
  await using _ = folder
  const { lines, appendRecord } = interrupted(folder)
  const at = Date.now() - 10_000
  appendRecord(at + 1000)
  const spool = join(folder.dataDir, 'spool')
  mkdirSync(spool)
  for (const [n, line] of lines.entries())
    writeFileSync(join(spool, `${n}.json`), JSON.stringify({ ...toHookEvent('claude-code', line), at: at + n }))
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 5000 } })
  await expect.poll(() => readdirSync(spool)).toEqual([])
  await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + 10_000 } })
  expect((await scanStatus(folder)).activeRuns).toEqual([])
  expect((await runs(folder))[0]).toMatchObject({ state: 'ended', notes: [{ code: 'stopped' }] })
})

test('claude: a prompt right after the interrupt: edits by the user in between are outside edits', async () => {
  const { folder } = await folderWithClock()
  await using _ = folder
  const { lines, appendRecord } = interrupted(folder)
  await replay(folder, 'claude-code', lines, { work: () => true })
  const at = Date.now()
  appendRecord(at)
  passTime(at)
  writeFileSync(join(folder.root, 'mine.txt'), 'a person')
  const prompt = { ...lines[0]!, input: { ...lines[0]!.input, prompt: 'next', prompt_id: 'next' } }
  await replay(folder, 'claude-code', [prompt])
  const [next, slow] = await runs(folder)
  expect([next!.title, slow!.title]).toEqual(['next', '[[script:slow]] go slow'])
  expect(await changed(folder, slow!.id)).toEqual([])
})

describe('claude: an interrupt before any answer leaves no record, only an idle process status', () => {
  async function waiting(status: (run: RunEntry, session: string) => Record_, from: 'prompt' | 'call' = 'prompt') {
    const { folder, clock } = await folderWithClock()
    const { lines } = interrupted(folder)
    await replay(folder, 'claude-code', lines.slice(0, from === 'prompt' ? 1 : 2), { work: () => true })
    const [run] = await runs(folder)
    const file = join(folder.home, '.claude', 'sessions', `${process.pid}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, JSON.stringify(status(run!, run!.session!)))
    clock.ahead = 5000
    await scanStatus(folder)
    return { folder, run: (await runs(folder))[0]! }
  }

  test('the run ends then, and is marked as stopped', async () => {
    const { folder, run } = await waiting(({ at }, sessionId) => ({
      sessionId,
      status: 'idle',
      statusUpdatedAt: at + 1
    }))
    await using _ = folder
    expect(run).toMatchObject({ state: 'ended', files: 0, notes: [{ code: 'stopped' }] })
  })

  const cases: readonly [string, (run: RunEntry, sessionId: string) => Record_, 'call'?][] = [
    ['it is busy', (run, sessionId) => ({ sessionId, status: 'busy', statusUpdatedAt: run.at + 1 })],
    [
      'the process was idle before the prompt, not since',
      (run, sessionId) => ({ sessionId, status: 'idle', statusUpdatedAt: run.at - 1 })
    ],
    ['it is about another session', (run) => ({ sessionId: 'other', status: 'idle', statusUpdatedAt: run.at + 1 })],
    ['it does not report a status', () => ({})],
    [
      'one of its tools is running',
      (run, sessionId) => ({ sessionId, status: 'idle', statusUpdatedAt: run.at + 1 }),
      'call'
    ]
  ]
  test.each(cases)('the run continues when %s', async (_, status, from) => {
    const { folder, run } = await waiting(status, from)
    await using __ = folder
    expect(run.state).toBe('live')
  })
})

test('claude: an interrupt of an earlier turn does not end the run', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const { lines, appendRecord } = interrupted(folder)
  appendRecord(Date.now() - HOUR, 'interrupt')
  await replay(folder, 'claude-code', lines, { work: () => true })
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect([run!.state, (await calls(folder, run!.id)).map((call) => call.state)]).toEqual(['live', ['open']])
})

test('claude: a call whose end only the transcript shows is closed at that time, and the run continues', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const { lines, transcript } = interrupted(folder)
  await replay(folder, 'claude-code', lines, {
    work: () => {
      writeFileSync(join(folder.root, 'slow1.txt'), 'start\n')
      return true
    }
  })
  const at = Date.now()
  const answer = { type: 'tool_result', tool_use_id: lines[1]!.input.tool_use_id, content: '' }
  const record = { type: 'user', timestamp: new Date(at).toISOString(), message: { role: 'user', content: [answer] } }
  appendFileSync(transcript, `${JSON.stringify(record)}\n`)
  passTime(at)
  writeFileSync(join(folder.root, 'mine.txt'), 'a person')
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect(run!.state).toBe('live')
  expect(await calls(folder, run!.id)).toMatchObject([{ state: 'done', endedAt: at }])
  expect(await changed(folder, run!.id)).toEqual(['slow1.txt'])
})

test('claude: the result of a background command does not end it', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const { lines, transcript } = interrupted(folder)
  await replay(folder, 'claude-code', lines, { work: () => true })
  const answer = { type: 'tool_result', tool_use_id: lines[1]!.input.tool_use_id, content: '' }
  const record = { type: 'user', timestamp: new Date().toISOString(), message: { role: 'user', content: [answer] } }
  appendFileSync(transcript, `${JSON.stringify({ ...record, toolUseResult: { backgroundTaskId: 'b1' } })}\n`)
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect((await calls(folder, run!.id)).map((call) => call.state)).toEqual(['open'])
})

test('codex: a command that outlives its turn ends with its record, and so does the run', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const lines = recordedEvents('codex', folder.root, folder.home)
  const last = lines.map((line) => line.event).lastIndexOf('PostToolUse')
  const transcript = lines[0]!.input.transcript_path as string
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '')
  await replay(folder, 'codex', lines, {
    before: (line, index) => index !== last && line.event !== 'SessionEnd'
  })
  expect((await runs(folder))[0]!.state).toBe('live')
  writeFileSync(join(folder.root, 'late.txt'), 'late')
  const at = Date.now()
  const item = { type: 'CommandExecution', id: lines[last]!.input.tool_use_id, status: 'completed' }
  const record = { timestamp: new Date(at).toISOString(), type: 'event_msg', payload: { type: 'item_completed', item } }
  appendFileSync(transcript, `${JSON.stringify(record)}\n`)
  passTime(at)
  writeFileSync(join(folder.root, 'mine.txt'), 'a person')
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect(run!.state).toBe('ended')
  expect(await changed(folder, run!.id)).toContain('late.txt')
  expect(await changed(folder, run!.id)).not.toContain('mine.txt')
})

test('codex: an end that was in the transcript when the agent stopped is found later', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const lines = recordedEvents('codex', folder.root, folder.home)
  const last = lines.map((line) => line.event).lastIndexOf('PostToolUse')
  const transcript = lines[0]!.input.transcript_path as string
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '')
  const item = { type: 'CommandExecution', id: lines[last]!.input.tool_use_id, status: 'completed' }
  await replay(folder, 'codex', lines, {
    before: (line, index) => {
      if (line.event === 'Stop') {
        const timestamp = new Date().toISOString()
        const record = { timestamp, type: 'event_msg', payload: { type: 'item_completed', item } }
        // In two halves: an unfinished line is read once it is complete.
        appendFileSync(transcript, JSON.stringify(record).slice(0, 40))
        appendFileSync(transcript, `${JSON.stringify(record).slice(40)}\n`)
      }
      return index !== last && line.event !== 'SessionEnd'
    }
  })
  expect((await runs(folder))[0]!.state).toBe('live')
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect([run!.state, (await calls(folder, run!.id)).at(-1)!.state]).toEqual(['ended', 'done'])
})

test('qwen: a result that only the transcript shows closes the call', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const lines = recordedEvents('qwen', folder.root, folder.home)
  const end = lines.findIndex((line) => line.event === 'PostToolUse')
  const transcript = lines[0]!.input.transcript_path as string
  mkdirSync(dirname(transcript), { recursive: true })
  writeFileSync(transcript, '')
  await replay(folder, 'qwen-code', lines.slice(0, end))
  const at = Date.now()
  const toolCallResult = { callId: lines[end]!.input.tool_call_id, status: 'success' }
  const record = { type: 'tool_result', timestamp: new Date(at).toISOString(), toolCallResult }
  appendFileSync(transcript, `${JSON.stringify(record)}\n`)
  utimesSync(transcript, new Date(), new Date())
  clock.ahead = 5000
  await scanStatus(folder)
  const [run] = await runs(folder)
  expect(await calls(folder, run!.id)).toMatchObject([{ state: 'done', endedAt: at }])
})

test.each([
  ['gemini', 'gemini-cli', 'BeforeTool', () => ({ type: 'info', content: 'Request cancelled.' })],
  [
    'qwen',
    'qwen-code',
    'PreToolUse',
    (line: Line) => ({
      type: 'tool_result',
      toolCallResult: { callId: line.input.tool_call_id, status: 'cancelled', executionStatus: 'cancelled' }
    })
  ]
] as const)(
  '%s: an Esc that only the transcript shows ends the run at that time; later edits are not its own',
  async (name, agent, starts, cancelled) => {
    const { folder, clock } = await folderWithClock()
    await using _ = folder
    const lines = recordedEvents(name, folder.root, folder.home)
    const start = lines.findIndex((line) => line.event === starts && line.input.tool_name === 'write_file')
    const transcript = lines[0]!.input.transcript_path as string
    mkdirSync(dirname(transcript), { recursive: true })
    writeFileSync(transcript, '')
    await replay(folder, agent, lines.slice(0, start + 1), {
      work: (line) => {
        if (line === lines[start]) writeFileSync(join(folder.root, 'notes.txt'), 'half')
        return true
      }
    })
    const at = Date.now()
    const record = { timestamp: new Date(at).toISOString(), ...cancelled(lines[start]!) }
    appendFileSync(transcript, `${JSON.stringify(record)}\n`)
    passTime(at)
    writeFileSync(join(folder.root, 'mine.txt'), 'a person')
    clock.ahead = 5000
    await scanStatus(folder)
    const [run] = await runs(folder)
    expect(run).toMatchObject({ state: 'ended', notes: [{ code: 'stopped' }] })
    expect(await changed(folder, run!.id)).toEqual(['notes.txt'])
    expect((await calls(folder, run!.id)).at(-1)!.state).toBe('abandoned')
    // The end of its tool is still reported, late.
    await replay(folder, agent, lines.slice(start + 1, start + 2))
    expect((await runs(folder)).map((entry) => entry.id)).toEqual([run!.id])
    expect((await scanStatus(folder)).drift.map((drift) => drift.paths)).toEqual([['mine.txt']])
  }
)

test('[Security] a transcript outside the agent\u2019s own folder is ignored', async () => {
  const { folder, clock } = await folderWithClock()
  await using _ = folder
  const { lines } = interrupted(folder)
  const elsewhere = join(folder.root, 'transcript.jsonl')
  const text = { type: 'text', text: '[Request interrupted by user]' }
  const moved = lines.map((line) => ({ ...line, input: { ...line.input, transcript_path: elsewhere } }))
  await replay(folder, 'claude-code', moved, { work: () => true })
  const record = { type: 'user', timestamp: new Date().toISOString(), message: { role: 'user', content: [text] } }
  writeFileSync(elsewhere, `${JSON.stringify(record)}\n`)
  clock.ahead = 5000
  await scanStatus(folder)
  expect(
    ((await folder.engine.callUntyped('agent.event', toHookEvent('claude-code', lines[0]!))) as { ingested: boolean })
      .ingested
  ).toBe(true)
  expect((await runs(folder))[0]!.state).toBe('live')
})

describe('qwen: an interrupt before any answer leaves no trace at all', () => {
  /** Prompted an hour ago, then stopped by the user; the process is still alive. */
  async function stopped() {
    const folder = await recordedFolder({ files: PROJECT })
    const clock = { ahead: 0 }
    await folder.reopen({ clock: { ...systemClock, now: () => Date.now() + clock.ahead } })
    const lines = recordedEvents('qwen', folder.root, folder.home)
    const prompt = lines.findIndex((line) => line.event === 'UserPromptSubmit')
    const agent = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
    const more = { process: { pid: agent.pid!, start: processStart(agent.pid!) } }
    const target = await folder.checkpoint('before')
    await replay(folder, 'qwen-code', lines.slice(0, prompt + 1), { more })
    clock.ahead = HOUR
    writeFileSync(join(folder.root, 'app.txt'), 'mine\n')
    const say = (text: string) => {
      const line = lines[prompt]!
      const input = { ...line.input, prompt: text, submitted_prompt: text, prompt_id: text }
      return replay(folder, 'qwen-code', [{ ...line, input }], { more })
    }
    const back: RestoreRequest = { kind: 'restore', target, outside: 'replace' }
    return {
      folder,
      agent,
      say,
      back,
      [Symbol.asyncDispose]: async () => {
        agent.kill()
        await folder[Symbol.asyncDispose]()
      }
    }
  }

  test('[RS-8] the run stays live, reports since when it is silent, and a user may still restore', async () => {
    await using at = await stopped()
    const { folder, back } = at
    const { workspace } = folder
    const { activeRuns } = await scanStatus(folder)
    expect(activeRuns).toMatchObject([{ mayWrite: true, quietSince: expect.any(Number) }])
    expect(Date.now() - activeRuns[0]!.quietSince!).toBeLessThan(HOUR)
    await expect(folder.apply(back)).rejects.toMatchObject({ code: 'RunIsLive' })
    const done = await folder.engine.call('restore.apply', {
      workspace,
      request: back,
      resolutions: {},
      whileLive: true
    })
    expect(done.state).toBe('done')
    expect(readFileSync(join(folder.root, 'app.txt'), 'utf8')).toBe(PROJECT['app.txt'])
  })

  test('its next prompt or its end ends the run; restores are possible again, and the user’s edits are outside edits', async () => {
    await using at = await stopped()
    const { folder, agent, say, back } = at
    await say('again')
    expect((await runs(folder)).map(({ title, state, notes }) => [title, state, notes])).toEqual([
      ['again', 'live', []],
      ['[[script:basic]] do it', 'ended', [{ code: 'stopped' }]]
    ])
    const end = once(agent, 'exit')
    agent.kill()
    await end
    expect((await scanStatus(folder)).activeRuns).toEqual([])
    for (const run of await runs(folder)) expect(await changed(folder, run.id)).toEqual([])
    expect((await folder.apply(back)).state).toBe('done')
  })
})
