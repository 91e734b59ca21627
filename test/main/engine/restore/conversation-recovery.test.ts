/** [RS-7] A restore with a conversation that is cut off or killed: files and words end together, finished or undone. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ApplyPoint } from '../../../../src/main/engine/restore/apply-state.ts'
import { runCrashChild } from '../../../support/crash-process.ts'
import { cutOffRestore } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { LONG } from '../../../support/scale.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'

/** Each is finished or undone; both in the long form. */
const POINTS: readonly ApplyPoint[] = ['staged', 'placed:1', 'removed', 'verified']
const ALL = ['one', 'did one', 'two', 'did two']

/** Before its first write only the end of its process leaves a restore behind. */
const interrupt = async (folder: RecordedFolder, target: string, at: ApplyPoint): Promise<unknown> =>
  at === 'staged'
    ? await runCrashChild(folder, { do: 'restore', request: { kind: 'restore', target }, at })
    : await cutOffRestore(folder, { kind: 'restore', target }, at)

async function talked(folder: RecordedFolder): Promise<{ agent: TranscriptAgent; second: string }> {
  const agent = createTranscriptAgent(folder)
  const put = (names: readonly string[], text: string) => (): void => {
    for (const name of names) writeFileSync(join(folder.root, name), text)
  }
  await agent.say('one', 'did one', put(['a', 'b'], 'one\n'))
  return { agent, second: await agent.say('two', 'did two', put(['a', 'c', 'd'], 'two\n')) }
}

for (const at of LONG ? POINTS : (['placed:1', 'verified'] as const))
  test(`cut off at ${at}: nobody's words move until it is finished; then undo brings all back`, async () => {
    await using folder = await recordedFolder({ files: { a: '0', z: '0' } })
    const { agent, second } = await talked(folder)
    const before = folder.tree()
    await interrupt(folder, second, at)
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

for (const at of LONG ? POINTS : (['removed'] as const))
  test(`cut off at ${at} and undone: files and words are as before`, async () => {
    await using folder = await recordedFolder({ files: { a: '0' } })
    const { agent, second } = await talked(folder)
    const before = folder.tree()
    await interrupt(folder, second, at)
    await folder.apply({ kind: 'recover', how: 'undo' })
    expect(folder.tree()).toEqual(before)
    expect(await agent.messages()).toEqual(ALL)
    expect((await folder.plan({ kind: 'restore', target: second })).conversation).toMatchObject({ supersedes: 2 })
  })

test('an undo that is cut off is finished with its words', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const { agent, second } = await talked(folder)
  const before = folder.tree()
  await folder.apply({ kind: 'restore', target: second })
  await cutOffRestore(folder, { kind: 'undo' }, 'placed:1')
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
