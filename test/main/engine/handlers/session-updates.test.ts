/** Following a live conversation: sent once, then only what is new, and always equal to a full answer. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { applySessionUpdate, type SessionDetail } from '../../../../src/contract/conversation.ts'
import { addMessage } from '../../../../src/main/engine/runs/session-rows.ts'
import { transact } from '../../../../src/main/engine/store/sql.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'

const put = (folder: RecordedFolder, name: string, text: string) => (): void =>
  writeFileSync(join(folder.root, name), text)
const show = (folder: RecordedFolder, { session }: TranscriptAgent, since?: string): Promise<SessionDetail> =>
  folder.engine.call('sessions.show', {
    workspace: folder.workspace,
    session,
    ...(since === undefined ? {} : { since })
  })
const BASH = { tool_name: 'Bash', tool_input: { command: 'work' } }

test('a live conversation of 1,500 messages costs only what is new in it', async () => {
  await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
  const agent = createTranscriptAgent(folder)
  await agent.say('begin', 'begun', put(folder, 'a.ts', 'a\n'))
  folder.store((store) =>
    transact(store, (tx) => {
      for (let n = 0; n < 1500; n++)
        addMessage(tx, agent.session, {
          turn: null,
          role: n % 10 === 0 ? 'user' : 'assistant',
          text: `Part ${n} of a long conversation that was sent before.`,
          at: Date.now(),
          source: `sent-${n}`
        })
    })
  )
  await agent.begin('continue')
  const whole = await show(folder, agent)
  expect(JSON.stringify(whole).length).toBeLessThan(10_000)
  await agent.send('PreToolUse', { ...BASH, tool_use_id: 'more' })
  const update = await show(folder, agent, whole.mark)
  // The live turn and its open calls are part of every update.
  expect([update.turns.length, update.calls.length]).toEqual([1, 2])
  await agent.send('Stop', { last_assistant_message: 'continued', background_tasks: [] })
  const last = await show(folder, agent, whole.mark)
  expect(JSON.stringify(last).length).toBeLessThan(5000)
  expect(same(applySessionUpdate(whole, last))).toEqual(same(await show(folder, agent)))
})

test('a call that works in the background does not cause later calls to be sent again', async () => {
  await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
  const agent = createTranscriptAgent(folder)
  await agent.begin('serve it')
  for (let n = 0; n < 30; n++) {
    await agent.send('PreToolUse', { ...BASH, tool_use_id: `t${n}` })
    await agent.send('PostToolUse', { ...BASH, tool_use_id: `t${n}`, tool_response: {} })
  }
  const known = await show(folder, agent)
  expect(known.calls.map(({ state }) => state === 'open')).toEqual([true, ...Array(30).fill(false)])
  const news = await show(folder, agent, known.mark)
  expect(news.calls.map(({ id }) => id)).toEqual([known.calls[0]?.id])
  expect(same(applySessionUpdate(known, news))).toEqual(same(known))
})

test('updates give the same as a full answer: prompts, tools, restores, undo, redo, rewinds, pins', async () => {
  await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
  const agent = createTranscriptAgent(folder)
  let known: SessionDetail | null = null
  const follow = async (what: string, act: () => Promise<unknown>): Promise<void> => {
    await act()
    const news = await show(folder, agent, known?.mark)
    known = known ? applySessionUpdate(known, news) : news
    expect(same(known), what).toEqual(same(await show(folder, agent)))
  }
  let second = ''
  await follow('first turn', () => agent.say('add tax', 'tax is in', put(folder, 'tax.ts', 'tax\n')))
  await follow('second turn', async () => {
    second = await agent.say('round it', 'rounded', put(folder, 'round.ts', 'round\n'))
  })
  await follow('a pin', () => folder.checkpoint('here'))
  await follow('a run that works', () => agent.begin('ship it', put(folder, 'ship.ts', 'ship\n')))
  await follow('its end', () => agent.send('Stop', { last_assistant_message: 'shipped', background_tasks: [] }))
  await follow('a restore', () => folder.apply({ kind: 'restore', target: second }))
  expect((await agent.page()).messages.filter(({ superseded }) => superseded)).toHaveLength(4)
  await follow('undo', () => folder.apply({ kind: 'undo' }))
  expect((await agent.page()).messages.every(({ superseded }) => !superseded)).toBe(true)
  await follow('redo', () => folder.apply({ kind: 'redo' }))
  await follow('the agent continues after the redo', () => agent.say('still here?', 'yes'))
  await follow('a restore of files only', () => folder.apply({ kind: 'restore', target: second, mode: 'files' }))
  agent.rewind(1)
  await follow('a rewind inside the agent', () => agent.say('round up', 'rounded up'))
  await follow('nothing', async () => {})
})

test('an invalid mark, or one of another conversation, gives the full answer', async () => {
  await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
  const [agent, two] = [createTranscriptAgent(folder), createTranscriptAgent(folder)]
  await agent.say('add tax', 'tax is in')
  await two.say('something else', 'done')
  await two.say('more', 'done')
  const whole = same(await show(folder, two))
  for (const mark of ['', 'nonsense', '1:::,,', (await show(folder, agent)).mark])
    expect(same(await show(folder, two, mark)), mark).toEqual(whole)
})

/** Without `from`, which differs between an update and a full answer. */
function same({ from: _, ...detail }: SessionDetail): Omit<SessionDetail, 'from'> {
  return detail
}
