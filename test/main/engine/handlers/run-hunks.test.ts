/** One file of a run's diff says which of its changes can be taken back, and undo-run takes exactly those. */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { FileDiff } from '../../../../src/contract/diff.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { type Recorded, recordedFolder } from '../../../support/recorded.ts'

const START = Array.from({ length: 60 }, (_, i) => `line ${i}\n`).join('')
const FORMS: readonly (readonly [string, string])[] = [
  ['line 5\n', 'LINE 5\n'],
  ['line 9\n', 'LINE 9\n'],
  ['line 30\n', 'LINE 30\nline 30 and more\n'],
  ['line 50\n', '']
]

const read = (folder: Recorded): string => readFileSync(join(folder.root, 'a.txt'), 'utf8')
const edit = (folder: Recorded, from: string, to: string): void =>
  writeFileSync(join(folder.root, 'a.txt'), read(folder).replace(from, to))

async function shown(folder: Recorded, run?: string): Promise<Extract<FileDiff, { view: 'text' }>> {
  const diff = await folder.engine.call('diff.file', {
    workspace: folder.workspace,
    path: 'a.txt',
    fromSeq: 0,
    toSeq: null,
    ...(run ? { run } : {})
  })
  if (diff.view !== 'text') throw new Error(`not text: ${diff.view}`)
  return diff
}

test('[RS-11] each change that is shown is the one that its number takes back', async () => {
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

test('a comparison that is no run’s has no changes to take back', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  await folder.run('work', () => edit(folder, 'line 5\n', 'LINE 5\n'))
  expect((await shown(folder)).hunks).toBeUndefined()
})

test('a file the run created is taken back whole', async () => {
  await using folder = await recordedFolder({ files: { 'b.txt': 'b\n' } })
  const run = await folder.run('work', () => writeFileSync(join(folder.root, 'a.txt'), 'new\n'))
  expect((await shown(folder, run)).hunks).toEqual([])
})

test('a conflict names the run that wrote later by what it was asked to do', async () => {
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

test('a turn’s file shows what that turn changed, and its changes are taken back by their own numbers', async () => {
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
  expect(diff.hunks).toEqual([{ n: 1, oldFrom: 30, oldTo: 31, newFrom: 30, newTo: 31 }])
  await folder.apply({ kind: 'undo-run', run: second, hunks: { 'a.txt': [1] } })
  expect(read(folder)).toBe(START.replace('line 5\n', 'LINE 5\n'))
})
