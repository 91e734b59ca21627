/** Every version of a file has its author, its change, and whether it is in force. */
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { createTranscriptAgent } from '../../../support/transcript-agent.ts'

const history = (folder: RecordedFolder, path: string) =>
  folder.engine.call('file.history', { workspace: folder.workspace, path })

test('a history shows the agent of each run, the state of outside edits, and what each restore undid and returned to', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'one\n' } })
  const file = join(folder.root, 'a.txt')
  const agent = createTranscriptAgent(folder)
  await agent.say('First', 'done', () => appendFileSync(file, 'two\n'))
  appendFileSync(file, 'mine\n')
  await folder.check()
  const second = await folder.run('Second', () => writeFileSync(file, 'ONE\ntwo\nmine\nthree\n'))
  await folder.apply({ kind: 'restore', target: `${second}:start` })

  const { versions, secret } = await history(folder, 'a.txt')
  expect(secret).toBe(false)
  const summaries = versions.map(({ origin, agent: by, turn, drift, inForce, change, added, deleted, counted }) => [
    origin,
    by,
    turn,
    drift,
    inForce,
    change,
    counted && `+${added} -${deleted}`
  ])
  expect(summaries).toEqual([
    ['restore', null, null, null, true, 'modified', '+1 -2'],
    ['agent', 'test', null, null, false, 'modified', '+2 -1'],
    ['outside', null, null, 'unreviewed', true, 'modified', '+1 -0'],
    ['agent', 'claude-code', null, null, true, 'modified', '+1 -0'],
    ['baseline', null, null, null, true, 'none', '+0 -0']
  ])
  const [restore, taken, before] = versions
  expect([restore?.back, restore?.title]).toEqual([before?.seq, expect.stringContaining('Second')])
  expect(taken?.entry).toBe(second)
  for (const version of [restore, taken, before]) {
    const shown = await folder.engine.call('entry.show', { workspace: folder.workspace, target: version!.entry! })
    expect(shown.entry.id).toBe(version?.entry)
  }

  // When the restore is undone, the edits that it undid are in force again.
  await folder.apply({ kind: 'undo' })
  const after = (await history(folder, 'a.txt')).versions
  expect(after.find(({ seq }) => seq === restore?.seq)?.inForce).toBe(false)
  expect(after.find(({ seq }) => seq === taken?.seq)?.inForce).toBe(true)

  appendFileSync(file, 'mine too\n')
  await folder.check()
  expect((await history(folder, 'a.txt')).versions[0]).toMatchObject({ origin: 'outside', drift: 'open', added: 1 })
})

test('a file created and deleted; turn numbers in runs with several turns; a file that looks like credentials', async () => {
  await using folder = await recordedFolder({ files: { a: 'a' } })
  const agent = createTranscriptAgent(folder)
  await agent.begin('Work on', () => writeFileSync(join(folder.root, '.env'), 'KEY=1\n'))
  await agent.send('Stop', { background_tasks: [{ id: 'x' }] })
  await agent.say('And on', 'done', () => rmSync(join(folder.root, '.env')))
  const { versions, secret } = await history(folder, '.env')
  expect(secret).toBe(true)
  expect(versions.map(({ turn, change, kind, added }) => [turn, change, kind, added])).toEqual([
    [2, 'deleted', 'absent', 0],
    [1, 'added', 'file', 1],
    [null, 'none', 'absent', 0]
  ])
})
