/** [RS-11] [RS-13] Undo and redo of a restore keep what others wrote since, in the same file, where a merge is safe. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { runCrashChild } from '../../../support/crash-process.ts'
import { cutOffRestore } from '../../../support/crash-recorder.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const START = Array.from({ length: 20 }, (_, i) => `line ${i}\n`).join('')
const MERGE = { 'a.txt': 'merge' } as const

const read = (folder: RecordedFolder): string => readFileSync(join(folder.root, 'a.txt'), 'utf8')
const edit = (folder: RecordedFolder, line: number, to: string): void => {
  const was = read(folder)
  const now = was.replace(new RegExp(`^line ${line}\\n`, 'm'), to)
  expect(now).not.toBe(was)
  writeFileSync(join(folder.root, 'a.txt'), now)
}
const outside = async (folder: RecordedFolder, line: number, to: string): Promise<void> => {
  edit(folder, line, to)
  await folder.check()
}
const changed = (changes: Readonly<Record<number, string>>): string =>
  START.replace(/^line (\d+)\n/gm, (line, n) => changes[Number(n)] ?? line)
const blame = async (folder: RecordedFolder): Promise<Record<string, string>> => {
  const { lines } = await folder.engine.call('file.blame', { workspace: folder.workspace, path: 'a.txt' })
  return Object.fromEntries(
    lines.filter((line) => line.origin !== 'baseline').map((line) => [line.text, line.run ?? line.origin])
  )
}
const isTakenBack = async (folder: RecordedFolder, run: string): Promise<boolean> => {
  const { entries } = await folder.engine.call('timeline.list', {
    workspace: folder.workspace,
    limit: 20,
    kinds: ['run']
  })
  return entries.some((entry) => entry.kind === 'run' && entry.id === run && entry.undone)
}
const merge = async (folder: RecordedFolder, act: RestoreRequest): Promise<void> => {
  const { conflicts } = await folder.plan(act)
  expect(conflicts).toMatchObject([
    { path: 'a.txt', choices: ['keep', 'merge', 'replace'], choice: 'keep', mergeable: true }
  ])
  expect((await folder.apply(act, MERGE)).state).toBe('done')
}

const TWO = { 2: 'TWO\nand a half\n' }
const MINE = { 10: 'line 10, mine\n' }

/** A run that changed line 2, taken back in one of several ways, and a person's line 10 since. */
async function undone(how: (run: string) => RestoreRequest): Promise<{ folder: RecordedFolder; run: string }> {
  const folder = await recordedFolder({ files: { 'a.txt': START } })
  const run = await folder.run('work', () => edit(folder, 2, TWO[2]))
  expect((await folder.apply(how(run))).state).toBe('done')
  await outside(folder, 10, MINE[10])
  return { folder, run }
}

/** What the others of these restores show as well is in the long form. */
const alike = (kind: string) => (kind === 'undo of a run' ? {} : { tags: ['long'] })

describe.each([
  ['undo of a run', (run: string): RestoreRequest => ({ kind: 'undo-run', run })],
  ['a restore to a point', (run: string): RestoreRequest => ({ kind: 'restore', target: run })],
  ['one change', (run: string): RestoreRequest => ({ kind: 'undo-run', run, hunks: { 'a.txt': [1] } })]
])('%s', (kind, how) => {
  test('undone with a merge: the run’s lines are back, the person’s stay, and each is still its writer’s', async () => {
    const { folder, run } = await undone(how)
    await using _folder = folder
    await merge(folder, { kind: 'undo' })
    expect(read(folder)).toBe(changed({ ...TWO, ...MINE }))
    expect(await blame(folder)).toEqual({ TWO: run, 'and a half': run, 'line 10, mine': 'outside' })
    expect(await isTakenBack(folder, run)).toBe(false)
  })

  test('redo and undo after it restore the very bytes', alike(kind), async () => {
    const { folder, run } = await undone(how)
    await using _folder = folder
    await merge(folder, { kind: 'undo' })
    for (let i = 0; i < 2; i++) {
      expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
      expect(read(folder)).toBe(changed(MINE))
      expect(await isTakenBack(folder, run)).toBe(true)
      expect(await blame(folder)).toEqual({ 'line 10, mine': 'outside' })
      expect((await folder.apply({ kind: 'undo' })).state, 'the same decision is asked again').toBe('nothing-to-do')
      await merge(folder, { kind: 'undo' })
      expect(read(folder)).toBe(changed({ ...TWO, ...MINE }))
    }
  })

  test('the run can be undone again after it, and the person’s line stays', alike(kind), async () => {
    const { folder, run } = await undone(how)
    await using _folder = folder
    await merge(folder, { kind: 'undo' })
    await outside(folder, 15, 'line 15, mine too\n')
    expect((await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })).state).toBe('done')
    expect(read(folder)).toBe(changed({ ...MINE, 15: 'line 15, mine too\n' }))
    expect(await isTakenBack(folder, run)).toBe(true)
    expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
    expect(read(folder)).toBe(changed({ ...TWO, ...MINE, 15: 'line 15, mine too\n' }))
  })

  test('redo merges, too, if others wrote since', alike(kind), async () => {
    const { folder, run } = await undone(how)
    await using _folder = folder
    await merge(folder, { kind: 'undo' })
    await outside(folder, 15, 'line 15, mine too\n')
    await merge(folder, { kind: 'redo' })
    expect(read(folder)).toBe(changed({ ...MINE, 15: 'line 15, mine too\n' }))
    expect(await isTakenBack(folder, run)).toBe(true)
    await outside(folder, 18, 'eighteen\n')
    await merge(folder, { kind: 'undo' })
    expect(read(folder)).toBe(changed({ ...TWO, ...MINE, 15: 'line 15, mine too\n', 18: 'eighteen\n' }))
    expect(await blame(folder)).toMatchObject({ TWO: run, 'line 10, mine': 'outside', eighteen: 'outside' })
  })

  test('no merge if others changed the same lines', alike(kind), async () => {
    const { folder } = await undone(how)
    await using _folder = folder
    await outside(folder, 2, 'mine instead\n')
    expect((await folder.plan({ kind: 'undo' })).conflicts).toMatchObject([
      { choices: ['keep', 'replace'], mergeable: false }
    ])
  })
})

test('undo of a restore to a point can be followed by another restore, which finds the edits after its target', async () => {
  const { folder, run } = await undone((id) => ({ kind: 'undo-run', run: id }))
  await using _folder = folder
  await merge(folder, { kind: 'undo' })
  const act = { kind: 'restore', target: `${run}:start` } as const
  expect((await folder.plan(act)).conflicts).toMatchObject([{ path: 'a.txt', choices: ['keep', 'merge', 'replace'] }])
  expect((await folder.apply(act, MERGE)).state).toBe('done')
  expect(read(folder)).toBe(changed(MINE))
  expect((await folder.apply({ kind: 'undo' })).state).toBe('done')
  expect((await folder.apply(act, { 'a.txt': 'replace' })).state).toBe('done')
  expect(read(folder)).toBe(START)
})

test('a merge that is undone with a merge: both runs’ lines are whose they were', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const one = await folder.run('one', () => edit(folder, 2, 'TWO\n'))
  const two = await folder.run('two', () => edit(folder, 6, 'SIX\n'))
  await folder.apply({ kind: 'undo-run', run: one, onConflict: 'merge' })
  await outside(folder, 12, 'twelve\n')
  await merge(folder, { kind: 'undo' })
  expect(read(folder)).toBe(changed({ 2: 'TWO\n', 6: 'SIX\n', 12: 'twelve\n' }))
  expect(await blame(folder)).toEqual({ TWO: one, SIX: two, twelve: 'outside' })
  expect((await folder.apply({ kind: 'undo-run', run: two, onConflict: 'merge' })).state).toBe('done')
  expect(read(folder)).toBe(changed({ 2: 'TWO\n', 12: 'twelve\n' }))
  expect([await isTakenBack(folder, one), await isTakenBack(folder, two)]).toEqual([false, true])
})

test('an agent’s edits after a restore are separate from what the undo returns, also after a restart', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const one = await folder.run('one', () => edit(folder, 2, 'TWO\n'))
  await folder.apply({ kind: 'restore', target: one })
  const two = await folder.run('two', () => edit(folder, 12, 'TWELVE\n'))
  await merge(folder, { kind: 'undo' })
  await folder.reopen()
  expect(await blame(folder)).toEqual({ TWO: one, TWELVE: two })
  expect((await folder.apply({ kind: 'undo-run', run: two, onConflict: 'merge' })).state).toBe('done')
  expect(read(folder)).toBe(changed({ 2: 'TWO\n' }))
  const { files } = await folder.engine.call('diff.files', { workspace: folder.workspace, target: one })
  expect(files).toMatchObject([{ path: 'a.txt', added: 1, deleted: 1 }])
  expect(files[0]?.undoneBy).toBeUndefined()
})

test('undone outside changes return with a merge', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  await outside(folder, 2, 'TWO\n')
  const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: true })
  await folder.apply({ kind: 'drift', drift: drift[0]?.id as string })
  await outside(folder, 12, 'twelve\n')
  await merge(folder, { kind: 'undo' })
  expect(read(folder)).toBe(changed({ 2: 'TWO\n', 12: 'twelve\n' }))
})

test('a file that the restore created or deleted is kept or replaced, never merged', async () => {
  await using folder = await recordedFolder({ files: { b: 'b\n' } })
  const run = await folder.run('makes a file', () => writeFileSync(join(folder.root, 'a.txt'), START))
  await folder.apply({ kind: 'undo-run', run })
  writeFileSync(join(folder.root, 'a.txt'), 'mine\n')
  await folder.check()
  expect((await folder.plan({ kind: 'undo' })).conflicts).toMatchObject([{ choices: ['keep', 'replace'] }])
})

test('a merge also undoes permissions that a restore set, and the lines keep their authors', {
  tags: ['posix']
}, async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': { bytes: START, mode: 0o644 } } })
  const file = join(folder.root, 'a.txt')
  const run = await folder.run('makes it a program', () => chmodSync(file, 0o755))
  await folder.apply({ kind: 'undo-run', run })
  await outside(folder, 10, MINE[10])
  await merge(folder, { kind: 'undo' })
  expect([read(folder), statSync(file).mode & 0o777]).toEqual([changed(MINE), 0o755])
  expect(await blame(folder)).toEqual({ 'line 10, mine': 'outside' })
  expect(await isTakenBack(folder, run)).toBe(false)
})

test.each([
  ['staged', 'finish'],
  ['placed:1', 'finish'],
  ['placed:1', 'undo']
] as const)(
  '[RS-7] cut off at %s, an undo that merged is over with %s, and every line is its writer’s',
  async (at, how) => {
    const { folder, run } = await undone((id) => ({ kind: 'undo-run', run: id }))
    await using _folder = folder
    if (at === 'staged')
      await runCrashChild(folder, { do: 'restore', request: { kind: 'undo' }, resolutions: MERGE, at })
    else await cutOffRestore(folder, { kind: 'undo' }, at, MERGE)
    expect((await folder.apply({ kind: 'recover', how })).state).toMatch(/^(done|nothing-to-do)$/)
    const lines: Record<string, string> = how === 'finish' ? { TWO: run, 'and a half': run } : {}
    expect(read(folder)).toBe(changed(how === 'finish' ? { ...TWO, ...MINE } : MINE))
    expect(await blame(folder)).toEqual({ ...lines, 'line 10, mine': 'outside' })
    expect(await isTakenBack(folder, run)).toBe(how === 'undo')
    if (how === 'finish') expect((await folder.apply({ kind: 'redo' })).state).toBe('done')
    await merge(folder, { kind: 'undo' })
    expect(read(folder)).toBe(changed({ ...TWO, ...MINE }))
  }
)

test('[RS-10] [RS-11] a conflict that is replaced leaves nothing in force of what others wrote there, although a merge was safe', async () => {
  await using folder = await recordedFolder({ files: { 'a.txt': START } })
  const first = await folder.run('first', () => edit(folder, 2, 'two\n'))
  const second = await folder.run('second', () => edit(folder, 17, 'seventeen\n'))
  expect((await folder.apply({ kind: 'undo-run', run: first }, { 'a.txt': 'replace' })).state).toBe('done')
  expect(read(folder)).toBe(START)
  expect([await isTakenBack(folder, first), await isTakenBack(folder, second)]).toEqual([true, true])
  expect((await folder.apply({ kind: 'undo-run', run: second })).state).toBe('nothing-to-do')
  await folder.apply({ kind: 'undo' })
  expect(await blame(folder)).toEqual({ two: first, seventeen: second })
})
