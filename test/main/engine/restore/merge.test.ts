import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'
import { writeFiles } from '../../../support/tree.ts'

const START = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n'

const read = (folder: RecordedFolder, path = 'a.txt'): string => readFileSync(join(folder.root, path), 'utf8')
const edit = (folder: RecordedFolder, from: string, to: string, path = 'a.txt'): void =>
  writeFileSync(join(folder.root, path), read(folder, path).replace(from, to))

async function outside(folder: RecordedFolder, from: string, to: string): Promise<void> {
  edit(folder, from, to)
  await folder.check()
}

describe('[RS-11] undo a run and keep what others wrote in the same file', () => {
  test('a person’s lines stay, the run’s are removed, undo and redo restore every byte', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const run = await folder.run('work', () => edit(folder, 'two\n', 'TWO\nand a half\n'))
    await outside(folder, 'eight\n', 'eight, my note\n')
    const before = folder.tree()

    const plan = await folder.plan({ kind: 'undo-run', run })
    expect(plan.conflicts).toMatchObject([{ path: 'a.txt', choices: ['keep', 'merge', 'replace'], mergeable: true }])
    const result = await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
    expect(result.state).toBe('done')
    expect(read(folder)).toBe(START.replace('eight\n', 'eight, my note\n'))
    const merged = folder.tree()

    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(folder.tree()).toEqual(before)
    expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    expect(folder.tree()).toEqual(merged)
  })

  test('[RS-10] a merged run counts as undone: a second undo has nothing to do', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const run = await folder.run('work', () => edit(folder, 'two\n', 'TWO\n'))
    await outside(folder, 'eight\n', 'eight, mine\n')
    await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('nothing-to-do')
    const { entries } = await folder.engine.call('timeline.list', {
      workspace: folder.workspace,
      limit: 10,
      kinds: ['run']
    })
    expect(entries).toMatchObject([{ id: run, undone: true }])
  })

  test('undone content does not return when an edit before the merge is undone, too', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const first = await folder.run('first', () => edit(folder, 'two\n', 'TWO\n'))
    const second = await folder.run('second', () => edit(folder, 'eight\n', 'EIGHT\n'))
    await folder.apply({ kind: 'undo-run', run: first, onConflict: 'merge' })
    expect(read(folder)).toBe(START.replace('eight\n', 'EIGHT\n'))
    expect((await folder.apply({ kind: 'undo-run', run: second })).state).toBe('done')
    expect(read(folder)).toBe(START)
  })

  test('nor does one change of an earlier run that was undone alone', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const first = await folder.run('first', () => {
      edit(folder, 'one\n', 'ONE\n')
      edit(folder, 'nine\n', 'NINE\n')
    })
    const second = await folder.run('second', () => edit(folder, 'five\n', 'FIVE\n'))
    await folder.apply({ kind: 'undo-run', run: first, hunks: { 'a.txt': [1] }, onConflict: 'merge' })
    expect((await folder.apply({ kind: 'undo-run', run: second })).state).toBe('done')
    expect(read(folder)).toBe(START.replace('nine\n', 'NINE\n'))
    await folder.apply({ kind: 'undo' })
    expect(read(folder)).toBe(START.replace('five\n', 'FIVE\n').replace('nine\n', 'NINE\n'))
  })

  test('[RS-10] the run that made a file is undone after the changes of a later run in it were, one by one', async () => {
    await using folder = await recordedFolder()
    const first = await folder.run('first', () => writeFiles(folder.root, { 'a.txt': START }))
    const second = await folder.run('second', () => {
      edit(folder, 'one\n', 'ONE\n')
      edit(folder, 'nine\n', 'NINE\n')
    })
    for (const hunk of [1, 2])
      await folder.apply({ kind: 'undo-run', run: second, hunks: { 'a.txt': [hunk] }, onConflict: 'merge' })
    expect(read(folder)).toBe(START)
    expect((await folder.plan({ kind: 'undo-run', run: first })).conflicts).toEqual([])
    await folder.apply({ kind: 'undo-run', run: first })
    expect(folder.tree()).toEqual({})
    await folder.apply({ kind: 'undo' })
    expect(read(folder)).toBe(START)
  })

  test('changes on the same lines are not merged: kept by default, replaced on request', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const run = await folder.run('work', () => edit(folder, 'two\n', 'TWO\n'))
    await outside(folder, 'TWO\n', 'TWO, edited by me\n')
    const plan = await folder.plan({ kind: 'undo-run', run })
    expect(plan.conflicts).toMatchObject([{ mergeable: false, choices: ['keep', 'replace'] }])
    expect((await folder.apply({ kind: 'undo-run', run })).state).toBe('refused')
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'replace' })).state).toBe('done')
    expect(read(folder)).toBe(START)
  })

  test('[RS-14] restore to here can merge: later runs go, a person’s later lines stay', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': START } })
    const pin = await folder.checkpoint('here')
    await folder.run('work', () => edit(folder, 'two\n', 'TWO\n'))
    await outside(folder, 'nine\n', 'nine, mine\n')
    await folder.run('more', () => edit(folder, 'six\n', 'SIX\n'))
    const result = await folder.apply({ kind: 'restore', target: pin }, { 'a.txt': 'merge' })
    expect(result.state).toBe('done')
    expect(read(folder)).toBe(START.replace('nine\n', 'nine, mine\n'))
  })

  test('line endings and a missing final newline survive a merge', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': 'a\r\nb\r\nc\r\nd\r\ne' } })
    const run = await folder.run('work', () => edit(folder, 'b\r\n', 'B\r\n'))
    await outside(folder, 'e', 'e, mine')
    await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
    expect(read(folder)).toBe('a\r\nb\r\nc\r\nd\r\ne, mine')
  })

  test('binary content never merges', async () => {
    await using folder = await recordedFolder({ files: { 'a.bin': Buffer.from([0, 1, 2, 10, 3]) } })
    const run = await folder.run('work', () => appendFileSync(join(folder.root, 'a.bin'), Buffer.from([9, 10])))
    appendFileSync(join(folder.root, 'a.bin'), Buffer.from([0, 7]))
    await folder.check()
    const plan = await folder.plan({ kind: 'undo-run', run })
    expect(plan.conflicts).toMatchObject([{ mergeable: false }])
  })
})

describe('[RS-11] one change of a run', () => {
  const far = Array.from({ length: 40 }, (_, i) => `line ${i}\n`).join('')

  test('is undone alone; the run’s other changes stay', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': far } })
    const run = await folder.run('work', () => {
      edit(folder, 'line 5\n', 'LINE 5\n')
      edit(folder, 'line 30\n', 'LINE 30\n')
    })
    const result = await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [2] } })
    expect(result.state).toBe('done')
    expect(read(folder)).toBe(far.replace('line 5\n', 'LINE 5\n'))
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(read(folder)).toBe(far.replace('line 5\n', 'LINE 5\n').replace('line 30\n', 'LINE 30\n'))
  })

  test('is undone alone next to a person’s later edit, and then the rest of the run', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': far } })
    const run = await folder.run('work', () => {
      edit(folder, 'line 5\n', 'LINE 5\n')
      edit(folder, 'line 30\n', 'LINE 30\n')
    })
    await outside(folder, 'line 15\n', 'line 15, mine\n')
    expect((await folder.apply({ kind: 'undo-run', run, hunks: { 'a.txt': [1] }, onConflict: 'merge' })).state).toBe(
      'done'
    )
    expect(read(folder)).toBe(far.replace('line 30\n', 'LINE 30\n').replace('line 15\n', 'line 15, mine\n'))
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('done')
    expect(read(folder)).toBe(far.replace('line 15\n', 'line 15, mine\n'))
  })

  test('that others overwrote is kept, and the reason names them', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': far } })
    const run = await folder.run('work', () => edit(folder, 'line 5\n', 'LINE 5\n'))
    await outside(folder, 'LINE 5\n', 'LINE 5, mine\n')
    const plan = await folder.plan({ kind: 'undo-run', run, hunks: { 'a.txt': [1] }, onConflict: 'merge' })
    expect(plan.conflicts).toMatchObject([{ choices: ['keep'], mergeable: false, cause: 'others-after-run' }])
  })

  test('a change that is not there is named', async () => {
    await using folder = await recordedFolder({ files: { 'a.txt': far } })
    const run = await folder.run('work', () => edit(folder, 'line 5\n', 'LINE 5\n'))
    await expect(folder.plan({ kind: 'undo-run', run, hunks: { 'a.txt': [3] } })).rejects.toMatchObject({
      code: 'UnknownTarget'
    })
  })
})

test('blame names the run, the person, or the beginning for each line, also after undo', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': 'a\nb\nc\nd\n' } })
  const run = await folder.run('add b2', () => edit(folder, 'b\n', 'b\nb2\n'))
  await outside(folder, 'd\n', 'd\nmine\n')
  const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a.txt' })
  expect(lines.map((line) => [line.text, line.run ?? line.origin])).toEqual([
    ['a', 'baseline'],
    ['b', 'baseline'],
    ['b2', run],
    ['c', 'baseline'],
    ['d', 'baseline'],
    ['mine', 'outside']
  ])
  await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
  const after = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a.txt' })
  expect(after.lines.map((line) => line.origin)).toEqual(['baseline', 'baseline', 'baseline', 'baseline', 'outside'])
})

test('[RS-11] a merge restores permissions the run changed; blame still attributes every line, and the run is undone', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': { bytes: 'a\nb\n', mode: 0o644 } } })
  const file = join(folder.root, 'a.txt')
  const run = await folder.run('makes it a program', () => chmodSync(file, 0o755))
  await outside(folder, 'b\n', 'b\nmine\n')
  expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('done')
  expect([read(folder), statSync(file).mode & 0o777]).toEqual(['a\nb\nmine\n', 0o644])
  const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a.txt' })
  expect(lines.map((line) => line.origin)).toEqual(['baseline', 'baseline', 'outside'])
  expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('nothing-to-do')
})

test('[RS-11] a run’s line of a text of several megabytes is undone, and a person’s line elsewhere in it stays', async () => {
  const lines = Array.from({ length: 80_000 }, (_, n) => `line ${n} of a large text, some words\n`)
  const text = (changes: Readonly<Record<number, string>>): string =>
    lines.map((line, n) => changes[n] ?? line).join('')
  await using folder = await recordedFolder({ files: { large: text({}) } })
  const run = await folder.run('work', () => writeFiles(folder.root, { large: text({ 300: 'the run\n' }) }))
  writeFiles(folder.root, { large: text({ 300: 'the run\n', 70000: 'mine\n' }) })
  await folder.check()
  expect((await folder.apply({ kind: 'undo-run', run }, { large: 'merge' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'large'), 'utf8')).toBe(text({ 70000: 'mine\n' }))
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect(readFileSync(join(folder.root, 'large'), 'utf8')).toBe(text({ 300: 'the run\n', 70000: 'mine\n' }))
})
