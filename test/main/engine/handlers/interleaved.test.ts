import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { tempFolder } from '../../../support/tmp.ts'

const START = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('')

const edit = (folder: RecordedFolder, from: string, to: string): void => {
  const file = join(folder.root, 'a.txt')
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

/** A run of one agent, with a run of another agent between its two edits. */
async function interleaved(folder: RecordedFolder, foreign: () => void): Promise<string> {
  const me = ownProcess()
  const begin = (title: string): Promise<{ run: string }> =>
    folder.engine.call('run.begin', {
      workspace: folder.workspace,
      title,
      agent: 'test',
      pid: me.pid,
      pidStart: me.start
    })
  const { run } = await begin('first')
  edit(folder, 'line 3\n', 'LINE 3\n')
  await folder.check()
  // Edits found while two runs are open are shared, so this one is attributed to the second run alone.
  const second = await begin('second')
  foreign()
  await folder.check()
  folder.store((store) =>
    store.db.prepare('DELETE FROM edit_call WHERE run = ? AND edit = (SELECT max(seq) FROM edit)').run(run)
  )
  await folder.engine.call('run.end', { workspace: folder.workspace, run: second.run, exitCode: 0 })
  edit(folder, 'line 20\n', 'LINE 20\n')
  await folder.engine.call('run.end', { workspace: folder.workspace, run, exitCode: 0 })
  return run
}

test('[LG-4] a run’s diff omits what another run wrote between its edits, and its patch applies to that', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await interleaved(folder, () => edit(folder, 'line 12\n', 'line 12, by another\n'))
  const diff = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(diff.files).toMatchObject([{ path: 'a.txt', added: 2, deleted: 2, interleaved: true }])
  expect(diff.warnings).toEqual([])
  expect(diff.patch).not.toContain('+line 12, by another')
  const shown = await folder.engine.call('diff.file', {
    workspace: folder.workspace,
    path: 'a.txt',
    target: run,
    edits: 'own'
  })
  expect(shown).toMatchObject({
    view: 'text',
    beforeText: START.replace('line 12\n', 'line 12, by another\n'),
    between: [{ title: 'second' }],
    mixed: false,
    othersLines: [{ from: 12, to: 13 }]
  })
  const others = await folder.engine.call('diff.file', {
    workspace: folder.workspace,
    path: 'a.txt',
    target: run,
    edits: 'others'
  })
  expect(others).toMatchObject({
    view: 'text',
    beforeText: START,
    afterText: START.replace('line 12\n', 'line 12, by another\n')
  })
  expect(others).not.toHaveProperty('hunks')
  const all = await folder.engine.call('diff.file', { workspace: folder.workspace, path: 'a.txt', target: run })
  expect(all).toMatchObject({ beforeText: START, afterText: readFileSync(join(folder.root, 'a.txt'), 'utf8') })

  using place = tempFolder()
  writeFileSync(join(place.path, 'a.txt'), START.replace('line 12\n', 'line 12, by another\n'))
  const applied = spawnSync('git', ['apply', '-'], { cwd: place.path, input: diff.patch })
  expect(applied.status, String(applied.stderr)).toBe(0)
  expect(readFileSync(join(place.path, 'a.txt'), 'utf8')).toBe(readFileSync(join(folder.root, 'a.txt'), 'utf8'))
})

test('[LG-4] where both changed the same lines, the diff contains both and says so', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await interleaved(folder, () => edit(folder, 'LINE 3\n', 'LINE 3, by another\n'))
  const diff = await folder.engine.call('diff.patch', { workspace: folder.workspace, target: run })
  expect(diff.warnings).toEqual([{ code: 'mixed', paths: ['a.txt'], count: 1 }])
  expect(diff.files).toMatchObject([{ interleaved: true }])
  const shown = { workspace: folder.workspace, path: 'a.txt', target: run, edits: 'own' } as const
  expect(await folder.engine.call('diff.file', shown)).toMatchObject({ beforeText: START, mixed: true })
})

test('[LG-4] where both changed the same lines, a hunk that only others wrote says so', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await interleaved(folder, () => {
    edit(folder, 'LINE 3\n', 'LINE 3, by another\n')
    edit(folder, 'line 12\n', 'line 12, by another\n')
  })
  const shown = { workspace: folder.workspace, path: 'a.txt', target: run, edits: 'own' } as const
  const diff = await folder.engine.call('diff.file', shown)
  expect(diff).toMatchObject({ mixed: true })
  if (diff.view !== 'text') throw new Error('no text')
  expect(diff.hunks?.map(({ newFrom, byOthers }) => [newFrom, byOthers ?? false])).toEqual([
    [3, false],
    [12, true],
    [20, false]
  ])
})

test('[RS-11] each hunk of an interleaved run is undone by its number, and edits of others stay', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await interleaved(folder, () => edit(folder, 'line 12\n', 'line 12, by another\n'))
  const shown = await folder.engine.call('diff.file', {
    workspace: folder.workspace,
    path: 'a.txt',
    target: run,
    edits: 'own'
  })
  expect(shown).toMatchObject({
    hunks: [
      { n: 1, oldFrom: 3, oldTo: 4, newFrom: 3, newTo: 4 },
      { n: 2, oldFrom: 20, oldTo: 21, newFrom: 20, newTo: 21 }
    ]
  })
  const act = { kind: 'undo-run', run, hunks: { 'a.txt': [1] }, onConflict: 'merge' } as const
  expect((await folder.apply(act)).state).toBe('done')
  expect(readFileSync(join(folder.root, 'a.txt'), 'utf8')).toBe(
    START.replace('line 12\n', 'line 12, by another\n').replace('line 20\n', 'LINE 20\n')
  )
})
