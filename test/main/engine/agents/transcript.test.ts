/** Transcripts become messages: once, in order, and only from files that may be read. */
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chownSync,
  copyFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../../src/contract/conversation.ts'
import { type Line, PROJECT, recordedEvents, replay, toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const TRANSCRIPTS = resolve(import.meta.dirname, '../../../fixtures/transcripts')

const sessions = async (folder: RecordedFolder) =>
  (await folder.engine.call('sessions.list', { workspace: folder.workspace })).sessions
const messages = async (folder: RecordedFolder): Promise<readonly Message[]> => {
  const [session] = await sessions(folder)
  return (await folder.engine.call('sessions.messages', { workspace: folder.workspace, session: session!.id })).messages
}

const unknown = async (folder: RecordedFolder): Promise<readonly string[]> => {
  const [session] = await sessions(folder)
  return (await folder.engine.call('sessions.messages', { workspace: folder.workspace, session: session!.id })).unknown
}

const CASES = [
  ['claude', 'claude-code', 'claude.jsonl'],
  ['codex', 'codex', 'codex.jsonl'],
  ['gemini', 'gemini-cli', 'gemini.jsonl'],
  ['qwen', 'qwen-code', 'qwen.jsonl'],
  ['cline', 'cline', 'cline.json']
] as const

/** The path of the recorded agent's transcript, in the test's home. */
function transcriptOf(lines: readonly Line[], home: string, agent: string): string {
  if (agent === 'cline') return join(home, '.cline/data/sessions/1795214390568_zcujn/1795214390568_zcujn.messages.json')
  return lines[0]!.input.transcript_path as string
}

test.each(CASES)('%s: every message once, from the prompt to the last answer', async (name, agent, transcript) => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents(name, folder.root, folder.home)
  const file = transcriptOf(lines, folder.home, agent)
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(TRANSCRIPTS, transcript), file)
  await replay(folder, agent, lines)
  const found = await messages(folder)
  expect(found[0]).toMatchObject({ role: 'user', text: '[[script:basic]] do it' })
  expect(found.filter((message) => message.role === 'user')).toHaveLength(1)
  expect(found.at(-1)).toMatchObject({
    role: 'assistant',
    text: expect.stringMatching(/^All done: wrote notes\.txt/)
  })
  const texts = found.map((message) => message.text)
  expect(texts).toContain('Editing.')
  expect(new Set(texts).size, 'no message twice').toBe(texts.length)
  expect(await unknown(folder), 'every kind of record is known').toEqual([])
  const [session] = await sessions(folder)
  expect(session).toMatchObject({ agent, runs: 1, phase: 'stopped', title: '[[script:basic]] do it' })
})

test('cline: a task without a prompt gets its title from the transcript', async () => {
  await using folder = await recordedFolder({ files: PROJECT })
  const lines = recordedEvents('cline', folder.root, folder.home)
  const file = transcriptOf(lines, folder.home, 'cline')
  mkdirSync(dirname(file), { recursive: true })
  copyFileSync(join(TRANSCRIPTS, 'cline.json'), file)
  await replay(folder, 'cline', lines)
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 5,
    kinds: ['run']
  })
  expect(entries.map((entry) => entry.title)).toEqual(['[[script:basic]] do it'])
})

describe('a transcript is imported', () => {
  const start = async (): Promise<{
    folder: RecordedFolder
    file: string
    stop: (more?: object) => Promise<unknown>
  }> => {
    const folder = await recordedFolder({ files: PROJECT })
    const lines = recordedEvents('claude', folder.root, folder.home)
    const file = lines[0]!.input.transcript_path as string
    mkdirSync(dirname(file), { recursive: true })
    await replay(folder, 'claude-code', lines.slice(0, 2))
    const stop = lines.find((line) => line.event === 'Stop')!
    return {
      folder,
      file,
      stop: (more = {}) =>
        folder.engine.callUntyped(
          'agent.event',
          toHookEvent('claude-code', { ...stop, input: { ...stop.input, last_assistant_message: '', ...more } })
        )
    }
  }
  const line = (uuid: string, text: string): string =>
    `${JSON.stringify({ type: 'assistant', uuid, message: { content: [{ type: 'text', text: text }] } })}\n`

  test('as it grows, complete lines only, and from the start when it shrank', async () => {
    const { folder, file, stop } = await start()
    await using _ = folder
    writeFileSync(file, `${line('1', 'one')}not json\n{"type":"unknown"}\n[]\n${line('2', 'two').slice(0, 20)}`)
    await stop()
    const messageTexts = async (): Promise<string[]> =>
      (await messages(folder)).filter((message) => message.role === 'assistant').map((message) => message.text)
    expect(await messageTexts()).toEqual(['one'])
    appendFileSync(file, line('2', 'two').slice(20))
    await stop()
    expect(await messageTexts()).toEqual(['one', 'two'])
    writeFileSync(file, line('1', 'one') + line('3', 'three'))
    await stop()
    expect(await messageTexts()).toEqual(['one', 'two', 'three'])
  })

  test('records of unknown kinds are stored as they are: once, up to a limit, until the conversation is deleted', async () => {
    const { folder, file, stop } = await start()
    await using _ = folder
    const odd = (n: number, more = ''): string => `{ "type":"thought-9",  "n":${n}, "words":"n\u00f6 ${more}" }`
    writeFileSync(file, `${odd(1)}\nnot json\n[]\n${line('1', 'one')}${odd(2)}\n${odd(3, 'x'.repeat(70_000))}\n`)
    await stop()
    expect(await unknown(folder)).toEqual([odd(1), odd(2)])
    appendFileSync(file, `${odd(4).slice(0, 9)}`)
    await stop()
    appendFileSync(file, `${odd(4).slice(9)}\n`)
    await stop()
    expect(await unknown(folder)).toEqual([odd(1), odd(2), odd(4)])
    appendFileSync(file, Array.from({ length: 500 }, (_one, i) => `${odd(i)}\n`).join(''))
    await stop()
    expect(await unknown(folder)).toHaveLength(200)
    const [session] = await sessions(folder)
    await folder.engine.call('sessions.delete', { workspace: folder.workspace, session: session!.id })
    expect(folder.store((store) => store.db.prepare('SELECT DISTINCT text FROM unknown_record').pluck().all())).toEqual(
      ['']
    )
  })

  test('[PR-3] only the conversation of that session, whatever else an event names in the agent\u2019s folder', async () => {
    const { folder, file, stop } = await start()
    await using _ = folder
    const others = [
      join(folder.home, '.claude/.credentials.json'),
      join(folder.home, '.claude/history.jsonl'),
      join(dirname(file), 'another-session.jsonl'),
      join(dirname(dirname(file)), 'another-project', 'another-session.jsonl'),
      join(dirname(file), 'deeper', file.slice(dirname(file).length + 1))
    ]
    for (const other of others) {
      mkdirSync(dirname(other), { recursive: true })
      writeFileSync(other, line('s', 'a secret'))
      await stop({ transcript_path: other })
    }
    expect((await messages(folder)).filter((message) => message.role === 'assistant')).toEqual([])
    const warnings = async () => {
      const { entries } = await folder.engine.call('timeline.list', {
        workspace: folder.workspace,
        limit: 1,
        kinds: ['run']
      })
      const shown = await folder.engine.call('entry.show', { workspace: folder.workspace, target: entries[0]!.id })
      return shown.warnings
    }
    expect(await warnings(), 'and the run says so').toContainEqual({ code: 'transcript-not-read' })
    writeFileSync(file, line('s', 'done'))
    await stop({ transcript_path: file })
    expect(await warnings()).not.toContainEqual({ code: 'transcript-not-read' })
    expect((await messages(folder)).filter((message) => message.role === 'assistant')).toHaveLength(1)
  })

  test('[PR-3] a folder inside the recorded one that an event names is not the agent\u2019s', async () => {
    await using folder = await recordedFolder({ files: PROJECT })
    const home = join(folder.root, '.agent')
    const lines = recordedEvents('claude', folder.root, folder.home)
    const file = join(home, 'projects/p', `${lines[0]!.input.session_id}.jsonl`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, line('s', 'a secret'))
    const send = (at: Line) => {
      const input = { ...at.input, transcript_path: file, last_assistant_message: '' }
      return folder.engine.callUntyped('agent.event', toHookEvent('claude-code', { ...at, input }, { home }))
    }
    for (const at of lines) if (['SessionStart', 'UserPromptSubmit', 'Stop'].includes(at.event)) await send(at)
    expect((await messages(folder)).map(({ role }) => role)).toEqual(['user'])
  })

  test('[Security] never through a link, outside the agent\u2019s folder, from anything but a file, or from another user\u2019s file', {
    tags: ['links']
  }, async () => {
    const { folder, file, stop } = await start()
    await using _ = folder
    const secret = join(folder.home, 'secret.jsonl')
    writeFileSync(secret, line('s', 'a secret'))
    const countMessages = async (): Promise<number> =>
      (await messages(folder)).filter((message) => message.role === 'assistant').length
    await stop({ transcript_path: secret })
    await stop({ transcript_path: join(folder.home, '.claude/../secret.jsonl') })
    await stop({ transcript_path: 'secret.jsonl' })
    symlinkSync(secret, file)
    await stop()
    rmSync(file)
    renameSync(dirname(file), join(folder.home, 'moved'))
    writeFileSync(join(folder.home, 'moved', file.slice(dirname(file).length + 1)), line('s', 'a secret'))
    symlinkSync(join(folder.home, 'moved'), dirname(file))
    await stop()
    rmSync(dirname(file))
    mkdirSync(file, { recursive: true })
    await stop()
    rmSync(file, { recursive: true })
    execFileSync('mkfifo', [file])
    await stop()
    rmSync(file)
    if (process.getuid?.() === 0) {
      writeFileSync(file, line('s', 'another user'))
      chownSync(file, 4711, 4711)
      await stop()
    }
    expect(await countMessages()).toBe(0)
    expect(readFileSync(secret, 'utf8')).toContain('a secret')
  })
})

test('without a transcript, the same answer to two prompts is two messages, and one repeated by its stop is one', async () => {
  await using folder = await recordedFolder()
  const { engine, workspace, root } = folder
  const send = (event: string, more: object) => {
    const input = { session_id: 'plain', cwd: root, hook_event_name: event, ...more }
    return engine.callUntyped('agent.event', toHookEvent('codex', { event, input }))
  }
  for (const prompt of ['first', 'second']) {
    await send('UserPromptSubmit', { prompt, turn_id: prompt })
    await send('Stop', { last_assistant_message: 'Done.' })
    await send('Stop', { last_assistant_message: 'Done.' })
  }
  const { messages } = await engine.call('sessions.messages', { workspace, session: 'plain' })
  expect(messages.map(({ text }) => text)).toEqual(['first', 'Done.', 'second', 'Done.'])
})
