/** Restores that go wrong in other tools: files deleted that should stay, edits of others lost, restores left incomplete. */
import { readFileSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../support/recorded-folder.ts'
import { expectIntact, expectRoundTrip } from '../support/round-trip.ts'
import { createTranscriptAgent } from '../support/transcript-agent.ts'
import { remove, writeFiles } from '../support/tree.ts'

const text = (folder: RecordedFolder, path: string): string => readFileSync(join(folder.root, path), 'utf8')

test('[A1] a file first changed after a checkpoint is restored to its earlier content, and not deleted because it was unknown', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: 'there all along', c: 'there all along' } })
  await folder.run('one', () => writeFiles(folder.root, { a: '1' }))
  const mark = await folder.checkpoint()
  const before = folder.tree()
  await folder.run('of the same session', () => writeFiles(folder.root, { b: 'edited' }))
  await folder.run('of another session', () => writeFiles(folder.root, { c: 'edited' }))
  expect((await folder.apply({ kind: 'restore', target: mark })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[A3] deleted and created again, or moved away and back, in one run: every answer shows the same version', async () => {
  await using folder = await recordedFolder({ files: { x: 'old\n', moved: 'same\n' } })
  const { workspace } = folder
  const before = folder.tree()
  const run = await folder.run('again', () => {
    remove(folder.root, 'x', 'moved')
    writeFiles(folder.root, { x: 'new\n', between: 'same\n' })
    remove(folder.root, 'between')
    writeFiles(folder.root, { moved: 'same\n' })
  })
  const after = folder.tree()
  const of = async (params: object) =>
    (await folder.engine.call('diff.files', { workspace, target: run, ...params })).files.map((file) => [
      file.path,
      file.change
    ])
  for (const params of [{}, { scope: 'run' as const }, { to: 'now' }])
    expect(await of(params)).toEqual([['x', 'modified']])
  const cat = await folder.engine.call('file.cat', { workspace, target: `${run}:end`, path: 'x' })
  expect(Buffer.from(cat.base64, 'base64').toString()).toBe('new\n')
  await folder.apply({ kind: 'restore', target: run })
  expect(folder.tree()).toEqual(before)
  await folder.apply({ kind: 'restore', target: `${run}:end` })
  expect(folder.tree()).toEqual(after)
})

test('[A5] the last run is undone as a whole: its files and its messages', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const agent = createTranscriptAgent(folder)
  await agent.say('first', 'done first', () => writeFiles(folder.root, { a: '1' }))
  const before = { tree: folder.tree(), words: await agent.messages() }
  const last = await agent.say('second', 'done second', () => {
    writeFiles(folder.root, { a: '2', new: 'n' })
    remove(folder.root, 'b')
  })
  await folder.apply({ kind: 'restore', target: last })
  expect({ tree: folder.tree(), words: await agent.messages() }).toEqual(before)
})

test('[A6] a checkpoint made before the first edit restores like any other', async () => {
  await using folder = await recordedFolder({ files: { a: '0' } })
  const before = folder.tree()
  const start = await folder.checkpoint('nothing happened yet')
  await folder.run('edit', () => writeFiles(folder.root, { a: '1', b: 'new' }))
  expect((await folder.apply({ kind: 'restore', target: start })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[A7] a restore past several runs undoes all of them and names them', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0', c: '0' } })
  await folder.run('first', () => writeFiles(folder.root, { a: '1' }))
  const mark = await folder.checkpoint()
  const before = folder.tree()
  await folder.run('second', () => writeFiles(folder.root, { b: '1' }))
  await folder.run('third', () => writeFiles(folder.root, { c: '1' }))
  const { warnings } = await folder.plan({ kind: 'restore', target: mark })
  expect(warnings).toContainEqual(expect.objectContaining({ titles: ['second', 'third'] }))
  await folder.apply({ kind: 'restore', target: mark })
  expect(folder.tree()).toEqual(before)
})

test('[A7] a restore names only the runs that are not undone, and of some paths those that changed them', async () => {
  await using folder = await recordedFolder({ files: { 'a/x': '0', 'b/x': '0', 'c/x': '0' } })
  const mark = await folder.checkpoint()
  const first = await folder.run('first', () => writeFiles(folder.root, { 'a/x': '1' }))
  await folder.run('second', () => writeFiles(folder.root, { 'b/x': '1', 'a/new': '1' }))
  await folder.run('third', () => writeFiles(folder.root, { 'c/x': '1' }))
  const titles = async (paths: readonly string[] | null) =>
    (await folder.plan({ kind: 'restore', target: mark, ...(paths ? { paths } : {}) })).warnings.map(
      (warning) => 'titles' in warning && warning.titles
    )
  expect(await titles(['a'])).toEqual([['first', 'second']])
  expect(await titles(['b', 'c'])).toEqual([['second', 'third']])
  expect(await titles(['c/x'])).toEqual([])
  await folder.apply({ kind: 'undo-run', run: first })
  expect(await titles(['a'])).toEqual([])
  expect(await titles(null)).toEqual([['second', 'third']])
})

test('[A9] a folder that the run created keeps the files that a person added to it', async () => {
  await using folder = await recordedFolder({ files: { keep: 'k' } })
  const run = await folder.run('make', () => writeFiles(folder.root, { 'd/theirs': 't', 'd/e/deep': 'd' }))
  writeFiles(folder.root, { 'd/e/mine.txt': 'mine' })
  const result = await folder.apply({ kind: 'undo-run', run })
  expect(result.items.map((item) => [item.path, item.result])).toEqual([
    ['d', 'kept'],
    ['d/e', 'kept'],
    ['d/e/deep', 'done'],
    ['d/theirs', 'done']
  ])
  expect(Object.keys(folder.tree())).toEqual(['d', 'd/e', 'd/e/mine.txt', 'keep'])
})

test('[A10] a person’s later edit stops the undo and is listed; with replace it is overwritten, and undo restores it', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { a: '1', b: '1' }))
  writeFiles(folder.root, { a: 'a person’s' })
  const before = folder.tree()
  const refused = await folder.apply({ kind: 'undo-run', run })
  expect([refused.state, refused.conflicts.map((conflict) => [conflict.path, conflict.by[0]?.who])]).toEqual([
    'refused',
    [['a', 'outside']]
  ])
  expect(folder.tree()).toEqual(before)
  expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' })).state).toBe('done')
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['0', '0'])
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(before)
})

test('[B3] a folder that became a file, or a file that grew too large, does not cost other files their checkpoint', async () => {
  await using folder = await recordedFolder({ files: { 'a/b.txt': 'below', c: '0', grown: 'small' } })
  const before = folder.tree()
  const run = await folder.run('replace', () => {
    remove(folder.root, 'a')
    writeFiles(folder.root, { a: 'a file now', c: '1' })
    truncateSync(join(folder.root, 'grown'), 51 << 20)
  })
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
  expect(files.map((file) => file.path)).toEqual(['a', 'a/b.txt', 'c', 'grown'])
  expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('done')
  expect(folder.tree()).toEqual(before)
})

test('[B4] folders created for a file are removed with it, and no others', async () => {
  await using folder = await recordedFolder({ files: { 'there/already': 'a' } })
  await expectRoundTrip(folder, () => writeFiles(folder.root, { 'x/y/z.txt': 'z', 'there/x/y': 'y' }))
  await folder.apply({ kind: 'restore', target: 'seq:0', outside: 'replace' })
  expect(Object.keys(folder.tree())).toEqual(['there', 'there/already'])
})

test('[B5] undoing the restore of one file keeps later messages, and older restores can be undone after it', async () => {
  await using folder = await recordedFolder({ files: { a: '0', b: '0' } })
  const agent = createTranscriptAgent(folder)
  const turn = await agent.say('edit', 'edited', () => writeFiles(folder.root, { a: '1', b: '1' }))
  await folder.apply({ kind: 'restore', target: turn, paths: ['a'] })
  await folder.apply({ kind: 'restore', target: turn, paths: ['b'] })
  await agent.say('and now', 'said later')
  const words = await agent.messages()
  await folder.apply({ kind: 'undo' })
  expect([text(folder, 'a'), text(folder, 'b')]).toEqual(['0', '1'])
  await folder.apply({ kind: 'undo' })
  expect([text(folder, 'a'), text(folder, 'b'), await agent.messages()]).toEqual(['1', '1', words])
})

test('[B6] undo restores the whole folder byte for byte, also what no checkpoint contained', async () => {
  await using folder = await recordedFolder({ files: { a: '0', 'd/b': '0', link: { link: 'a' }, 'd/e': null } })
  const mark = await folder.checkpoint()
  await folder.run('edit', () => writeFiles(folder.root, { a: '1', 'new/x': 'x' }))
  remove(folder.root, 'link', 'd/e')
  writeFiles(folder.root, { 'd/b': 'a person’s', link: 'a file now', 'new/mine': 'm', 'd/e': 'was a folder' })
  const before = folder.tree()
  expect((await folder.apply({ kind: 'restore', target: mark, outside: 'replace' })).state).toBe('done')
  expect(folder.tree()).not.toEqual(before)
  await folder.apply({ kind: 'undo' })
  expect(folder.tree()).toEqual(before)
})

test('[B8] an execute bit alone is an edit: it is listed, undone, and redone', async () => {
  await using folder = await recordedFolder({ files: { 'tool.sh': { bytes: '#!/bin/sh\n', mode: 0o644 } } })
  const before = folder.tree()
  const { workspace } = folder
  const run = await folder.run('chmod', () => {
    remove(folder.root, 'tool.sh')
    writeFiles(folder.root, { 'tool.sh': { bytes: '#!/bin/sh\n', mode: 0o755 } })
  })
  const { files, patch } = await folder.engine.call('diff.patch', { workspace, target: run })
  expect(files.map((file) => file.path)).toEqual(['tool.sh'])
  expect(patch).toMatch(/old mode 100644\nnew mode 100755/)
  await folder.apply({ kind: 'undo-run', run })
  expect(folder.tree()).toEqual(before)
  await expectIntact(folder)
})

test('[B9] of two files with the same name, only the named one is restored', async () => {
  await using folder = await recordedFolder({ files: { 'b.go': 'top', 'x/b.go': 'deep', 'x/x/b.go': 'deeper' } })
  const run = await folder.run('edit', () => writeFiles(folder.root, { 'b.go': '1', 'x/b.go': '1', 'x/x/b.go': '1' }))
  await folder.apply({ kind: 'undo-run', run, paths: ['x/b.go'] })
  expect(['b.go', 'x/b.go', 'x/x/b.go'].map((path) => text(folder, path))).toEqual(['1', 'deep', '1'])
  await folder.apply({ kind: 'restore', target: run, paths: ['b.go'] })
  expect(['b.go', 'x/b.go', 'x/x/b.go'].map((path) => text(folder, path))).toEqual(['top', 'deep', '1'])
})
