/** [RS-21] Single changes of a file that the run renamed are undone at its new name, which it keeps. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { TextHunk } from '../../../../src/contract/diff.ts'
import type { RestoreRequest } from '../../../../src/contract/restore.ts'
import { type RecordedFolder, recordedFolder } from '../../../support/recorded-folder.ts'

const lines = (changes: Record<number, string> = {}): string =>
  Array.from({ length: 30 }, (_, i) => `${changes[i] ?? `line ${i}`}\n`).join('')

const A = { 3: 'first change' }
const B = { 22: 'second change' }
const C = { 12: 'by a person' }

interface Opened {
  readonly folder: RecordedFolder
  write(path: string, text: string): void
  move(from: string, to: string): void
  readonly read: (path: string) => string
}

async function opened(): Promise<Opened & AsyncDisposable> {
  const folder = await recordedFolder({ files: { 'old.txt': lines() } })
  const at = (path: string): string => join(folder.root, path)
  return {
    folder,
    write: (path, text) => writeFileSync(at(path), text),
    move: (from, to) => {
      mkdirSync(dirname(at(to)), { recursive: true })
      renameSync(at(from), at(to))
    },
    read: (path) => readFileSync(at(path), 'utf8'),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]()
  }
}

/** The changed file as the list and the diff show it. */
async function shown({ engine, workspace }: RecordedFolder, run: string) {
  const { files } = await engine.call('diff.files', { workspace, target: run })
  const file = files[0]
  if (!file || files.length !== 1) throw new Error(`${files.length} changed files`)
  const { path, oldPath, partlyUndoneBy, undoneBy } = file
  const diff = await engine.call('diff.file', {
    workspace,
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    target: run,
    edits: 'own'
  })
  if (diff.view !== 'text') throw new Error(`not text: ${diff.view}`)
  return { path, oldPath, partlyUndoneBy, undoneBy, hunks: diff.hunks ?? [] }
}

const numbersOf = (hunks: readonly TextHunk[]) => hunks.map(({ n }) => n)
const undoneOf = (hunks: readonly TextHunk[]) => hunks.map(({ undoneBy }) => undoneBy !== null)
const undo = (run: string, path: string, ...numbers: number[]): RestoreRequest => ({
  kind: 'undo-run',
  run,
  hunks: { [path]: numbers },
  onConflict: 'merge'
})

/** What the run did before the file has the name new.txt and both changes, as one check or several. */
const WAYS: Readonly<Record<string, (opened: Opened) => Promise<void>>> = {
  'moved and changed at once': async ({ move, write }) => {
    move('old.txt', 'new.txt')
    write('new.txt', lines({ ...A, ...B }))
  },
  'moved, then changed': async ({ folder, move, write }) => {
    move('old.txt', 'new.txt')
    await folder.check()
    write('new.txt', lines({ ...A, ...B }))
  },
  'changed, then moved': async ({ folder, move, write }) => {
    write('old.txt', lines({ ...A, ...B }))
    await folder.check()
    move('old.txt', 'new.txt')
  },
  'changed, moved, changed, moved again': async ({ folder, move, write }) => {
    write('old.txt', lines(A))
    await folder.check()
    move('old.txt', 'lib/between.txt')
    await folder.check()
    write('lib/between.txt', lines({ ...A, ...B }))
    await folder.check()
    move('lib/between.txt', 'new.txt')
    rmSync(join(folder.root, 'lib'), { recursive: true })
  }
}

describe('[RS-20] [RS-21] undoing single changes of a renamed file', () => {
  test.for(Object.entries(WAYS))('%s', async ([, work]) => {
    await using opening = await opened()
    const { folder, read } = opening
    const run = await folder.run('rename', () => work(opening))
    const before = await shown(folder, run)
    expect(before).toMatchObject({ path: 'new.txt', oldPath: 'old.txt' })
    expect([numbersOf(before.hunks), undoneOf(before.hunks)]).toEqual([
      [1, 2],
      [false, false]
    ])

    await folder.apply(undo(run, 'new.txt', 1))
    expect(read('new.txt')).toBe(lines(B))
    const partly = await shown(folder, run)
    expect(undoneOf(partly.hunks)).toEqual([true, false])
    expect([partly.undoneBy ?? null, typeof partly.partlyUndoneBy]).toEqual([null, 'string'])
    await folder.apply({ kind: 'undo' })
    expect(read('new.txt')).toBe(lines({ ...A, ...B }))
    await folder.apply({ kind: 'redo' })

    // Without any change left, the file still has its new name, and the run undoes that.
    await folder.apply(undo(run, 'new.txt', 2))
    expect(read('new.txt')).toBe(lines())
    const renamed = await shown(folder, run)
    expect([undoneOf(renamed.hunks), renamed.undoneBy ?? null]).toEqual([[true, true], null])
    await folder.apply({ kind: 'undo-run', run, onConflict: 'merge' })
    expect([read('old.txt'), (await shown(folder, run)).undoneBy !== undefined]).toEqual([lines(), true])
    expect(Object.keys(folder.tree())).toEqual(['old.txt'])
    await folder.apply({ kind: 'undo' })
    expect(read('new.txt')).toBe(lines())
  })

  test('lines that others wrote since stay', async () => {
    await using opening = await opened()
    const { folder, write, move, read } = opening
    const run = await folder.run('rename', async () => {
      write('old.txt', lines(A))
      await folder.check()
      move('old.txt', 'new.txt')
      write('new.txt', lines({ ...A, ...B }))
    })
    write('new.txt', lines({ ...A, ...B, ...C }))
    await folder.check()
    await folder.apply(undo(run, 'new.txt', 1))
    expect(read('new.txt')).toBe(lines({ ...B, ...C }))
  })

  test('a file that is moved on since has them at its present name', async () => {
    await using opening = await opened()
    const { folder, write, move, read } = opening
    const run = await folder.run('rename', () => {
      move('old.txt', 'new.txt')
      write('new.txt', lines({ ...A, ...B }))
    })
    move('new.txt', 'last.txt')
    await folder.check()
    await folder.apply(undo(run, 'new.txt', 2))
    expect(read('last.txt')).toBe(lines(A))
  })

  test('selected lines, too', async () => {
    await using opening = await opened()
    const { folder, write, move, read } = opening
    const run = await folder.run('rename', () => {
      move('old.txt', 'new.txt')
      write('new.txt', lines({ 3: 'one', 4: 'two' }))
    })
    await folder.apply({
      kind: 'undo-run',
      run,
      lines: { 'new.txt': [{ side: 'after', from: 4, to: 5 }] },
      onConflict: 'merge'
    })
    expect(read('new.txt')).toBe(lines({ 3: 'one' }))
    expect((await shown(folder, run)).hunks[0]?.undoneLines).not.toEqual([])
  })
})
