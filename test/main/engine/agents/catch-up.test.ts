/** [GW-8] A long transcript is imported after its hook was answered; nothing is lost, repeated or out of order. */
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { importWholeTranscript, performLateStep } from '../../../../src/main/engine/agents/catch-up.ts'
import { sessionsBehind } from '../../../../src/main/engine/store/late-steps.ts'
import { messagesOf } from '../../../../src/main/engine/store/messages.ts'
import { findSession } from '../../../../src/main/engine/store/sessions.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { caughtUp } from '../../../support/caught-up.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const SESSION = 's'
/** More than is imported at an event and in the slice after it: 1.2 kB each. */
const SEVERAL = 700

/** A Claude Code session with a transcript of several import slices. */
function longSession(folder: RecordedFolder, earlier: number) {
  const file = join(folder.home, '.claude/projects/p/s.jsonl')
  mkdirSync(dirname(file), { recursive: true })
  let last: string | null = null
  const line = (type: 'user' | 'assistant', text: string, uuid: string, parent: string | null): string => {
    const message = { role: type, content: type === 'user' ? text : [{ type: 'text', text }] }
    last = uuid
    return `${JSON.stringify({ parentUuid: parent, uuid, type, message })}\n`
  }
  const write = (type: 'user' | 'assistant', text: string, uuid: string, parent = last) =>
    appendFileSync(file, line(type, text, uuid, parent))
  const texts = Array.from({ length: earlier }, (_, n) =>
    `${n % 4 ? 'answer' : 'prompt'} ${n} ${'é word '.repeat(150)}`.trim()
  )
  const lines = texts.map((text, n) => line(n % 4 ? 'assistant' : 'user', text, `u${n}`, last))
  appendFileSync(file, lines.join(''))
  return {
    file,
    texts,
    write,
    send: (event: string, more: object = {}) =>
      folder.engine.callUntyped(
        'agent.event',
        toHookEvent('claude-code', {
          event,
          input: { session_id: SESSION, cwd: folder.root, transcript_path: file, hook_event_name: event, ...more }
        })
      )
  }
}

const isBehind = (folder: RecordedFolder): boolean => folder.store((store) => sessionsBehind(store).length > 0)
const recorded = (folder: RecordedFolder) =>
  folder.store((store) => [...messagesOf(store, SESSION)].map(({ text, role, turn }) => ({ text, role, turn })))

describe('[GW-8] a session that is resumed with a long transcript', () => {
  test('its first prompt is answered before the import, and follows everything that was there before it', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, write, send } = longSession(folder, SEVERAL)
    await send('SessionStart', { source: 'resume' })
    await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' })
    expect(isBehind(folder)).toBe(true)
    write('user', 'go on', 'go')
    write('assistant', 'went on', 'went')
    await send('Stop', { last_assistant_message: 'went on', background_tasks: [] })
    // The same text as before: another prompt.
    await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p2' })
    write('user', 'go on', 'go2')
    write('assistant', 'went further', 'went2')
    await send('Stop', { last_assistant_message: 'went further', background_tasks: [] })
    await caughtUp(folder)
    const messages = recorded(folder)
    expect(messages.map(({ text }) => text)).toEqual([...texts, 'go on', 'went on', 'go on', 'went further'])
    const turns = messages.slice(-4).map(({ turn }) => turn)
    expect([turns[0], turns[2]]).toEqual([turns[1], turns[3]])
    expect(turns[0]).not.toBe(turns[2])
    expect(messages[texts.length - 1]?.turn).toBe(null)
  })

  test('a restore to a checkpoint of that time cuts where the prompt was, and its plan imports the rest first', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, write, send } = longSession(folder, SEVERAL)
    await send('SessionStart', { source: 'resume' })
    await send('UserPromptSubmit', { prompt: 'first', prompt_id: 'p1' })
    write('user', 'first', 'f')
    write('assistant', 'did it', 'd')
    await send('Stop', { last_assistant_message: 'did it', background_tasks: [] })
    await send('UserPromptSubmit', { prompt: 'second', prompt_id: 'p2' })
    write('user', 'second', 'g')
    write('assistant', 'done', 'e')
    await send('Stop', { last_assistant_message: 'done', background_tasks: [] })
    const plan = await folder.plan({ kind: 'restore', target: 'latest', mode: 'conversation' })
    expect(plan.conversation).toMatchObject({
      toRevision: texts.length + 2,
      supersedes: 2,
      prompt: 'second',
      why: null
    })
    expect(isBehind(folder)).toBe(false)
    const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, all: true })
    expect(Math.min(...checkpoints.map(({ revision }) => revision ?? texts.length))).toBe(texts.length)
  })

  test('ended between any two slices, it continues where it was', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, write, send } = longSession(folder, 3 * SEVERAL)
    await send('SessionStart', { source: 'resume' })
    await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' })
    await folder.engine.close()
    write('user', 'go on', 'go')
    // Each step on a connection of its own, as a process that is killed after it leaves the store.
    const context = { root: folder.root, home: folder.home, now: () => 1, testCommands: () => [] }
    const offsets: number[] = []
    while (folder.store((store) => performLateStep({ ...context, store }, SESSION)))
      offsets.push(folder.store((store) => findSession(store, SESSION)?.transcript_at ?? -1))
    expect(new Set(offsets).size).toBeGreaterThan(3)
    expect(offsets).toEqual([...offsets].sort((a, b) => a - b))
    folder.store((store) => importWholeTranscript({ ...context, store }, SESSION))
    expect(recorded(folder).map(({ text }) => text)).toEqual([...texts, 'go on'])
    await folder.reopen()
    expect(isBehind(folder)).toBe(false)
  })

  test('the recorder that is started next continues it by itself', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, send } = longSession(folder, SEVERAL)
    await send('SessionStart', { source: 'resume' })
    await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' })
    await folder.reopen()
    await folder.check()
    await caughtUp(folder)
    expect(recorded(folder).map(({ text }) => text)).toEqual([...texts, 'go on'])
  })

  test('hooks that are registered twice send a prompt twice: it is one message', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, send } = longSession(folder, SEVERAL)
    await send('SessionStart', { source: 'resume' })
    for (const _ of [1, 2]) await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' })
    await caughtUp(folder)
    expect(recorded(folder).map(({ text }) => text)).toEqual([...texts, 'go on'])
  })

  test('a rewind in the part that is imported later is found', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
    const { texts, write, send } = longSession(folder, SEVERAL)
    write('user', 'again from there', 'r', 'u501')
    await send('SessionStart', { source: 'resume' })
    await send('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p1' })
    await caughtUp(folder)
    const { messages } = await folder.engine.call('sessions.messages', {
      workspace: folder.workspace,
      session: SESSION,
      side: 'before',
      limit: 500
    })
    const undone = messages.filter(({ superseded }) => superseded).map(({ seq }) => seq)
    expect([undone[0], undone.at(-1), undone.length]).toEqual([503, texts.length, texts.length - 502])
  })
})

test('a part of a transcript without a JSON object hides no rewind after it', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const { texts, write, send, file } = longSession(folder, 8)
  await send('SessionStart', { source: 'resume' })
  await send('UserPromptSubmit', { prompt: 'one', prompt_id: 'p1' })
  appendFileSync(file, '\n')
  await send('Stop', { background_tasks: [] })
  write('user', 'one', 'r', 'u3')
  await send('UserPromptSubmit', { prompt: 'two', prompt_id: 'p2' })
  const { messages } = await folder.engine.call('sessions.messages', { workspace: folder.workspace, session: SESSION })
  expect(messages.filter(({ superseded }) => superseded).map(({ text }) => text)).toEqual(texts.slice(4))
})
