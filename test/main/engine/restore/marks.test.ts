/** [RS-17] Which checkpoints a restore marks as restored past, and that its undo removes exactly these marks. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent, type TranscriptAgent } from '../../../support/transcript-agent.ts'

/** Checkpoints with their marks, oldest first: "run_start restored by 1", the number of the restore in `restores`. */
async function marks(folder: RecordedFolder, restores: readonly string[]): Promise<string[]> {
  const { checkpoints } = await folder.engine.call('checkpoint.list', { workspace: folder.workspace, all: true })
  return checkpoints
    .map(({ reason, status, cause }) =>
      cause?.code === 'restored' ? `${reason} ${restores.indexOf(cause.restore) + 1}` : `${reason} ${status}`
    )
    .reverse()
}

const put = (folder: RecordedFolder, name: string) => (): void => writeFileSync(join(folder.root, name), `${name}\n`)

/**
 * A turn that wrote a file, a turn of talk only, plan mode entered between two turns, and a run of talk in plan mode:
 * from the second turn on, every checkpoint has the position of the first turn's end.
 */
async function talked(folder: RecordedFolder): Promise<{ agent: TranscriptAgent; work: string; talk: string }> {
  const agent = createTranscriptAgent(folder)
  const work = await agent.say('add tax', 'tax is in', put(folder, 'tax.ts'))
  const talk = await agent.say('why so?', 'because', () => {})
  await agent.send('UserPromptSubmit', { prompt: 'plan the rest', permission_mode: 'plan' })
  await agent.send('Stop', { permission_mode: 'plan', last_assistant_message: 'planned', background_tasks: [] })
  return { agent, work, talk }
}

const FRESH = ['run_start', 'end_of_turn', 'run_start', 'plan_mode', 'run_start'].map((reason) => `${reason} available`)
const restoreTo = (target: string, mode: 'files' | 'conversation' | 'both'): RestoreRequest => ({
  kind: 'restore',
  target,
  mode
})

describe('[RS-17] a restore marks the points of talk and of plan mode that were made after its target', () => {
  test.each(['both', 'conversation'] as const)('mode %s, and undo and redo are exact', async (mode) => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { talk } = await talked(folder)
    expect(await marks(folder, [])).toEqual(FRESH)
    const tree = folder.tree()
    const { restore, state } = await folder.apply(restoreTo(talk, mode))
    expect([state, folder.tree()]).toEqual(['done', tree])
    const marked = [...FRESH.slice(0, 3), 'plan_mode 1', 'run_start 1', 'pre_restore_guard available']
    expect(await marks(folder, [restore])).toEqual(marked)
    await folder.apply({ kind: 'undo' })
    expect((await marks(folder, [restore])).slice(0, 6)).toEqual([...FRESH, 'pre_restore_guard available'])
    await folder.apply({ kind: 'redo' })
    expect((await marks(folder, [restore])).slice(0, 6)).toEqual(marked)
    expect(folder.tree()).toEqual(tree)
  })

  test('the end of a turn keeps its own points, although later ones share its position', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { work } = await talked(folder)
    const { restore } = await folder.apply(restoreTo(`${work}:end`, 'conversation'))
    expect((await marks(folder, [restore])).slice(0, 5)).toEqual([
      ...FRESH.slice(0, 2),
      'run_start 1',
      'plan_mode 1',
      'run_start 1'
    ])
  })

  test('of two restores, each undo removes the marks of its own', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { talk, work } = await talked(folder)
    const before = folder.tree()
    const one = (await folder.apply(restoreTo(talk, 'both'))).restore
    const two = (await folder.apply(restoreTo(work, 'both'))).restore
    expect((await marks(folder, [one, two])).slice(0, 5)).toEqual([
      'run_start available',
      'end_of_turn 2',
      'run_start 2',
      'plan_mode 1',
      'run_start 1'
    ])
    await folder.apply({ kind: 'undo' })
    expect((await marks(folder, [one, two])).slice(0, 5)).toEqual([...FRESH.slice(0, 3), 'plan_mode 1', 'run_start 1'])
    await folder.apply({ kind: 'undo' })
    expect((await marks(folder, [one, two])).slice(0, 5)).toEqual(FRESH)
    expect(folder.tree()).toEqual(before)
  })

  test('with the conversation alone, the points of other agents stay', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { agent, work } = await talked(folder)
    const other = createTranscriptAgent(folder)
    await other.say('and you?', 'me too', put(folder, 'other.ts'))
    const { restore } = await folder.apply(restoreTo(work, 'conversation'))
    const marked = await marks(folder, [restore])
    expect(marked.slice(1, 7)).toEqual([
      'end_of_turn 1',
      'run_start 1',
      'plan_mode 1',
      'run_start 1',
      'run_start available',
      'end_of_turn available'
    ])
    expect(await agent.messages()).toEqual([])
    expect(await other.messages()).toEqual(['and you?', 'me too'])
  })

  test('a target without a checkpoint of its own: by its position and revision', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { agent } = await talked(folder)
    await agent.say('round it', 'rounded', put(folder, 'round.ts'))
    // The newest point of the conversation at this position is the start of the last run.
    const { restore } = await folder.apply(restoreTo('seq:1', 'both'))
    expect((await marks(folder, [restore])).slice(4)).toEqual([
      'run_start available',
      'run_start available',
      'end_of_turn 1',
      'pre_restore_guard available'
    ])
  })

  test('pins and the guards of other restores stay, although they were made after its target', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const one = await folder.run('one', put(folder, 'one.ts'))
    await folder.checkpoint('mine')
    const two = await folder.run('two', put(folder, 'two.ts'))
    const first = (await folder.apply({ kind: 'restore', target: two })).restore
    const second = (await folder.apply({ kind: 'restore', target: one })).restore
    expect(await marks(folder, [first, second])).toEqual([
      'run_start available',
      'end_of_turn 2',
      'manual available',
      'run_start 2',
      'end_of_turn 1',
      'pre_restore_guard available',
      'pre_restore_guard available'
    ])
  })

  test('a restore of some paths, or of files that are already there, marks nothing', async () => {
    await using folder = await recordedFolder({ files: { 'app.ts': 'app\n' } })
    const { work, talk } = await talked(folder)
    await folder.apply({ kind: 'restore', target: work, mode: 'files', paths: ['tax.ts'] })
    await folder.apply({ kind: 'undo' })
    expect((await folder.apply(restoreTo(talk, 'files'))).state).toBe('nothing-to-do')
    expect((await marks(folder, [])).filter((mark) => !mark.endsWith(' available'))).toEqual([])
  })
})
