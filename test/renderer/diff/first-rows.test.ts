/** [UI-44] What is drawn of a diff before the editor is loaded; where it is drawn: test/e2e/ui/first-text.e2e.test.ts. */
import { expect, test } from 'vitest'
import { drawnRows, firstRows, hasEditorBlocks, rowsAbove } from '../../../src/renderer/features/diff/first-rows.ts'
import type { TextDoc } from '../../../src/renderer/features/diff/text-doc.ts'

const HUNK = { n: 1, undoneBy: null, undoneLines: [], oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 }
const DOC: TextDoc = {
  key: '1',
  comparison: '',
  path: 'a',
  oldPath: '',
  before: 'a\nb\nc\n',
  after: 'a\nB\nc\n',
  beforeLabel: '',
  afterLabel: '',
  shape: 'changed',
  plain: false,
  othersLines: [],
  made: null,
  blocks: null,
  hunks: [{ ...HUNK, blocks: [{ oldFrom: 1, oldTo: 2, newFrom: 1, newTo: 2 }] }]
}
const OPTIONS = { whitespace: 'show' as const, hideUnchanged: true }

test('[UI-44] the lines of a hunk with their numbers; the end of the last line is no line', () => {
  const rows = firstRows(DOC, OPTIONS, 100) ?? []
  expect(rows.map((row) => (row.kind === 'lines' ? row.lines.map((line) => Object.values(line)) : row.kind))).toEqual([
    [['same', 1, 'a', 1]],
    'bar',
    [
      ['deleted', 2, 'b', null],
      ['added', null, 2, 'B']
    ],
    [
      ['same', 3, 'c', 3],
      ['same', null, '', null]
    ]
  ])
})

test('[UI-44] nothing is said to have changed where only the editor knows it', () => {
  expect(firstRows({ ...DOC, hunks: [] }, OPTIONS, 100)).toBeNull()
  expect(firstRows(DOC, { ...OPTIONS, whitespace: 'ignore-ends' }, 100)).toBeNull()
})

test('[UI-44] of a large text only the first lines are drawn', () => {
  const text = 'x\n'.repeat(10_000)
  const rows = firstRows({ ...DOC, shape: 'added', before: '', after: text, hunks: [] }, OPTIONS, 100) ?? []
  expect(rows.flatMap((row) => (row.kind === 'lines' ? row.lines : []))).toHaveLength(100)
})

test('[UI-44] the rows end where something comes below a line, because the editor makes room for it', () => {
  for (const split of [false, true]) {
    const rows = drawnRows(firstRows(DOC, OPTIONS, 100) ?? [], split)
    expect(rowsAbove(rows, [])).toEqual(rows)
    expect(rowsAbove(rows, [{ side: 'before', line: 2 }]).at(-1)).toEqual(rows[2])
    expect(rowsAbove(rows, [{ side: 'after', line: 3 }]).at(-1)).toEqual(rows.at(-2))
  }
})

test('[UI-44] lines that differ only in their ends are left to the editor, for which they are the same', () => {
  expect(hasEditorBlocks(DOC)).toBe(true)
  expect(hasEditorBlocks({ ...DOC, after: 'a\nb\r\nc\n' })).toBe(false)
  const whole = { oldFrom: 0, oldTo: 1, newFrom: 0, newTo: 2 }
  expect(hasEditorBlocks({ ...DOC, hunks: [], blocks: [whole], before: 'a', after: 'a\nb' })).toBe(false)
  expect(hasEditorBlocks({ ...DOC, shape: 'added', before: '', after: 'a' })).toBe(true)
})
