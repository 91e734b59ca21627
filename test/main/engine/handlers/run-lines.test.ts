/** Selections of lines of a run's diff: exactly they are undone, by the means by which hunks are. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FileDiff } from '../../../../src/contract/diff.ts'
import type { LineSelection, RestoreRequest } from '../../../../src/contract/restore.ts'
import { ownProcess } from '../../../../src/main/engine/ports/processes.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const FILE = 'a.txt'
const place = (folder: RecordedFolder): string => join(folder.root, FILE)
const bytes = (folder: RecordedFolder): Buffer => readFileSync(place(folder))
const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `line ${i}\n`)

/** Lines [from, to), counted from 0. */
const later = (from: number, to: number): LineSelection => ({ side: 'after', from, to })
const earlier = (from: number, to: number): LineSelection => ({ side: 'before', from, to })
const undo = (run: string, ...lines: LineSelection[]): RestoreRequest => ({
  kind: 'undo-run',
  run,
  lines: { [FILE]: lines },
  onConflict: 'merge'
})

async function hunksOf(folder: RecordedFolder, run: string) {
  const params = { workspace: folder.workspace, path: FILE, target: run, edits: 'own' } as const
  const diff: FileDiff = await folder.engine.call('diff.file', params)
  if (diff.view !== 'text') throw new Error(`not text: ${diff.view}`)
  return diff.hunks ?? []
}

/** A run that writes these texts, or deletes the file, as separate edits. */
async function runOf(folder: RecordedFolder, ...texts: readonly (string | Buffer | null)[]): Promise<string> {
  const { workspace } = folder
  const me = ownProcess()
  const begin = { workspace, title: 'work', agent: 'test', pid: me.pid, pidStart: me.start }
  const { run } = await folder.engine.call('run.begin', begin)
  for (const text of texts) {
    if (text === null) rmSync(place(folder))
    else writeFileSync(place(folder), text)
    await folder.check()
  }
  await folder.engine.call('run.end', { workspace, run, exitCode: 0 })
  return run
}

const OLD = 'top\none\ntwo\nthree\nend\n'
const NEW = 'top\nONE\nTWO\nnew\nend\nmore\n'

/** Before, after the run, the selection, after the undo. */
const CASES: readonly (readonly [string, string, string, readonly LineSelection[], string])[] = [
  ['a changed line', OLD, NEW, [later(2, 3)], 'top\nONE\ntwo\nnew\nend\nmore\n'],
  ['an added line', OLD, NEW, [later(5, 6)], 'top\nONE\nTWO\nnew\nend\n'],
  ['lines of two blocks', OLD, NEW, [later(3, 6)], 'top\nONE\nTWO\nthree\nend\n'],
  [
    'deleted lines return, and what replaced them stays',
    OLD,
    NEW,
    [earlier(1, 3)],
    'top\none\nONE\ntwo\nTWO\nnew\nend\nmore\n'
  ],
  ['single lines of both sides', OLD, NEW, [earlier(3, 4), later(5, 6)], 'top\nONE\nTWO\nthree\nnew\nend\n'],
  ['a deletion', OLD, 'top\nend\n', [later(0, 1)], OLD],
  ['half of a deletion', OLD, 'top\nend\n', [earlier(2, 3)], 'top\ntwo\nend\n'],
  ['lines that end in CRLF', 'a\r\nb\r\nc\r\n', 'a\r\nB\r\nC\nc\r\n', [later(1, 2)], 'a\r\nb\r\nC\nc\r\n'],
  ['a last line without a line feed', 'a\nb', 'a\nB\nc', [later(1, 3)], 'a\nb'],
  ['a line before a last line without a line feed', 'a\nb\nc', 'A\nb\nC', [later(0, 1)], 'a\nb\nC']
]

describe('[RS-21] undoing selected lines', () => {
  test.for(CASES)('%s', async ([, old, now, lines, expected]) => {
    await using folder = await recordedFolder({ files: { [FILE]: old } })
    const run = await runOf(folder, now)
    await folder.apply(undo(run, ...lines))
    expect(bytes(folder).toString()).toBe(expected)
    await folder.apply({ kind: 'undo' })
    expect(bytes(folder).toString()).toBe(now)
    await folder.apply({ kind: 'redo' })
    expect(bytes(folder).toString()).toBe(expected)
  })

  test('the preview has the bytes that are written', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: OLD } })
    const request = undo(await runOf(folder, NEW), later(1, 2))
    const shown = await folder.engine.call('restore.preview', {
      workspace: folder.workspace,
      request,
      path: FILE,
      side: 'result'
    })
    await folder.apply(request)
    expect(shown).toMatchObject({ view: 'text', beforeText: NEW, afterText: bytes(folder).toString() })
  })

  test('UTF-16 stays what it is, byte by byte', async () => {
    const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le')
    await using folder = await recordedFolder({ files: { [FILE]: utf16(OLD) } })
    const run = await runOf(folder, utf16(NEW))
    await folder.apply(undo(run, later(2, 3), later(5, 6)))
    expect(bytes(folder)).toEqual(utf16('top\nONE\ntwo\nnew\nend\n'))
  })

  test('all lines of a hunk are the hunk, which counts as undone, and so does the run', async () => {
    const texts: Buffer[] = []
    for (const request of [{ hunks: { [FILE]: [1] } }, { lines: { [FILE]: [later(0, 99)] } }]) {
      await using folder = await recordedFolder({ files: { [FILE]: OLD } })
      const run = await runOf(folder, 'top\nONE\nend\n', NEW)
      const { restore } = await folder.apply({ kind: 'undo-run', run, ...request })
      expect((await hunksOf(folder, run)).map(({ undoneBy }) => undoneBy)).toEqual([restore])
      expect((await folder.plan({ kind: 'undo-run', run })).items).toEqual([])
      texts.push(bytes(folder))
    }
    expect(texts).toEqual([Buffer.from(OLD), Buffer.from(OLD)])
  })

  test('two selections that complete each other are the hunk, whatever is first', async () => {
    const parts = [[later(2, 3)], [later(0, 2), later(3, 99)]] as const
    for (const [first, second] of [parts, parts.toReversed()]) {
      await using folder = await recordedFolder({ files: { [FILE]: OLD } })
      const run = await runOf(folder, 'top\nONE\nend\n', NEW)
      await folder.apply(undo(run, ...(first ?? [])))
      const [half] = await hunksOf(folder, run)
      expect(half?.undoneBy).toBeNull()
      expect(half?.undoneLines).not.toEqual([])
      const { restore } = await folder.apply(undo(run, ...(second ?? [])))
      expect(bytes(folder).toString()).toBe(OLD)
      expect((await hunksOf(folder, run))[0]?.undoneBy).toBe(restore)
      const { entries } = await folder.engine.call('timeline.list', { workspace: folder.workspace, limit: 10 })
      expect(entries.find((entry) => entry.id === run)).toMatchObject({ undone: true })
      await folder.apply({ kind: 'undo' })
      expect((await hunksOf(folder, run))[0]).toEqual(half)
    }
  })

  test('a hunk of which one edit changed more than the diff shows is undone by its lines', async () => {
    const old = numbered(40)
    const all = old.map((line) => line.toUpperCase())
    const outer = all.map((line, i) => (i < 5 || i > 34 ? line : (old[i] as string)))
    await using folder = await recordedFolder({ files: { [FILE]: old.join('') } })
    const run = await runOf(folder, all.join(''), outer.join(''))
    expect(await hunksOf(folder, run)).toHaveLength(2)
    await folder.apply({ kind: 'undo-run', run, hunks: { [FILE]: [1] }, onConflict: 'merge' })
    expect(bytes(folder).toString()).toBe([...old.slice(0, 35), ...all.slice(35)].join(''))
  })

  test('the list of changed files names the restore that undid a part last, until that is undone', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: OLD } })
    const { workspace } = folder
    const run = await runOf(folder, NEW)
    const marks = async () => {
      const { files } = await folder.engine.call('diff.files', { workspace, target: run })
      return files.map(({ undoneBy, partlyUndoneBy }) => ({ undoneBy, partlyUndoneBy }))
    }
    expect(await marks()).toEqual([{}])
    const { restore: first } = await folder.apply(undo(run, later(2, 3)))
    expect(await marks()).toEqual([{ partlyUndoneBy: first }])
    const { restore: second } = await folder.apply(undo(run, later(5, 6)))
    expect(await marks()).toEqual([{ partlyUndoneBy: second }])
    await folder.apply({ kind: 'undo' })
    expect(await marks()).toEqual([{ partlyUndoneBy: first }])
    await folder.apply({ kind: 'redo' })
    expect(await marks()).toEqual([{ partlyUndoneBy: second }])
    const { restore: last } = await folder.apply({ kind: 'undo-run', run })
    expect(await marks()).toEqual([{ undoneBy: last }])
  })

  test('lines of others stay, also between the selected ones of two hunks', async () => {
    const old = numbered(30)
    const now = old.map((line, i) => (i === 3 || i === 4 || i === 20 ? `run ${i}\n` : line))
    await using folder = await recordedFolder({ files: { [FILE]: old.join('') } })
    const run = await runOf(folder, now.join(''))
    writeFileSync(place(folder), now.with(12, 'mine\n').join(''))
    await folder.check()
    await folder.apply(undo(run, later(4, 25)))
    expect(bytes(folder).toString()).toBe(old.with(3, 'run 3\n').with(12, 'mine\n').join(''))
  })

  test('a later edit of others beside a selected line is a conflict; beside another line of the hunk it is none', async () => {
    const old = numbered(10)
    const now = old.map((line, i) => (i >= 3 && i < 7 ? `run ${i}\n` : line))
    await using folder = await recordedFolder({ files: { [FILE]: old.join('') } })
    const run = await runOf(folder, now.join(''))
    const theirs = now.with(7, 'mine\n').join('')
    writeFileSync(place(folder), theirs)
    await folder.check()
    const beside = await folder.plan(undo(run, later(6, 7)))
    expect(beside.conflicts).toMatchObject([{ path: FILE, mergeable: false }])
    await folder.apply(undo(run, later(6, 7)))
    expect(bytes(folder).toString()).toBe(theirs)
    await folder.apply(undo(run, earlier(3, 4)))
    expect(bytes(folder).toString()).toContain('line 3\nrun 3\n')
  })

  test('a line that would join the next one is a conflict, and nothing is written', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: 'a\nb' } })
    const run = await runOf(folder, 'a\nB\nc\n')
    await folder.apply(undo(run, later(1, 2)))
    expect(bytes(folder).toString()).toBe('a\nB\nc\n')
  })

  test('lines without a change of the run are refused, and nothing is written', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: OLD } })
    const run = await runOf(folder, NEW)
    await expect(folder.plan(undo(run, later(0, 1)))).rejects.toMatchObject({ code: 'UnknownTarget' })
    await expect(folder.plan(undo(run, later(70, 90)))).rejects.toMatchObject({ code: 'UnknownTarget' })
    expect(bytes(folder).toString()).toBe(NEW)
  })

  test('a selection in a hunk of 800 lines is a few numbers in the store', async () => {
    const old = numbered(400)
    const now = old.map((line) => line.toUpperCase())
    await using folder = await recordedFolder({ files: { [FILE]: old.join('') } })
    const run = await runOf(folder, now.join(''))
    await folder.apply(undo(run, later(100, 300)))
    const half = [...now.slice(0, 100), ...old.slice(100, 300), ...now.slice(300)]
    expect(bytes(folder).toString()).toBe(half.join(''))
    const rows = folder.store((store) => store.db.prepare('SELECT lines FROM restore_without').pluck().all())
    expect(rows).toEqual(['[[100,300],[500,700]]'])
    await folder.apply(undo(run, later(0, 400)))
    expect(bytes(folder).toString()).toBe(old.join(''))
  })

  test('lines of an outside change are undone in the same manner', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: OLD } })
    writeFileSync(place(folder), NEW)
    await folder.check()
    const { drift } = await folder.engine.call('drift.list', { workspace: folder.workspace, check: false })
    await folder.apply({ kind: 'drift', drift: drift[0]?.id ?? '', lines: { [FILE]: [later(5, 6)] } })
    expect(bytes(folder).toString()).toBe('top\nONE\nTWO\nnew\nend\n')
  })
})

describe('[RS-21] undoing selected lines of a file that the run made', () => {
  const MADE = numbered(10)
  const made = async (): Promise<{ folder: RecordedFolder; run: string }> => {
    const folder = await recordedFolder()
    return { folder, run: await runOf(folder, MADE.join('')) }
  }
  const without = (from: number, to: number): string => MADE.toSpliced(from, to - from).join('')

  test('leaves the others; undo and redo have each byte, and then the file is undone as before', async () => {
    const { folder, run } = await made()
    await using _folder = folder
    expect(await hunksOf(folder, run)).toMatchObject([{ oldFrom: 0, oldTo: 0, newFrom: 0, newTo: 10, undoneBy: null }])
    expect((await folder.plan(undo(run, later(2, 4)))).conflicts).toEqual([])
    await folder.apply(undo(run, later(2, 4)))
    expect(bytes(folder).toString()).toBe(without(2, 4))
    expect(await hunksOf(folder, run)).toMatchObject([{ undoneBy: null, undoneLines: [later(2, 4)] }])
    await folder.apply({ kind: 'undo' })
    expect(bytes(folder).toString()).toBe(MADE.join(''))
    await folder.apply({ kind: 'redo' })
    expect(bytes(folder).toString()).toBe(without(2, 4))
    await folder.apply({ kind: 'undo-run', run })
    expect(folder.tree()).toEqual({})
    await folder.apply({ kind: 'undo' })
    expect(bytes(folder).toString()).toBe(without(2, 4))
  })

  test.for([
    ['at once', [later(0, 10)]],
    ['one part after the other', [later(5, 10), later(0, 5)]]
  ] as const)('all of them, %s, remove the file, and the run counts as undone', async ([, parts]) => {
    const { folder, run } = await made()
    await using _folder = folder
    for (const lines of parts) await folder.apply(undo(run, lines))
    expect(folder.tree()).toEqual({})
    expect((await folder.plan({ kind: 'undo-run', run })).items).toEqual([])
    await folder.apply({ kind: 'undo' })
    expect(bytes(folder).toString()).toBe(parts.length === 1 ? MADE.join('') : without(5, 10))
  })

  test('leaves the others also where the run deleted it in between', async () => {
    await using folder = await recordedFolder()
    const run = await runOf(folder, MADE.slice(0, 4).join(''), null, MADE.join(''))
    await folder.apply(undo(run, later(2, 4)))
    expect(bytes(folder).toString()).toBe(without(2, 4))
    await folder.apply({ kind: 'undo' })
    expect(bytes(folder).toString()).toBe(MADE.join(''))
    await folder.apply({ kind: 'redo' })
    await folder.apply(undo(run, later(0, 2), later(4, 10)))
    expect(folder.tree()).toEqual({})
    expect((await folder.plan({ kind: 'undo-run', run })).items).toEqual([])
  })

  test('but not of one that it deleted and made again: where its lines were is not known', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: MADE.join('') } })
    const run = await runOf(folder, null, MADE.with(2, 'new\n').join(''))
    expect((await folder.plan(undo(run, earlier(2, 3), later(2, 3)))).conflicts).toMatchObject([
      { choices: ['keep'], by: [], cause: 'whole-file' }
    ])
  })

  test('keeps what a person wrote in it since; lines beside that are a conflict', async () => {
    const { folder, run } = await made()
    await using _folder = folder
    const theirs = MADE.with(7, 'mine\n')
    writeFileSync(place(folder), theirs.join(''))
    await folder.check()
    expect((await folder.plan(undo(run, later(6, 7)))).conflicts).toMatchObject([{ choices: ['keep'] }])
    await folder.apply(undo(run, later(1, 4)))
    expect(bytes(folder).toString()).toBe(theirs.toSpliced(1, 3).join(''))
  })

  test('an empty file of a person stays when all lines of the run are undone', async () => {
    await using folder = await recordedFolder({ files: { [FILE]: '' } })
    const run = await runOf(folder, MADE.join(''))
    await folder.apply(undo(run, later(0, 10)))
    expect(bytes(folder).length).toBe(0)
  })
})
