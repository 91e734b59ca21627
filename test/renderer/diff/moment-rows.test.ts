/** [RP-2] Which rows of a moment are drawn, and where. */
import { expect, test } from 'vitest'
import type { DrawnRow } from '../../../src/renderer/features/diff/first-rows.ts'
import { momentView } from '../../../src/renderer/features/diff/moment-rows.ts'

const line = (n: number): DrawnRow => ({ kind: 'line', line: { kind: 'same', before: n, after: n, text: '' } })
const ROWS = Array.from({ length: 100 }, (_, i) => line(i + 1))
const shown = (rows: readonly DrawnRow[]) => rows.map((row) => (row.kind === 'line' ? row.line.after : row.kind))

test('[RP-2] the text stays where it is while the line of the edit is in view, else the line is in the middle', () => {
  const at = (scrollTop: number, line: number | null) => momentView(ROWS, { line, height: 200, scrollTop })
  expect(at(50, 5)).toMatchObject({ scrollTop: 50, top: -10 })
  expect(shown(at(50, 5).rows)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13])
  expect(at(0, 50).scrollTop).toBe(890)
  expect(at(300, null).scrollTop).toBe(300)
  expect([at(0, 1).scrollTop, at(9999, null).scrollTop, at(0, 100).scrollTop]).toEqual([0, 1808, 1808])
})

test('[RP-2] folded lines and pairs of lines have the height that the editor gives them', () => {
  const rows: DrawnRow[] = [{ kind: 'fold', count: 9 }, { kind: 'pair', before: null, after: null }, ...ROWS]
  const view = momentView(rows, { line: null, height: 40, scrollTop: 30 })
  expect([view.top, shown(view.rows)]).toEqual([-6, ['pair', 1, 2]])
})
