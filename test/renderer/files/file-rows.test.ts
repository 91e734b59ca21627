/** The list of changed files: one order, every file reachable, exact counts and set sizes. */
import { describe, expect, test } from 'vitest'
import type { FileChange } from '../../../src/contract/diff.ts'
import { fileNote, fileSentence, flagsOf } from '../../../src/contract/words/files.ts'
import { fileListAction, nextToReviewRow, shapeOf } from '../../../src/renderer/features/files/file-keys.ts'
import { fileRows, parentsOf, type Row } from '../../../src/renderer/features/files/file-rows.ts'
import { comparePaths, firstInReview, groupOf, reviewOrder, stepFile } from '../../../src/renderer/model/file-order.ts'
import type { KeyPress } from '../../../src/renderer/ui/keys.ts'
import { listMove, typeAhead } from '../../../src/renderer/ui/list-keys.ts'

function change(path: string, more: Partial<FileChange> = {}): FileChange {
  return {
    path,
    change: 'modified',
    kind: 'text',
    added: 1,
    deleted: 1,
    hunks: 1,
    attribution: 'declared',
    interleaved: false,
    secret: false,
    counted: true,
    ...more
  }
}
const names = (rows: readonly Row[]) => rows.map((row) => (row.kind === 'file' ? row.name : `${row.label}/`))
const rows = (paths: readonly string[], more: Partial<Parameters<typeof fileRows>[0]> = {}) =>
  fileRows({ files: paths.map((p) => change(p)), mode: 'tree', filter: '', toggled: new Map(), ...more })
const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  metaKey: false,
  ctrlKey: false,
  altKey: false,
  shiftKey: false,
  ...more
})

describe('order', () => {
  test('folders come before files, numbers count by value', () => {
    const sorted = ['b.ts', 'a/x10.ts', 'a/x9.ts', 'a/b/c.ts', 'README.md'].sort(comparePaths)
    expect(sorted).toEqual(['a/b/c.ts', 'a/x9.ts', 'a/x10.ts', 'b.ts', 'README.md'])
  })
  test('generated and vendored files come last', () => {
    const order = reviewOrder(['vendor/a.go', 'dist/app.js', 'z.ts', 'package-lock.json'].map((p) => change(p)))
    expect(order.map((f) => f.path)).toEqual(['z.ts', 'dist/app.js', 'package-lock.json', 'vendor/a.go'])
  })
  test('the first file that is wanted is that of the sorted list, whether it was sorted or not', () => {
    const paths = ['vendor/a.go', 'dist/app.js', 'z10.ts', 'z9.ts', 'b/c.ts', 'b/a.png', 'go.sum']
    const isText = ({ path }: { readonly path: string }) => !path.endsWith('.png')
    for (let length = 0; length <= paths.length; length++) {
      const files = paths.slice(0, length).map((p) => change(p))
      const unsorted = firstInReview(files, isText)
      expect(unsorted).toBe(reviewOrder(files).find(isText) ?? null)
      expect(firstInReview(files, isText)).toBe(unsorted)
    }
  })
  test('tree, list and stepping use the same order', () => {
    const paths = ['src/b/z.ts', 'src/a.ts', 'dist/x.js', 'test/q.ts', 'src/b/a.ts', 'a.md']
    const files = paths.map((p) => change(p))
    const stepped: string[] = []
    for (let at = stepFile(files, null, 0); at; at = stepFile(files, at, 1)) stepped.push(at)
    for (const mode of ['tree', 'list'] as const) {
      const shown = rows(paths, { mode }).flatMap((row) => (row.kind === 'file' ? [row.id] : []))
      expect(shown).toEqual(stepped)
    }
    expect(stepFile(files, stepped.at(-1) ?? '', 1)).toBeNull()
    expect(stepFile(files, stepped[0] ?? '', -1)).toBeNull()
  })
})

describe('rows', () => {
  test('a folder with only one child folder is joined with it', () => {
    expect(names(rows(['src/cart/total.ts', 'src/cart/tax.ts']))).toEqual(['src/cart/', 'tax.ts', 'total.ts'])
    expect(names(rows(['src/cart/total.ts', 'src/main.ts']))).toEqual(['src/', 'cart/', 'total.ts', 'main.ts'])
  })
  test('set sizes and positions count siblings, groups included', () => {
    const all = rows(['a/x.ts', 'b.ts', 'dist/y.js'])
    expect(all.map((r) => [r.level, r.posInSet, r.setSize])).toEqual([
      [1, 1, 3],
      [2, 1, 1],
      [1, 2, 3],
      [1, 3, 3],
      [2, 1, 1]
    ])
  })
  test('a closed folder hides its files and counts them', () => {
    const all = rows(['src/a.ts', 'src/b.ts'], { toggled: new Map([['src/', false]]) })
    expect(all).toHaveLength(1)
    expect(all[0]).toMatchObject({ files: 2, lines: 4, open: false })
  })
  test('generated groups start closed above 500 files and open otherwise', () => {
    const many = Array.from({ length: 600 }, (_, i) => `dist/f${i}.js`)
    expect(rows(many)).toHaveLength(1)
    expect(rows(many, { toggled: new Map([['group:generated', true]]) })).toHaveLength(601)
    expect(rows(['dist/a.js'])).toHaveLength(2)
  })
  test('generated groups start closed above 4,000 changed lines', () => {
    const files = [change('src/a.ts', { added: 4001 }), change('dist/a.js')]
    const all = fileRows({ files, mode: 'tree', filter: '', toggled: new Map() })
    expect(names(all)).toEqual(['src/', 'a.ts', 'Generated files/'])
  })
  test('a filter matches every word in the path and opens what it finds', () => {
    const all = rows(['src/cart/total.ts', 'src/tax.ts', 'test/total.test.ts'], {
      filter: 'TOTAL src',
      toggled: new Map([['src/', false]])
    })
    expect(names(all)).toEqual(['src/cart/', 'total.ts'])
  })
  test('the parents of a path are the rows that can hide it', () => {
    expect(parentsOf('src/cart/total.ts')).toEqual(['src/', 'src/cart/'])
    expect(parentsOf('dist/x.js')).toEqual(['group:generated'])
    expect(parentsOf('a.md')).toEqual([])
  })
  test('each of 4,000 files is a row, in the order of their paths within their folders', () => {
    const paths = Array.from({ length: 4000 }, (_, i) => `packages/p${i % 40}/src/m${i % 200}/f${i}.ts`)
    const files = rows(paths).flatMap((row) => (row.kind === 'file' ? [row.file.path] : []))
    expect(files).toEqual([...paths].sort(comparePaths))
  })
})

describe('words', () => {
  test('a row reads as a sentence', () => {
    expect(fileSentence(change('src/total.ts', { added: 23, deleted: 8 }), true)).toBe(
      'total.ts, modified, 23 lines added, 8 deleted, reviewed.'
    )
    expect(fileSentence(change('a.csv', { notStored: 'too-large', added: 0 }), false)).toBe(
      'a.csv, modified, not stored: over the size limit.'
    )
    expect(
      fileSentence(change('b/add.ts', { change: 'renamed', oldPath: 'b/sum.ts', added: 0, deleted: 1 }), false)
    ).toBe('add.ts, renamed, from b/sum.ts, 1 line deleted.')
  })
  test('invisible characters in a name are spelled out, so that it cannot pose as another one', () => {
    const shown = rows(['src/a\u202egpj.exe'], { mode: 'list' })[0]
    expect(shown?.kind === 'file' && shown.name).toBe('a<202E>gpj.exe')
    expect(fileSentence(change('b\u200b.ts'), false)).toContain('b<200B>.ts')
    expect(fileSentence(change('b\u200d.ts'), false)).toContain('b<200D>.ts')
    expect(fileSentence(change('b\u{e0041}.ts'), false)).toContain('b<E0041>.ts')
    expect(fileSentence(change('👨‍👩‍👧.ts'), false)).toContain('👨‍👩‍👧.ts')
  })
  test('counts that are not known yet are left out of the sentence', () => {
    expect(fileSentence(change('a.ts', { counted: false }), false)).toBe('a.ts, modified.')
  })
  test('[UI-1] content that is not stored is flagged with its reason', () => {
    const file = change('a', { notStored: 'pruned' })
    expect(flagsOf(file)[0]?.label).toBe('Content removed to save space')
    expect(fileNote(file)).toBe('not stored')
  })
  test('lock files, build output and snapshots are generated; sources are not', () => {
    expect(['package-lock.json', 'a/yarn.lock', 'web/dist/app.js', 'x.min.js', 'a.snap'].map(groupOf)).toEqual(
      Array(5).fill('generated')
    )
    expect(['src/build.ts', 'lib/outer.ts', 'vendor.ts'].map(groupOf)).toEqual(Array(3).fill('own'))
  })
})

describe('keys', () => {
  const list = rows(['a/x.ts', 'a/y.ts', 'b.ts'])
  const shape = shapeOf(list)
  const move = (at: number, key: KeyPress, letters = true) => listMove(shape, at, key, letters)
  const act = (at: number, key: KeyPress, letters = true) => fileListAction(list[at], key, letters)
  const to = (index: number) => ({ to: index, extend: false })
  test('arrows, J and K move and stop at the ends', () => {
    expect(move(0, press('ArrowDown'))).toEqual(to(1))
    expect(move(3, press('j'))).toEqual(to(3))
    expect(move(0, press('k'))).toEqual(to(0))
    expect(move(2, press('Home'))).toEqual(to(0))
    expect(move(2, press('End'))).toEqual(to(3))
  })
  test('Left closes a folder or moves to the parent of a file; Right opens a folder', () => {
    expect(move(0, press('ArrowLeft'))).toEqual({ expand: false })
    expect(move(2, press('ArrowLeft'))).toEqual(to(0))
    expect(move(0, press('ArrowRight'))).toEqual(to(1))
  })
  test('O opens in the editor, Shift+O shows the folder', () => {
    expect(act(1, press('o'))).toBe('editor')
    expect(act(1, press('o', { shiftKey: true }))).toBe('reveal')
  })
  test('single letters can be turned off; arrow keys stay', () => {
    expect(act(1, press('r'), false)).toBeNull()
    expect(move(1, press('r'), false)).toBeNull()
    expect(move(1, press('ArrowDown'), false)).toEqual(to(2))
  })
  test('Mod+C copies, Shift+Alt+C the full path; other Mod and Alt chords are left to others', () => {
    expect(act(1, press('c', { ctrlKey: true }))).toBe('copy')
    expect(act(1, press('c', { code: 'KeyC', altKey: true, shiftKey: true }))).toBe('copy-full')
    for (const chord of [press('k', { ctrlKey: true }), press('ArrowDown', { altKey: true })]) {
      expect(act(1, chord)).toBeNull()
      expect(move(1, chord)).toBeNull()
    }
  })
  test('Shift+F10 opens the menu', () => {
    expect(act(1, press('F10', { shiftKey: true }))).toBe('menu')
    expect(act(1, press('F10'))).toBeNull()
    expect(move(1, press('F10'))).toBeNull()
  })
  test('typed letters find the next name with that prefix and wrap around', () => {
    expect(typeAhead(shape, 2, 'y')).toBe(2)
    expect(typeAhead(shape, 4, 'x')).toBe(1)
    expect(typeAhead(shape, 1, 'zz')).toBeNull()
  })
  test('after a review the next file that is not reviewed follows', () => {
    expect(nextToReviewRow(list, 1, new Set(['a/x.ts', 'a/y.ts']))).toBe(3)
    expect(nextToReviewRow(list, 3, new Set(['a/x.ts']))).toBe(2)
    expect(nextToReviewRow(list, 3, new Set(['a/x.ts', 'a/y.ts']))).toBe(3)
  })
})
