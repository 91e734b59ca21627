/** After a rewind, Codex starts a file that builds on a part of the old one: both are one conversation. */
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { toHookEvent } from '../../../support/agent-replay.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { activeMessages, readTranscript } from '../../../support/transcript-agent.ts'

const THREAD = '01a1fc1b-f5cf-7d62-a341-f77336a65af2'
const SEGMENT = '01a1fc60-bbe6-7ed3-92c6-a49d4ac5c325'

function codex(folder: RecordedFolder) {
  const day = join(folder.home, '.codex/sessions/2026/11/21')
  mkdirSync(day, { recursive: true })
  const files = { old: join(day, `rollout-2026-11-21T03-17-33-${THREAD}.jsonl`), rewound: '' }
  let file = files.old
  const write = (type: string, payload: object): void =>
    appendFileSync(file, `${JSON.stringify({ timestamp: new Date().toISOString(), type, payload })}\n`)
  write('session_meta', { id: THREAD, session_id: THREAD, cwd: folder.root })
  const send = (event: string, more: object) => {
    const common = { session_id: THREAD, transcript_path: file, cwd: folder.root, hook_event_name: event }
    return folder.engine.callUntyped('agent.event', toHookEvent('codex', { event, input: { ...common, ...more } }))
  }
  const item = (type: string, id: string, text: string) =>
    write('event_msg', { type: 'item_completed', item: { type, id, content: [{ type: 'Text', text: text }] } })
  return {
    files,
    turn: async (n: string) => {
      await send('UserPromptSubmit', { prompt: `ask ${n}`, turn_id: n })
      write('event_msg', { type: 'task_started', turn_id: n })
      item('UserMessage', `u-${n}`, `ask ${n}`)
      item('AgentMessage', `a-${n}`, `answer ${n}`)
      write('response_item', { type: 'message', role: 'assistant', id: `r-${n}` })
      write('event_msg', { type: 'task_complete', turn_id: n })
      await send('Stop', { last_assistant_message: `answer ${n}` })
      return (await folder.engine.call('sessions.show', { workspace: folder.workspace, session: THREAD })).turns.at(-1)!
        .id
    },
    /** Rewinds to before a turn; `bytes` is the offset of that turn's records in the old file. */
    rewind: (bytes: number) => {
      file = files.rewound = join(dirname(file), `rollout-2026-11-21T04-32-40-${THREAD}_${SEGMENT}.jsonl`)
      const base = { thread_id: THREAD, end_ordinal_exclusive: 0, end_byte_offset: bytes }
      write('session_meta', { id: THREAD, session_id: THREAD, cwd: folder.root, history_base: base })
    },
    messages: async () =>
      activeMessages(
        (await folder.engine.call('sessions.messages', { workspace: folder.workspace, session: THREAD })).messages
      ),
    resume: async (at: string) => {
      const { workspace } = folder
      const { argv } = await folder.engine.call('sessions.resume', { workspace, session: THREAD, at, fork: true })
      return join(day, readdirSync(day).find((name) => name.includes(argv.at(-1)!))!)
    }
  }
}

test('abandoned messages are not in force, and the session can be resumed from every point of both branches', async () => {
  await using folder = await recordedFolder()
  const agent = codex(folder)
  const first = await agent.turn('one')
  const { size } = statSync(agent.files.old)
  const second = await agent.turn('two')
  agent.rewind(size)
  const third = await agent.turn('three')
  const fourth = await agent.turn('four')
  expect(await agent.messages()).toEqual([
    'ask one',
    'answer one',
    'ask three',
    'answer three',
    'ask four',
    'answer four'
  ])
  const { workspace } = folder
  const { entries } = await folder.engine.call('timeline.list', { workspace, limit: 2 })
  expect(entries.map((entry) => entry.kind === 'run' && entry.notes)).toEqual([[], [{ code: 'rewound' }]])

  const readFork = async (at: string): Promise<{ meta: unknown; messages: string[] }> => {
    const records = readTranscript(await agent.resume(at))
    const messages = records.flatMap(({ payload }) => {
      const item = (payload as { item?: { content: { text: string }[] } }).item
      return item ? [item.content[0]!.text] : []
    })
    return { meta: records[0]!.payload, messages }
  }
  const onBase = { history_base: { thread_id: THREAD, end_byte_offset: size }, forked_from_id: THREAD }
  expect(await readFork(fourth)).toMatchObject({ meta: onBase, messages: ['ask three', 'answer three'] })
  const whole = await readFork(`${first}:end`)
  expect(whole.messages).toEqual(['ask one', 'answer one'])
  expect(whole.meta).not.toHaveProperty('history_base')
  expect((await readFork(third)).messages, 'the point the rewind went to').toEqual(['ask one', 'answer one'])

  const old = [agent.files.old, agent.files.rewound].map((file) => readFileSync(file))
  const result = await folder.apply({ kind: 'restore', target: third, mode: 'conversation' })
  expect(result.conversation).toMatchObject({ superseded: 4, prompt: 'ask three' })
  expect(await agent.messages()).toEqual(['ask one', 'answer one'])
  await folder.apply({ kind: 'undo' })
  expect(await agent.messages()).toHaveLength(6)
  expect([agent.files.old, agent.files.rewound].map((file) => readFileSync(file))).toEqual(old)
  // The base file does not hold messages that the agent abandoned: only files can be restored there.
  expect((await folder.plan({ kind: 'restore', target: `${second}:end` })).conversation?.why).toBe('message-missing')
})
