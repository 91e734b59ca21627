/** [RV-1] [RV-3] [RV-4] Comments and decisions become one message, which the session they are about gets once. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Params, Result } from '../../../../src/contract/api.ts'
import { callsWithPrefix } from '../../../../src/main/engine/store/tool-calls.ts'
import { PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { makeBundle } from '../../../support/bundles.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'
import { writeFiles } from '../../../support/tree.ts'

const FILES = { 'total.ts': 'one\ntwo\nthree\n', 'rates.ts': 'a\nb\nc\n', '.env': 'KEY=1\n' }

interface Agent {
  /** What the hook prints for a prompt; null for nothing. */
  prompt(text: string): Promise<string | null>
  /** A turn that writes files. Returns its run. */
  turn(text: string, files: Readonly<Record<string, string>>): Promise<string>
}

function agentIn(folder: RecordedFolder, session: string, agent = 'claude-code'): Agent {
  let events = 0
  const send = async (event: string, input: object): Promise<string | null> => {
    const payload = { session_id: session, cwd: folder.root, ...input }
    const answer = await folder.engine.call('agent.event', toHookEvent(agent, { event, input: payload }))
    return answer.answer ?? null
  }
  const prompt = (text: string) => send('UserPromptSubmit', { prompt: text, prompt_id: `${session}-${++events}` })
  return {
    prompt,
    turn: async (text, files) => {
      await prompt(text)
      const call = { tool_name: 'Bash', tool_input: { command: 'make' }, tool_use_id: `${session}-${++events}` }
      await send('PreToolUse', call)
      writeFiles(folder.root, files)
      await send('PostToolUse', call)
      await send('Stop', { background_tasks: [] })
      const { entries } = await folder.engine.call('timeline.list', {
        workspace: folder.workspace,
        limit: 1,
        kinds: ['run'],
        text
      })
      return entries[0]!.id
    }
  }
}

function draft(folder: RecordedFolder, session: string): Promise<Result<'review.get'>> {
  return folder.engine.call('review.get', { workspace: folder.workspace, session })
}

async function comment(folder: RecordedFolder, what: Omit<Params<'comments.add'>, 'workspace'>) {
  return (await folder.engine.call('comments.add', { workspace: folder.workspace, ...what })).comment
}

const send = (folder: RecordedFolder, session: string, route: 'prompt' | 'copy' = 'prompt') =>
  folder.engine.call('review.send', { workspace: folder.workspace, session, route })

const textOf = (answer: string | null): string =>
  answer === null
    ? ''
    : (JSON.parse(answer) as { hookSpecificOutput: { additionalContext: string } }).hookSpecificOutput.additionalContext

test('[RV-3] [RV-4] comments and undone changes are one message: sent with the next prompt of that session, once', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const [claude, other] = [agentIn(folder, 'one'), agentIn(folder, 'two')]
  const run = await claude.turn('change both', { 'total.ts': 'one\nTWO\nthree\n', 'rates.ts': 'a\nb\nC\n' })
  await other.turn('look around', {})
  await comment(folder, { target: run, path: 'total.ts', from: 2, to: 2, text: 'Why in capitals?' })
  await comment(folder, { target: run, text: 'Please keep changes small.' })
  expect((await folder.apply({ kind: 'undo-run', run, paths: ['rates.ts'] })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'rates.ts'), 'utf8')).toBe(FILES['rates.ts'])

  const { message, comments, decisions } = await draft(folder, 'one')
  expect(comments).toMatchObject([
    { path: 'total.ts', line: 2, endLine: 2, quote: 'TWO', moved: false, lines: 'same', state: 'open' },
    { path: null, line: null, run }
  ])
  expect(decisions).toMatchObject([
    { kind: 'undone', run, path: 'rates.ts', hunk: expect.stringMatching(/^-C\n\+c$/m) }
  ])
  expect(message).toContain('**total.ts:2**')
  expect(message).toContain('Do not re-apply what was undone')
  // Asked first: nothing goes by itself.
  expect(await claude.prompt('go on')).toBeNull()
  expect(await send(folder, 'one')).toMatchObject({ comments: 2, decisions: 1, review: { state: 'queued' } })
  expect((await draft(folder, 'one')).message).toBe('')
  const states = async () => {
    const list = await folder.engine.call('comments.list', { workspace: folder.workspace, run })
    return list.comments.map(({ state }) => state)
  }
  expect(await states()).toEqual(['queued', 'queued'])

  expect(await other.prompt('anything new?')).toBeNull()
  expect(textOf(await claude.prompt('and now?'))).toBe(message)
  expect(await states()).toEqual(['sent', 'sent'])
  expect(await claude.prompt('once more')).toBeNull()
  expect(await states()).toEqual(['answered', 'answered'])
})

test('[UI-43] a run counts its threads that are not resolved, and names the messages that its turns got', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { engine, workspace } = folder
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  const { id } = await comment(folder, { target: run, path: 'total.ts', text: 'Why?' })
  await comment(folder, { target: run, replyTo: id, text: 'And how?' })
  expect((await engine.call('comments.counts', { workspace })).runs).toEqual({ [run]: 1 })
  await send(folder, 'one')
  const next = await claude.turn('go on', {})
  const { reviews, turns } = await engine.call('entry.show', { workspace, target: next })
  expect(reviews).toMatchObject([{ route: 'prompt', turn: turns[0]!.id, sentAt: expect.any(Number) }])
  expect((await engine.call('entry.show', { workspace, target: run })).reviews).toEqual([])
  await engine.call('comments.change', { workspace, comment: id, resolved: true })
  expect((await engine.call('comments.counts', { workspace })).runs).toEqual({})
})

test('[RV-3] an undo that was undone is no decision, and after a review had it the next one says so', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  await folder.apply({ kind: 'undo-run', run })
  await folder.apply({ kind: 'undo' })
  expect((await draft(folder, 'one')).decisions).toEqual([])
  await folder.apply({ kind: 'redo' })
  expect((await draft(folder, 'one')).decisions).toMatchObject([{ kind: 'undone', path: 'total.ts' }])
  await send(folder, 'one', 'copy')
  expect((await draft(folder, 'one')).decisions).toEqual([])
  await folder.apply({ kind: 'undo' })
  const after = await draft(folder, 'one')
  expect(after.decisions).toMatchObject([{ kind: 'redone', path: 'total.ts', hunk: null }])
  expect(after.message).not.toContain('Do not re-apply')
})

test('[RV-3] an undo of one change of a file says that its other lines stayed, and names no others', async () => {
  const lines = (first: string, last: string) => `${first}\n${'same\n'.repeat(20)}${last}\n`
  await using folder = await recordedFolder({ files: { 'total.ts': lines('1', '2') } })
  const run = await agentIn(folder, 'one').turn('change it', { 'total.ts': lines('one', 'two') })
  await folder.apply({ kind: 'undo-run', run, hunks: { 'total.ts': [1] } })
  expect(readFileSync(join(folder.root, 'total.ts'), 'utf8')).toBe(lines('1', 'two'))
  const { message } = await draft(folder, 'one')
  expect(message).toContain('## Undone, while other lines of the file stayed\n\n- total.ts\n')
  expect(message).toMatch(/^-one\n\+1$/m)
})

test('[RV-3] a restore is a decision for the sessions whose changes it reverted, with secret files by name alone', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const [claude, other] = [agentIn(folder, 'one'), agentIn(folder, 'two')]
  const start = await folder.checkpoint('start')
  await claude.turn('first', { 'total.ts': 'one\nTWO\nthree\n', '.env': 'KEY=2\n' })
  await other.turn('second', { 'rates.ts': 'a\nB\nc\n' })
  await folder.apply({ kind: 'restore', target: start, outside: 'replace', mode: 'files' })
  const [first, second] = [await draft(folder, 'one'), await draft(folder, 'two')]
  expect(first.decisions.map(({ kind, path, hunk }) => [kind, path, hunk === null])).toEqual([
    ['restored', '.env', true],
    ['restored', 'total.ts', false]
  ])
  expect(first.message).not.toContain('KEY=')
  expect(second.decisions.map(({ path }) => path)).toEqual(['rates.ts'])
})

test('[RV-4] with the setting on every prompt brings what is new; with off nothing goes, and sending is refused', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  await comment(folder, { target: run, text: 'First.' })
  await folder.engine.call('settings.set', { key: 'review.claude-code', value: 'off' })
  await expect(send(folder, 'one')).rejects.toMatchObject({ code: 'Refused' })
  expect(await claude.prompt('go on')).toBeNull()
  await folder.engine.call('settings.set', { key: 'review.claude-code', value: 'on' })
  expect(textOf(await claude.prompt('and on'))).toContain('First.')
  expect(await claude.prompt('further')).toBeNull()
})

test('[RV-4] a message that waits is cancelled or replaced whole, and one that was sent stays', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  const { workspace, engine } = folder
  const first = await comment(folder, { target: run, text: 'First.' })
  const { review } = await send(folder, 'one')
  expect(await engine.call('review.cancel', { workspace, review: review.id })).toMatchObject({
    review: { state: 'cancelled' }
  })
  await comment(folder, { target: run, text: 'Second.' })
  await send(folder, 'one')
  const queued = engine.call('comments.change', { workspace, comment: first.id, text: 'Another text.' })
  await expect(queued).rejects.toMatchObject({ message: expect.stringContaining('Cancel the message first') })
  await comment(folder, { target: run, text: 'Third.' })
  await send(folder, 'one')
  const got = textOf(await claude.prompt('go on'))
  for (const text of ['First.', 'Second.', 'Third.']) expect(got.split(text)).toHaveLength(2)
  const { reviews } = await engine.call('review.list', { workspace, session: 'one' })
  expect(reviews.map(({ state }) => state)).toEqual(['sent', 'cancelled', 'cancelled'])
  const sent = reviews[0]!.id
  await expect(engine.call('review.cancel', { workspace, review: sent })).rejects.toMatchObject({ code: 'Refused' })
  const change = engine.call('comments.change', { workspace, comment: first.id, text: 'Another text.' })
  await expect(change).rejects.toMatchObject({ code: 'Refused' })
  await expect(engine.call('comments.delete', { workspace, comment: first.id })).rejects.toMatchObject({
    code: 'Refused'
  })
  await engine.call('comments.change', { workspace, comment: first.id, resolved: true })
  const { comments } = await engine.call('comments.list', { workspace, unresolved: true })
  expect(comments.map(({ text }) => text)).toEqual(['Second.', 'Third.'])
})

test('[RV-4] without a name, the message is for the newest session that has not got everything', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { workspace, engine } = folder
  const run = await agentIn(folder, 'one').turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  await agentIn(folder, 'two').turn('add another', { new: 'n' })
  const sessionOf = async () => (await engine.call('review.get', { workspace })).session
  expect(await sessionOf(), 'nothing is to be told').toBe('two')
  await comment(folder, { target: run, text: 'Why?' })
  expect(await sessionOf()).toBe('one')
  await send(folder, 'one')
  expect(await sessionOf(), 'it waits').toBe('one')
})

test('[RV-4] an event that is older than a hook waits gets no message; the next one does', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  await comment(folder, { target: run, text: 'First.' })
  await send(folder, 'one')
  const input = { session_id: 'one', cwd: folder.root, prompt: 'late', prompt_id: 'late' }
  const late = toHookEvent('claude-code', { event: 'UserPromptSubmit', input }, { at: Date.now() - 1600 })
  expect(await folder.engine.call('agent.event', late)).toEqual({ ingested: true })
  expect(textOf(await claude.prompt('now'))).toContain('First.')
})

test('[RV-3] a run without hooks has a message to be copied, with its comments and what was undone of it', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { workspace, engine } = folder
  const run = await folder.run('by hand', () => writeFiles(folder.root, { 'total.ts': 'one\nTWO\nthree\n' }))
  await comment(folder, { target: run, path: 'total.ts', from: 2, text: 'Why?' })
  await folder.apply({ kind: 'undo-run', run })
  for (const named of [{}, { run }]) {
    const got = await engine.call('review.get', { workspace, ...named })
    expect(got).toMatchObject({
      session: null,
      run,
      comments: [{ text: 'Why?' }],
      decisions: [{ kind: 'undone', run }]
    })
    expect(got.message).toContain('-TWO')
  }
})

test('[RV-1] [RV-4] a comment on a message goes to the agent with the text it is about, and says when that was undone', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { engine, workspace } = folder
  const [claude, other] = [agentIn(folder, 'one'), agentIn(folder, 'two')]
  await other.turn('look around', {})
  const run = await claude.turn('Write TWO in capitals', { 'total.ts': 'one\nTWO\nthree\n' })
  const first = await comment(folder, { target: 'one', message: 1, text: 'I meant *small* capitals.' })
  expect(first).toMatchObject({
    run,
    session: 'one',
    path: null,
    quote: 'Write TWO in capitals',
    message: { seq: 1, role: 'user', undone: false }
  })
  const reply = await comment(folder, { target: 'now', replyTo: first.id, text: 'Or none.' })
  expect(reply.message).toEqual(first.message)
  const { comments } = await engine.call('comments.list', { workspace, session: 'one', onMessages: true })
  expect(comments.map(({ id }) => id)).toEqual([first.id, reply.id])
  expect((await engine.call('comments.list', { workspace, session: 'two', onMessages: true })).comments).toEqual([])
  expect((await engine.call('comments.counts', { workspace })).runs).toEqual({ [run]: 1 })
  expect((await draft(folder, 'two')).message).toBe('')
  const { message } = await draft(folder, 'one')
  expect(message).toContain('**prompt #1**\n\n```\nWrite TWO in capitals\n```\n\nI meant *small* capitals.')

  await expect(comment(folder, { target: 'one', message: 99, text: 'x' })).rejects.toThrow('no message #99')
  await folder.apply({ kind: 'restore', target: `${run}:start`, mode: 'both' })
  expect((await draft(folder, 'one')).message).toContain('**prompt #1** (undone since)')
})

test('[RV-1] [RV-4] a comment on a tool call goes to the agent with what the call did, also out of a bundle', async () => {
  await using folder = await recordedFolder({ files: FILES })
  using temp = tempFolder()
  const { engine, workspace } = folder
  const run = await agentIn(folder, 'one').turn('Write TWO in capitals', { 'total.ts': 'one\nTWO\nthree\n' })
  const { calls = [] } = await engine.call('entry.show', { workspace, target: run })
  const [call] = calls
  if (!call) throw new Error('the turn has no tool call')
  const first = await comment(folder, { target: 'now', call: call.id, text: 'Why by hand?' })
  expect(first).toMatchObject({
    run,
    session: 'one',
    path: null,
    message: null,
    quote: call.summary,
    call: { id: call.id, name: call.name, message: 1, undone: false }
  })
  const { comments } = await engine.call('comments.list', { workspace, session: 'one', onMessages: true })
  expect(comments.map(({ id }) => id)).toEqual([first.id])
  expect((await draft(folder, 'one')).message).toContain(`**the tool call ${call.name}**`)
  await expect(comment(folder, { target: 'now', call: 'call_none', text: 'x' })).rejects.toThrow('no tool call')
  const idsWith = (prefix: string) => folder.store((store) => callsWithPrefix(store, prefix).map(({ id }) => id))
  expect(['', call.id.slice(0, 9), call.id, `${call.id}0`].map(idsWith)).toEqual([[call.id], [call.id], [call.id], []])

  const file = join(temp.path, 'run.driftline')
  await makeBundle(engine, file, { workspace, run })
  const { workspace: review } = await engine.call('bundle.open', { file })
  expect((await engine.call('comments.list', { workspace: review.id })).comments).toMatchObject([
    { text: 'Why by hand?', call: { id: call.id, name: call.name } }
  ])

  await folder.apply({ kind: 'restore', target: `${run}:start`, mode: 'both' })
  expect((await draft(folder, 'one')).message).toContain(`**the tool call ${call.name}** (undone since)`)
})

test('[RV-1] a deleted conversation takes the comments on its messages and tool calls along, and no others', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const { engine, workspace } = folder
  const run = await agentIn(folder, 'one').turn('Secret plan', { 'total.ts': 'one\nTWO\nthree\n' })
  const { id } = await comment(folder, { target: 'one', message: 1, text: 'About the secret plan' })
  await comment(folder, { target: 'now', replyTo: id, text: 'More about it' })
  const { calls = [] } = await engine.call('entry.show', { workspace, target: run })
  await comment(folder, { target: 'now', call: calls[0]?.id ?? '', text: 'About the call' })
  const kept = await comment(folder, { target: run, path: 'total.ts', text: 'About the file' })
  await engine.call('sessions.delete', { workspace, session: 'one' })
  const { comments } = await engine.call('comments.list', { workspace })
  expect(comments.map((each) => each.id)).toEqual([kept.id])
})

test('[RV-1] a reply belongs to the comment it answers; lines that a file does not have are refused', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const claude = agentIn(folder, 'one')
  const run = await claude.turn('change it', { 'total.ts': 'one\nTWO\nthree\n' })
  const first = await comment(folder, {
    target: run,
    path: 'total.ts',
    side: 'before',
    from: 2,
    text: 'It was better.'
  })
  expect(first).toMatchObject({ quote: 'two', lines: 'gone', line: null })
  const reply = await comment(folder, { target: 'now', replyTo: first.id, text: 'Or was it?' })
  expect(reply).toMatchObject({ replyTo: first.id, path: 'total.ts', run })
  const beyond = comment(folder, { target: run, path: 'total.ts', from: 4, text: 'Nothing is here.' })
  await expect(beyond).rejects.toMatchObject({
    code: 'Refused',
    message: 'total.ts has 3 lines at that point, so there is no line 4. The comment was not saved.'
  })
  await expect(comment(folder, { target: run, path: 'none.ts', text: 'x' })).rejects.toMatchObject({
    code: 'UnknownTarget'
  })
  await folder.engine.call('comments.delete', { workspace: folder.workspace, comment: first.id })
  expect((await folder.engine.call('comments.list', { workspace: folder.workspace })).comments).toEqual([])
})

describe('[RV-5] each agent gets it in its own form, with the event that it takes it with', () => {
  test.each([
    ['claude-code', 'claude', 'UserPromptSubmit'],
    ['codex', 'codex', 'UserPromptSubmit'],
    ['gemini-cli', 'gemini', 'BeforeAgent'],
    ['qwen-code', 'qwen', 'UserPromptSubmit'],
    ['opencode', 'opencode', 'chat.message'],
    ['cline', 'cline', 'PreToolUse']
  ])('%s', async (agent, fixture, event) => {
    await using folder = await recordedFolder({ files: PROJECT })
    const { workspace, engine } = folder
    const lines = recordedEvents(fixture, folder.root).map((line) =>
      agent === 'opencode' ? { ...line, input: { ...line.input, directory: folder.root } } : line
    )
    await replay(folder, agent, lines)
    await engine.call('comments.add', { workspace, target: 'latest', text: 'Smaller steps.' })
    const { session } = await engine.call('review.get', { workspace })
    const { review } = await engine.call('review.send', { workspace, session: session ?? '', route: 'prompt' })
    const answers: [string, string][] = []
    // The same conversation once more.
    for (const line of lines) {
      const { answer } = await engine.call('agent.event', toHookEvent(agent, line))
      if (answer !== undefined) answers.push([line.event, answer])
    }
    expect(answers.map(([name]) => name)).toEqual([event])
    const text = review.message
    const forms: Readonly<Record<string, object>> = {
      opencode: { text },
      cline: { cancel: false, contextModification: text }
    }
    expect(JSON.parse(answers[0]![1])).toEqual(
      forms[agent] ?? { hookSpecificOutput: { hookEventName: event, additionalContext: text } }
    )
  })
})
