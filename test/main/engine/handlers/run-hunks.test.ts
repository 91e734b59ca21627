/** Hunks of a run's diff: which of them can be undone, and undo-run undoes exactly those. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileDiff } from '../../../../src/contract/diff.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const START = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
const FORMS: readonly (readonly [string, string])[] = [
  ['line 5\n', 'LINE 5\n'],
  ['line 9\n', 'LINE 9\n'],
  ['line 30\n', 'LINE 30\nline 30 and more\n'],
  ['line 50\n', '']
]

const read = (folder: RecordedFolder): string => readFileSync(join(folder.root, 'a.txt'), 'utf8')
const edit = (folder: RecordedFolder, from: string, to: string): void =>
  writeFileSync(join(folder.root, 'a.txt'), read(folder).replace(from, to))

async function shown(folder: RecordedFolder, run?: string): Promise<Extract<FileDiff, { view: 'text' }>> {
  const diff = await folder.engine.call('diff.file', {
    workspace: folder.workspace,
    path: 'a.txt',
    ...(run ? { target: run, edits: 'own' } : { target: 'seq:0', to: 'now' })
  })
  if (diff.view !== 'text') throw new Error(`not text: ${diff.view}`)
  return diff
}

test('[RS-11] each shown hunk is the one that its number undoes', async () => {
  for (const [n, back] of [
    [1, FORMS.slice(0, 2)],
    [2, FORMS.slice(2, 3)],
    [3, FORMS.slice(3)]
  ] as const) {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const run = await folder.run('work', () => {
      for (const [from, to] of FORMS) edit(folder, from, to)
    })
    const { hunks, beforeText, afterText } = await shown(folder, run)
    expect(hunks?.map((hunk) => hunk.n)).toEqual([1, 2, 3])
    const hunk = hunks?.[n - 1]
    const [old, now] = [beforeText.split('\n'), afterText.split('\n')]
    const without = [
      ...now.slice(0, hunk?.newFrom),
      ...old.slice(hunk?.oldFrom, hunk?.oldTo),
      ...now.slice(hunk?.newTo)
    ].join('\n')
    await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [n] } })
    expect(read(folder)).toBe(without)
    const rest = FORMS.filter((form) => !(back as readonly unknown[]).includes(form))
    expect(without).toBe(rest.reduce((text, [from, to]) => text.replace(from, to), START))
  }
})

test('an undone hunk is reported as merged only if others edited the file', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => {
    for (const [from, to] of FORMS) edit(folder, from, to)
  })
  const act = { kind: 'undo-run', run, hunks: { 'a.txt': [1] } } as const
  expect((await folder.plan(act)).items.map((item) => item.note)).toEqual([null])
  const path = join(folder.root, 'a.txt')
  writeFileSync(path, `${readFileSync(path, 'utf8')}mine\n`)
  expect((await folder.plan({ ...act, onConflict: 'merge' })).items.map((item) => item.note)).toEqual([
    { code: 'merged' }
  ])
})

test('a diff that is not of a run has no hunks to undo', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  await folder.run('work', () => edit(folder, 'line 5\n', 'LINE 5\n'))
  expect((await shown(folder)).hunks).toBeUndefined()
})

test('a file that the run created is one hunk, of which lines can be undone', async () => {
  await using folder = await recordedFolder({ files: { 'b.txt': 'b\n' } })
  const run = await folder.run('work', () => writeFileSync(join(folder.root, 'a.txt'), 'new\n'))
  expect((await shown(folder, run)).hunks).toMatchObject([{ oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 1 }])
})

test('a conflict names the later run by its prompt', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('first', () => edit(folder, 'line 5\n', 'LINE 5\n'))
  const second = await folder.run('Round the totals', () => edit(folder, 'line 30\n', 'LINE 30\n'))
  edit(folder, 'line 50\n', 'mine\n')
  await folder.check()
  const { conflicts } = await folder.plan({ kind: 'undo-run', run })
  expect(conflicts[0]?.by).toMatchObject([
    { who: 'outside', title: '' },
    { who: second, title: 'Round the totals' }
  ])
})

test('a turn’s file shows what that turn changed, and its hunks are undone by their own numbers', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const me = ownProcess()
  const { workspace } = folder
  const begin = { workspace, title: 'first', agent: 'test', pid: me.pid, pidStart: me.start }
  const { run } = await folder.engine.call('run.begin', begin)
  edit(folder, 'line 5\n', 'LINE 5\n')
  await folder.check()
  const second = folder.store((store) => {
    store.db.prepare('UPDATE turn SET ended_at = 1, end_seq = ? WHERE run = ?').run(store.records.lastSeq(), run)
    store.db
      .prepare(
        "INSERT INTO turn(id, run, n, prompt, started_at, start_seq) VALUES ('turn_second', ?, 2, 'second', 2, ?)"
      )
      .run(run, store.records.lastSeq())
    return 'turn_second'
  })
  edit(folder, 'line 30\n', 'LINE 30\n')
  await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  const diff = await shown(folder, second)
  expect(diff.beforeText).toBe(START.replace('line 5\n', 'LINE 5\n'))
  const block = { oldFrom: 30, oldTo: 31, newFrom: 30, newTo: 31 }
  expect(diff.hunks).toEqual([{ n: 1, ...block, blocks: [block], undoneBy: null, undoneLines: [] }])
  await folder.apply({ kind: 'undo-run', run: second, hunks: { 'a.txt': [1] } })
  expect(read(folder)).toBe(START.replace('line 5\n', 'LINE 5\n'))
})

/** A run that made each of these changes as a separate edit. */
async function inSteps(folder: RecordedFolder, forms: readonly (readonly [string, string])[]): Promise<string> {
  const me = ownProcess()
  const { workspace } = folder
  const begin = { workspace, title: 'work', agent: 'test', pid: me.pid, pidStart: me.start }
  const { run } = await folder.engine.call('run.begin', begin)
  for (const [from, to] of forms) {
    edit(folder, from, to)
    await folder.check()
  }
  await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  return run
}

test('[RS-11] a hunk keeps its number while others are undone, and names the restore that undid it', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await inSteps(folder, FORMS)
  const taken = async (): Promise<(string | null)[] | undefined> =>
    (await shown(folder, run)).hunks?.map((hunk) => hunk.undoneBy)
  const second = await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [2] } })
  expect(await taken()).toEqual([null, second.restore, null])
  const third = await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [3] } })
  expect(await taken()).toEqual([null, second.restore, third.restore])
  expect((await shown(folder, run)).undoneBy).toBeNull()
  const first = await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [1] } })
  expect(read(folder)).toBe(START)
  expect((await shown(folder, run)).undoneBy).toBe(first.restore)
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: run })
  expect(files.map((file) => file.undoneBy)).toEqual([first.restore])
  await folder.apply({ kind: 'undo' })
  expect(await taken()).toEqual([null, second.restore, third.restore])
})

test('undoing the hunks of an edit one by one undoes all of the edit', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => {
    for (const [from, to] of FORMS) edit(folder, from, to)
  })
  for (const n of [1, 2, 3]) await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [n] } })
  expect(read(folder)).toBe(START)
  const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 10 })
  expect(entries.find((entry) => entry.id === run)).toMatchObject({ undone: true })
  expect((await folder.plan({ kind: 'undo-run', run })).items).toEqual([])
})

test('an outside change has its own hunks, and each is undone by its number', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  edit(folder, 'line 5\n', 'mine\n')
  edit(folder, 'line 30\n', 'mine too\n')
  await folder.check()
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
  const id = drift[0]?.id ?? ''
  expect((await shown(folder, id)).hunks?.map((hunk) => hunk.n)).toEqual([1, 2])
  const done = await folder.apply({ kind: 'drift', drift: id, hunks: { 'a.txt': [2] } })
  expect(read(folder)).toBe(START.replace('line 5\n', 'mine\n'))
  expect((await shown(folder, id)).hunks?.map((hunk) => hunk.undoneBy)).toEqual([null, done.restore])
})
