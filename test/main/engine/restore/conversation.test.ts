/** Going back with the conversation: files and words together, and every word back on undo. */
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent, readTranscript, type TranscriptAgent } from '../../../support/transcript-agent.ts'

const put = (folder: RecordedFolder, name: string, text: string) => (): void =>
  writeFileSync(join(folder.root, name), text)
const TODOS = { tool_name: 'TodoWrite', tool_use_id: 't', tool_response: {} }

/** Two turns, each with a file, an answer and a todo of its own. */
async function talked(folder: RecordedFolder): Promise<{ agent: TranscriptAgent; first: string; second: string }> {
  const agent = createTranscriptAgent(folder)
  const todo = (content: string) =>
    agent.send('PostToolUse', { ...TODOS, tool_input: { todos: [{ content, status: 'pending' }] } })
  const first = await agent.say('add tax', 'tax is in', put(folder, 'tax.ts', 'tax\n'))
  await todo('round it')
  const second = await agent.say('round it', 'rounded', put(folder, 'round.ts', 'round\n'))
  await todo('ship it')
  return { agent, first, second }
}

const back = (target: string, mode?: 'files' | 'conversation' | 'both'): RestoreRequest => ({
  kind: 'restore',
  target,
  ...(mode ? { mode } : {})
})

describe('a pin', () => {
  const pinned = async (folder: RecordedFolder, id: string) => {
    const { entry } = await folder.engine.call('entry.show', { workspace: folder.workspace, target: id })
    return entry.kind === 'checkpoint' ? entry.session : undefined
  }

  test('[RS-6] remembers the conversation of then: both go back to it, and undo is exact', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const agent = createTranscriptAgent(folder)
    await agent.say('add tax', 'tax is in', put(folder, 'tax.ts', 'tax\n'))
    const then = folder.tree()
    const pin = await folder.checkpoint('before rounding')
    expect(await pinned(folder, pin)).toBe(agent.session)
    await agent.say('round it', 'rounded', put(folder, 'round.ts', 'round\n'))
    const before = { tree: folder.tree(), detail: await agent.detail() }

    expect((await folder.plan(back(pin))).mode).toBe('both')
    const result = await folder.apply(back(pin))
    expect(result).toMatchObject({ state: 'done', conversation: { superseded: 2, prompt: 'round it' } })
    expect(folder.tree()).toEqual(then)
    expect(await agent.messages()).toEqual(['add tax', 'tax is in'])
    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).toEqual(before.tree)
    expect(conversationOf(await agent.detail())).toEqual(conversationOf(before.detail))
  })

  test('made in the middle of a run includes all messages up to it, imported or not', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const agent = createTranscriptAgent(folder)
    await agent.begin('add tax')
    const line = readTranscript(agent.transcript).at(-1)
    const words = { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text: 'half of it' }] } }
    appendFileSync(agent.transcript, `${JSON.stringify({ ...line, uuid: 'half', parentUuid: line?.uuid, ...words })}\n`)
    const pin = await folder.checkpoint('half')
    expect(await agent.messages()).toEqual(['add tax', 'half of it'])
    const { checkpoints } = await folder.engine.call('checkpoint.list', {
      workspace: folder.workspace,
      session: agent.session
    })
    expect(checkpoints.find(({ id }) => id === pin)?.reason).toBe('manual')
    expect((await folder.plan(back(pin))).conversation).toMatchObject({ toRevision: 2, supersedes: 0 })
  })

  test('guesses no conversation: none when two agents are at work, none once the agent has ended it', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const [one, two] = [createTranscriptAgent(folder), createTranscriptAgent(folder)]
    expect(await pinned(folder, await folder.checkpoint('nobody yet'))).toBe(null)
    await one.begin('one thing')
    await two.begin('another')
    expect(await pinned(folder, await folder.checkpoint('two at work'))).toBe(null)
    await two.send('Stop', { last_assistant_message: 'done', background_tasks: [] })
    expect(await pinned(folder, await folder.checkpoint('one at work'))).toBe(one.session)
    await one.send('SessionEnd', { reason: 'exit' })
    await two.send('SessionEnd', { reason: 'exit' })
    expect(await pinned(folder, await folder.checkpoint('nobody any more'))).toBe(null)
  })
})

describe('[RS-6] restore to a turn', () => {
  test('[B19] takes files, messages and todos back, offers the prompt again, and undo and redo are exact', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { agent, second } = await talked(folder)
    const before = { tree: folder.tree(), detail: await agent.detail() }

    const result = await folder.apply(back(second))
    expect(result).toMatchObject({
      state: 'done',
      conversation: { session: agent.session, superseded: 2, broughtBack: 0, prompt: 'round it' }
    })
    expect(folder.tree()).not.toHaveProperty('round.ts')
    expect(await agent.messages()).toEqual(['add tax', 'tax is in'])
    const after = { tree: folder.tree(), detail: await agent.detail() }
    expect(after.detail.todos).toEqual([{ text: 'round it', status: 'pending' }])
    expect(after.detail.messages.filter((message) => message.superseded).map((message) => message.text)).toEqual([
      'round it',
      'rounded'
    ])

    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).toEqual(before.tree)
    expect(conversationOf(await agent.detail())).toEqual(conversationOf(before.detail))
    await folder.apply({ kind: 'redo' })
    expect(folder.tree()).toEqual(after.tree)
    expect(conversationOf(await agent.detail())).toEqual(conversationOf(after.detail))
    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).toEqual(before.tree)
    expect(conversationOf(await agent.detail())).toEqual(conversationOf(before.detail))
  })

  test('only the conversation: no file is written, it is guarded, and undone like files', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { agent, first } = await talked(folder)
    const tree = folder.tree()
    const plan = await folder.plan(back(first, 'conversation'))
    expect(plan).toMatchObject({ mode: 'conversation', items: [], conversation: { toRevision: 0, supersedes: 4 } })
    const result = await folder.apply(back(first, 'conversation'))
    expect(result).toMatchObject({ state: 'done', conversation: { revision: 0, superseded: 4, prompt: 'add tax' } })
    expect(result.guard).toMatch(/^cp_/)
    expect(folder.tree()).toEqual(tree)
    expect(await agent.messages()).toEqual([])
    const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 1 })
    expect(entries[0]).toMatchObject({ kind: 'restore', mode: 'conversation', conversation: { superseded: 4 } })
    const status = await folder.engine.call('workspace.status', { workspace: folder.workspace, check: false })
    expect(status.undo?.restore).toBe(result.restore)
    await folder.apply({ kind: 'undo' })
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round it', 'rounded'])
  })

  test('only files: the conversation stays', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { agent, first } = await talked(folder)
    const result = await folder.apply(back(first, 'files'))
    expect(result).toMatchObject({ state: 'done', conversation: null })
    expect(Object.keys(folder.tree())).toEqual(['app.ts'])
    expect(await agent.messages()).toHaveLength(4)
  })

  test('a selection of paths is about files, unless the conversation is asked for', async () => {
    await using folder = await recordedFolder()
    const { first } = await talked(folder)
    expect((await folder.plan({ kind: 'restore', target: first, paths: ['tax.ts'] })).mode).toBe('files')
    expect((await folder.plan({ kind: 'restore', target: first, paths: ['tax.ts'], mode: 'both' })).mode).toBe('both')
  })

  test('a superseded position, and the end of a turn, can be restored again', async () => {
    await using folder = await recordedFolder()
    const { agent, first, second } = await talked(folder)
    await folder.apply(back(first))
    const plan = await folder.plan(back(`${second}:end`))
    expect(plan.conversation).toMatchObject({ supersedes: 0, bringsBack: 4 })
    await folder.apply(back(`${second}:end`))
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round it', 'rounded'])
    await folder.apply(back(`${first}:end`))
    expect(await agent.messages()).toEqual(['add tax', 'tax is in'])
    expect(Object.keys(folder.tree())).toEqual(['tax.ts'])
  })
})

describe('[RS-3] checks before files change', () => {
  test('without the anchor in the agent’s transcript only files are restored, and the plan gives the reason', async () => {
    await using folder = await recordedFolder()
    const { agent, second } = await talked(folder)
    const lines = readFileSync(agent.transcript, 'utf8').trim().split('\n')
    writeFileSync(agent.transcript, `${lines.filter((line) => !line.includes('tax is in')).join('\n')}\n`)
    const plan = await folder.plan(back(second))
    const why = 'message-missing'
    expect(plan).toMatchObject({ mode: 'files', conversation: { resumable: false, why } })
    expect(plan.modes).toContainEqual({ mode: 'both', possible: false, why })
    expect(plan.warnings).toContainEqual({ code: 'conversation-stays', why })
    await expect(folder.apply(back(second, 'conversation'))).rejects.toMatchObject({ code: 'Refused' })
    const result = await folder.apply(back(second, 'both'))
    expect(result).toMatchObject({ state: 'done', conversation: null })
    expect(Object.keys(folder.tree())).toEqual(['tax.ts'])
    expect(await agent.messages()).toHaveLength(4)
  })

  test('a deleted transcript is no anchor', async () => {
    await using folder = await recordedFolder()
    const { agent, second } = await talked(folder)
    rmSync(agent.transcript)
    expect((await folder.plan(back(second))).conversation?.why).toBe('transcript-unreadable')
  })

  test('a target without a conversation: files only, and a refusal when the conversation is asked for', async () => {
    await using folder = await recordedFolder({ files: { a: '1\n' } })
    const run = await folder.run('plain', put(folder, 'a', '2\n'))
    expect(await folder.plan(back(run))).toMatchObject({ mode: 'files', conversation: null, warnings: [] })
    await expect(folder.plan(back(run, 'conversation'))).rejects.toMatchObject({ code: 'Refused' })
  })

  test('a plan made before the conversation went on is stale', async () => {
    await using folder = await recordedFolder()
    const { agent, first } = await talked(folder)
    const request = back(first, 'conversation')
    const { plan } = await folder.plan(request)
    await agent.say('more', 'done')
    const stale = folder.engine.call('restore.apply', { workspace: folder.workspace, request, plan })
    await expect(stale).rejects.toMatchObject({ code: 'PlanStale' })
    expect(await agent.messages()).toHaveLength(6)
  })
})

describe('the agent continues', () => {
  test('in its old session: everything is in force again, and the run has a note', async () => {
    await using folder = await recordedFolder()
    const { agent, second } = await talked(folder)
    await folder.apply(back(second))
    await agent.say('try again', 'tried')
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round it', 'rounded', 'try again', 'tried'])
    const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 1 })
    expect(entries[0]).toMatchObject({ kind: 'run', notes: [{ code: 'remembers' }] })
    const undo = await folder.plan({ kind: 'undo' })
    expect(undo).toMatchObject({ mode: 'files' })
    expect(undo.warnings).toContainEqual({ code: 'conversation-stays', why: 'continued' })
  })

  test('messages it writes late about an undone part stay undone', async () => {
    await using folder = await recordedFolder()
    const { agent, second } = await talked(folder)
    await folder.apply(back(second))
    const late = { type: 'assistant', uuid: 'late', message: { content: [{ type: 'text', text: 'one more word' }] } }
    appendFileSync(agent.transcript, `${JSON.stringify(late)}\n`)
    await agent.send('SessionEnd', { reason: 'exit' })
    expect(await agent.messages()).toEqual(['add tax', 'tax is in'])
    await folder.apply({ kind: 'undo' })
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round it', 'rounded'])
  })

  test('in a run of its own command, turn by turn, and beside another agent', async () => {
    await using folder = await recordedFolder()
    const { workspace } = folder
    const { pid, start } = ownProcess()
    const begun = { workspace, title: 'claude', agent: 'command', pid, pidStart: start }
    const { run } = await folder.engine.call('run.begin', begun)
    const agent = createTranscriptAgent(folder, undefined, { run })
    await agent.say('one', 'did one', put(folder, 'one', '1'))
    const second = await agent.say('two', 'did two', put(folder, 'two', '2'))
    await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
    const other = createTranscriptAgent(folder)
    await other.say('else', 'did else', put(folder, 'else', 'e'))
    const result = await folder.apply(back(second))
    expect(result.conversation).toMatchObject({ session: agent.session, superseded: 2, prompt: 'two' })
    expect(await agent.messages()).toEqual(['one', 'did one'])
    expect(await other.messages()).toEqual(['else', 'did else'])
    expect(Object.keys(folder.tree())).toEqual(['one'])
    await folder.apply(back(run))
    expect(await agent.messages()).toEqual([])
    expect(Object.keys(folder.tree())).toEqual([])
  })

  test('two conversations in one run of a command: each point is its own conversation\u2019s', async () => {
    await using folder = await recordedFolder()
    const { workspace } = folder
    const { pid, start } = ownProcess()
    const { run } = await folder.engine.call('run.begin', { workspace, title: 'sh', agent: 'sh', pid, pidStart: start })
    const one = createTranscriptAgent(folder, 'one', { run })
    await one.say('first', 'did first', put(folder, 'one', '1'))
    const two = createTranscriptAgent(folder, 'two', { run })
    const turn = await two.say('second', 'did second', put(folder, 'two', '2'))
    const seq = folder.store((store) => store.records.lastSeq())
    await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
    const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace, run })
    expect(checkpoints.map(({ reason, session }) => [reason, session])).toEqual([
      ['end_of_turn', 'two'],
      ['pre_write', 'two'],
      ['end_of_turn', 'one'],
      ['run_start', 'one']
    ])
    for (const target of [`seq:${seq}`, turn]) {
      const plan = await folder.plan({ kind: 'restore', target })
      expect(plan.conversation?.session, target).toBe('two')
    }
    await folder.apply(back(turn))
    expect([await one.messages(), await two.messages()]).toEqual([['first', 'did first'], []])
  })

  test('from an earlier message: the messages after it are not in force, the run has a note, and every position can be restored', async () => {
    await using folder = await recordedFolder()
    const { agent, second } = await talked(folder)
    agent.rewind(1)
    const third = await agent.say('round down', 'rounded down', put(folder, 'down.ts', 'down\n'))
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round down', 'rounded down'])
    const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 1 })
    expect(entries[0]).toMatchObject({ notes: [{ code: 'rewound' }] })
    await agent.say('more', 'did more')
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round down', 'rounded down', 'more', 'did more'])

    const words = (fork: string): unknown[] =>
      readTranscript(createTranscriptAgent(folder, fork).transcript).flatMap((record) => {
        const { content } = record.message as { content: string | { text?: string }[] }
        return typeof content === 'string' ? content : content.flatMap((part) => part.text ?? [])
      })
    const resumed = async (at: string) => {
      const { workspace } = folder
      const { argv } = await folder.engine.call('sessions.resume', {
        workspace,
        session: agent.session,
        at,
        fork: true
      })
      return words(argv.at(-1)!)
    }
    expect(await resumed(third)).toEqual(['add tax', 'tax is in'])
    expect(await resumed(`${third}:end`)).toEqual(['add tax', 'tax is in', 'round down', 'rounded down'])
    expect(await resumed(`${second}:end`)).toEqual(['add tax', 'tax is in', 'round it', 'rounded'])
    await folder.apply(back(`${second}:end`, 'conversation'))
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round it', 'rounded'])
    await folder.apply({ kind: 'undo' })
    expect(await agent.messages()).toEqual(['add tax', 'tax is in', 'round down', 'rounded down', 'more', 'did more'])
  })

  test('in the session prepared for it: linked to the old one, with its history, and the old file untouched', async () => {
    await using folder = await recordedFolder()
    const { agent, first, second } = await talked(folder)
    const old = readFileSync(agent.transcript)
    const { conversation } = await folder.apply(back(second))
    const resume = conversation?.resume
    expect(resume).toMatchObject({ forkedFrom: agent.session, prompt: 'round it', cwd: folder.root })
    const id = resume!.argv.at(-1)!
    expect(resume!.argv).toEqual(['claude', '--resume', id])
    expect(readFileSync(agent.transcript).equals(old)).toBe(true)

    const forked = createTranscriptAgent(folder, id)
    expect(new Set(readTranscript(forked.transcript).map((record) => record.sessionId))).toEqual(new Set([id]))
    await forked.send('SessionStart', { source: 'resume' })
    await forked.say('round down', 'rounded down', put(folder, 'round.ts', 'down\n'))
    expect(await forked.messages()).toEqual(['add tax', 'tax is in', 'round down', 'rounded down'])
    const detail = await forked.detail()
    expect(detail.session.forkedFrom).toBe(agent.session)
    expect(detail.turns.map((turn) => [turn.prompt, turn.session, turn.message])).toEqual([
      ['add tax', id, 1],
      ['round down', id, 3]
    ])
    expect(await agent.messages()).toEqual(['add tax', 'tax is in'])
    expect(readFileSync(agent.transcript).equals(old)).toBe(true)

    // Going back to a turn of the old session goes back in the one where it lives on.
    const result = await folder.apply(back(first))
    expect(result.conversation).toMatchObject({ session: id, superseded: 4, prompt: 'add tax' })
    await forked.send('SessionEnd', { reason: 'exit' })
    expect(await forked.messages()).toEqual([])
    await folder.apply({ kind: 'undo' })
    expect(await forked.messages()).toEqual(['add tax', 'tax is in', 'round down', 'rounded down'])
  })
})

test('an agent whose sessions cannot be forked gets a prompt with a summary for a new session', async () => {
  await using folder = await recordedFolder()
  const transcript = join(folder.home, '.gemini/tmp/p/chats/session-1-gem-1.jsonl')
  mkdirSync(dirname(transcript), { recursive: true })
  const tell = (event: string, more: object) => {
    const common = { session_id: 'gem-1', cwd: folder.root, hook_event_name: event, transcript_path: transcript }
    return folder.engine.callUntyped('agent.event', toHookEvent('gemini-cli', { event, input: { ...common, ...more } }))
  }
  for (const n of ['one', 'two']) {
    await tell('BeforeAgent', { prompt: `ask ${n}` })
    const said = [
      { id: `${n}u`, type: 'user', content: `ask ${n}` },
      { id: `${n}g`, type: 'gemini', content: `answer ${n}` }
    ]
    appendFileSync(transcript, said.map((one) => `${JSON.stringify(one)}\n`).join(''))
    await tell('AfterAgent', { prompt_response: `answer ${n}` })
  }
  const { conversation } = await folder.apply(back('latest', 'conversation'))
  expect(conversation).toMatchObject({
    superseded: 2,
    prompt: 'ask two',
    resume: { argv: ['gemini'], forkedFrom: null }
  })
  const { prompt, note } = conversation!.resume!
  expect(prompt).toContain('Me: ask one\n\nYou: answer one\n\nMe: ask two')
  expect(prompt).not.toContain('answer two')
  expect(note).toBe('new-session')
  expect(await folder.apply(back('latest', 'conversation'))).toMatchObject({ state: 'nothing-to-do' })
})

function conversationOf({ revision, messages, todos, plan, session }: Awaited<ReturnType<TranscriptAgent['detail']>>) {
  return { revision, messages, todos, plan, mode: session.mode, position: session.position }
}
