/** [GW-1] Texts too long for a hook's deadline lose their middles; nothing else of the event changes. */
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isTruncated, truncateTexts } from '../../../../src/main/engine/agents/truncate-texts.ts'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { caughtUp } from '../../../support/caught-up.ts'
import { recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const MB = 1024 * 1024
const MARK = /\n\[… (\d+) kB left out by Driftline …\]\n/

function passed(event: unknown): Record<string, unknown> {
  return JSON.parse(truncateTexts(Buffer.from(JSON.stringify(event))).toString('utf8')) as Record<string, unknown>
}

describe('a text of 5 MB', () => {
  test.each([
    ['of words', 'so many words '],
    ['of lines and quotes', 'a "line"\n\t'],
    ['of backslashes', '\\'],
    ['of letters of several bytes', 'ĂҖ漢🙂'],
    ['of escapes of six', '\u0001\u001f']
  ])('%s keeps its first and last part, and states how much was removed', (_, piece) => {
    const text = `first ${piece.repeat((5 * MB) / (Buffer.byteLength(JSON.stringify(piece)) - 2))} last`
    const event = { session_id: 's', prompt: text, tool_input: { paths: ['a', 'b'], n: 1 } }
    const { prompt, ...rest } = passed(event)
    const { prompt: _prompt, ...same } = event
    expect(rest).toEqual(same)
    const [head, left, tail] = (prompt as string).split(MARK)
    expect(text.startsWith(head!) && text.endsWith(tail!)).toBe(true)
    expect(Number(left)).toBeGreaterThan(900)
    expect(head!.length).toBeGreaterThan(tail!.length)
    expect([isTruncated(text), isTruncated(prompt as string)]).toEqual([false, true])
    expect(Buffer.byteLength(JSON.stringify(prompt))).toBeLessThan(4.01 * MB)
  })
})

test('an event without such a text keeps its bytes, and so does an incomplete event or other text', () => {
  for (const text of [
    JSON.stringify({ a: 'x'.repeat(4 * MB - 2), b: '"' }),
    `{"a":"${'x'.repeat(5 * MB)}`,
    'x'.repeat(5 * MB)
  ]) {
    const bytes = Buffer.from(text)
    expect(truncateTexts(bytes)).toBe(bytes)
  }
})

test('many long texts are truncated further, so that the whole event can be spooled', () => {
  const event = { texts: Array.from({ length: 12 }, () => 'x'.repeat(3 * MB)), id: 'i' }
  const { texts, id } = passed(event) as { texts: string[]; id: string }
  expect([texts.length, id, texts.every(isTruncated)]).toEqual([12, 'i', true])
  expect(texts.join('').length).toBeLessThan(32 * MB)
})

test('a file and a patch of 5 MB are recorded in full although the event is truncated', async () => {
  const large = 'a line of a large file\n'.repeat(240_000)
  await using folder = await recordedFolder({ files: { 'large.txt': large, 'b.txt': 'b\n' } })
  const { root, workspace, engine } = folder
  const send = (agent: 'claude-code' | 'codex', event: string, more: object): Promise<unknown> => {
    const input = passed({ session_id: agent, cwd: root, hook_event_name: event, ...more })
    return engine.callUntyped('agent.event', toHookEvent(agent, { event, input }))
  }
  await send('claude-code', 'UserPromptSubmit', { prompt: 'change it' })
  const file = join(root, 'large.txt')
  const edit = { tool_name: 'Edit', tool_use_id: 't', tool_input: { file_path: file } }
  await send('claude-code', 'PreToolUse', edit)
  writeFiles(root, { 'large.txt': `${large}end\n` })
  await send('claude-code', 'PostToolUse', { ...edit, tool_response: { filePath: file, originalFile: large } })
  await send('claude-code', 'Stop', { background_tasks: [] })
  await send('codex', 'UserPromptSubmit', { prompt: 'patch them' })
  const line = `+${large.slice(0, 100).replaceAll('\n', ' ')}\n`
  const command = `*** Begin Patch\n*** Add File: a.txt\n${line.repeat(40_000)}*** Update File: b.txt\n${line.repeat(20_000)}`
  const patch = { tool_name: 'apply_patch', tool_use_id: 'u', tool_input: { command } }
  await send('codex', 'PreToolUse', patch)
  writeFiles(root, { 'a.txt': 'a\n', 'b.txt': 'patched\n' })
  await send('codex', 'PostToolUse', patch)
  await send('codex', 'Stop', {})
  const { entries } = await engine.call('timeline.list', { workspace, limit: 9, kinds: ['run', 'drift'] })
  const changed = entries.map(async (entry) => {
    const { files } = await engine.call('diff.files', { workspace, target: entry.id, scope: 'run' })
    return files.map(({ path, attribution }) => `${path} ${attribution}`)
  })
  expect(await Promise.all(changed)).toEqual([['a.txt declared', 'b.txt inferred'], ['large.txt declared']])
})

test('a truncated prompt is recognised in the transcript: one message', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a' } })
  const { root, home, workspace, engine } = folder
  const file = join(home, '.claude/projects/p/s.jsonl')
  const prompt = 'many words '.repeat((5 * MB) / 11)
  writeFiles(home, {
    '.claude/projects/p/s.jsonl': `${JSON.stringify({ type: 'user', uuid: 'u', message: { role: 'user', content: prompt } })}\n`
  })
  for (const [event, more] of [
    ['UserPromptSubmit', { prompt }],
    ['Stop', { background_tasks: [] }]
  ] as const) {
    const input = passed({ session_id: 's', cwd: root, transcript_path: file, hook_event_name: event, ...more })
    await engine.callUntyped('agent.event', toHookEvent('claude-code', { event, input }))
  }
  await caughtUp(folder)
  const { messages } = await engine.call('sessions.messages', { workspace, session: 's' })
  expect(messages.map(({ text }) => isTruncated(text))).toEqual([true])
  const row = folder.store(({ db }) => db.prepare('SELECT source FROM message').pluck().get())
  expect(row, 'found in the transcript').toBe('u')
})
