/** [RS-7] A restore with a conversation that is killed: files and words end together, finished or undone. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCrashChild } from '../../../support/crash-process.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'

/** Each is finished or undone; both in the long form. */
const POINTS = ['staged', 'placed:1', 'removed', 'verified']
const ALL = ['one', 'did one', 'two', 'did two']

async function talked(folder: RecordedFolder): Promise<{ agent: TranscriptAgent; second: string }> {
  const agent = createTranscriptAgent(folder)
  const put = (names: readonly string[], text: string) => (): void => {
    for (const name of names) writeFileSync(join(folder.root, name), text)
  }
  await agent.say('one', 'did one', put(['a', 'b'], 'one\n'))
  return { agent, second: await agent.say('two', 'did two', put(['a', 'c', 'd'], 'two\n')) }
}

for (const at of LONG ? POINTS : ['placed:1', 'verified'])
  test(`killed at ${at}: nobody's words move until it is finished; then undo brings all back`, async () => {
    await using folder = await recordedFolder({ files: { a: '0', z: '0' } })
    const { agent, second } = await talked(folder)
    const before = folder.tree()
    await runCrashChild(folder, { do: 'restore', request: { kind: 'restore', target: second }, at })
    expect(await agent.messages()).toEqual(ALL)
    const plan = await folder.plan({ kind: 'recover', how: 'finish' })
    expect(plan).toMatchObject({ mode: 'both', conversation: { supersedes: 2 } })
    const result = await folder.apply({ kind: 'recover', how: 'finish' })
    expect(result).toMatchObject({
      state: 'done',
      conversation: { superseded: 2, resume: { forkedFrom: agent.session } }
    })
    expect(await agent.messages()).toEqual(['one', 'did one'])
    expect(Object.keys(folder.tree())).toEqual(['a', 'b', 'z'])
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
    expect(await agent.messages()).toEqual(ALL)
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(await agent.messages()).toEqual(['one', 'did one'])
  })

for (const at of LONG ? POINTS : ['staged', 'removed'])
  test(`killed at ${at} and undone: files and words are as before`, async () => {
    await using folder = await recordedFolder({ files: { a: '0' } })
    const { agent, second } = await talked(folder)
    const before = folder.tree()
    await runCrashChild(folder, { do: 'restore', request: { kind: 'restore', target: second }, at })
    await folder.apply({ kind: 'recover', how: 'undo' })
    expect(folder.tree()).toEqual(before)
    expect(await agent.messages()).toEqual(ALL)
    expect((await folder.plan({ kind: 'restore', target: second })).conversation).toMatchObject({ supersedes: 2 })
  })

test('an undo that is killed is finished with its words', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { agent, second } = await talked(folder)
  const before = folder.tree()
  await folder.apply({ kind: 'restore', target: second })
  await runCrashChild(folder, { do: 'restore', request: { kind: 'undo' }, at: 'placed:1' })
  expect(await agent.messages()).toEqual(['one', 'did one'])
  await folder.apply({ kind: 'recover', how: 'finish' })
  expect(folder.tree()).toEqual(before)
  expect(await agent.messages()).toEqual(ALL)
})

test('one of only the conversation is killed and finished like any other', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { agent, second } = await talked(folder)
  const tree = folder.tree()
  const request = { kind: 'restore', target: second, mode: 'conversation' } as const
  await runCrashChild(folder, { do: 'restore', request, at: 'verified' })
  expect(await agent.messages()).toEqual(ALL)
  expect((await folder.apply({ kind: 'recover', how: 'finish' })).state).toBe('done')
  expect(await agent.messages()).toEqual(['one', 'did one'])
  expect(folder.tree()).toEqual(tree)
  await folder.apply({ kind: 'undo' })
  expect(await agent.messages()).toEqual(ALL)
})
