/** [RS-20] Names that several files had in one run: its undo returns each file, whatever took its name meanwhile. */
import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

type Change = (folder: RecordedFolder) => void

const move =
  (from: string, to: string): Change =>
  ({ root }) =>
    renameSync(join(root, from), join(root, to))
const write =
  (path: string, text: string): Change =>
  ({ root }) =>
    writeFileSync(join(root, path), text)
const both =
  (...changes: readonly Change[]): Change =>
  (folder) => {
    for (const change of changes) change(folder)
  }

const FILES = { a: 'the first\n', b: 'the second\n', 'd/a': 'the third\n', log: 'before the run\n' }

/** A run whose changes are recorded one by one. */
async function runOf(folder: RecordedFolder, changes: readonly Change[]): Promise<string> {
  return folder.run('work', async () => {
    for (const change of changes) {
      change(folder)
      await folder.check()
    }
  })
}

/** By what the run did. Each item is recorded before the next one. */
const RUNS: Readonly<Record<string, readonly Change[]>> = {
  'rotates a log twice': [
    both(move('log', 'log.1'), write('log', 'by the run\n')),
    both(move('log.1', 'log.2'), move('log', 'log.1'), write('log', 'by the run, too\n'))
  ],
  'rotates a log three times, so that the oldest is replaced': [
    both(move('log', 'log.1'), write('log', 'by the run\n')),
    both(move('log.1', 'log.2'), move('log', 'log.1'), write('log', 'by the run, too\n')),
    both(move('log.1', 'log.2'), move('log', 'log.1'), write('log', 'and again\n'))
  ],
  'swaps two files, changes one of them and moves it on': [
    both(write('b', 'by the run\n'), move('a', 't'), move('b', 'a'), move('t', 'b')),
    move('a', 'c')
  ],
  'moves a file, and another one over it': [move('a', 'd/b'), move('b', 'd/b')],
  'moves a file over another one, and their folder': [move('a', 'd/a'), move('d', 'e')],
  'moves a file over another one and on, and writes a new one there': [
    move('a', 'd/a'),
    move('d/a', 'c'),
    write('d/a', 'by the run\n')
  ],
  'moves a file over another one and on, and a third one there': [move('a', 'd/a'), move('d/a', 'c'), move('b', 'd/a')],
  'swaps files and moves each over the other': [
    both(write('c', 'by the run\n'), move('b', 't'), move('d/a', 'b'), move('t', 'd/a')),
    both(move('c', 'b'), move('d/a', 'c'))
  ]
}

for (const [what, changes] of Object.entries(RUNS))
  test(`[RS-20] [RS-6] a run that ${what} is undone to the very bytes, and its undo is undone`, async () => {
    await using folder = await recordedFolder({ files: FILES })
    const before = folder.tree()
    const run = await runOf(folder, changes)
    const after = folder.tree()
    const { state, conflicts } = await folder.apply({ kind: 'undo-run', run })
    expect({ state, conflicts, tree: folder.tree() }).toEqual({ state: 'done', conflicts: [], tree: before })
    await folder.apply({ kind: 'undo' })
    expect(folder.tree()).toEqual(after)
    await folder.apply({ kind: 'redo' })
    expect(folder.tree()).toEqual(before)
    expect(await folder.apply({ kind: 'undo-run', run })).toMatchObject({ state: 'nothing-to-do' })
    const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 9 })
    expect(entries.find(({ id }) => id === run)).toMatchObject({ undone: true })
  })

test('[RS-20] a file that the run made and moved is removed, also when a person made another one at its first name', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const before = folder.tree()
  const run = await runOf(folder, [write('new', 'by the run\n'), move('new', 'newer')])
  writeFiles(folder.root, { new: 'by a person\n' })
  const { items } = await folder.apply({ kind: 'undo-run', run })
  expect(items).toMatchObject([{ path: 'newer', action: 'delete', note: null }])
  expect(Object.keys(folder.tree())).toEqual([...Object.keys(before), 'new'].sort())
})

test('[RS-20] [RS-11] a person’s file at a name where the run replaced another one is a conflict with what was there', async () => {
  await using folder = await recordedFolder({ files: FILES })
  const before = folder.tree()
  const run = await runOf(folder, [move('a', 'd/a'), move('d/a', 'c')])
  writeFiles(folder.root, { 'd/a': 'by a person\n' })
  const { conflicts } = await folder.plan({ kind: 'undo-run', run })
  expect(conflicts).toMatchObject([{ path: 'd/a', by: [{ who: 'outside' }], choices: ['keep', 'replace'] }])
  await folder.apply({ kind: 'undo-run', run }, { 'd/a': 'replace' })
  expect(folder.tree()).toEqual(before)
})
