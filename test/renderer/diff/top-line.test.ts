import { expect, test } from 'vitest'
import { firstLineBelow } from '../../../src/renderer/features/diff/top-line.ts'

/** Lines of 20 px; 4 and 5 are folded, and 60 px lie between 7 and 8. */
const TOPS = [0, 20, 40, 60, 60, 60, 80, 160, 180]
const editor = {
  getTopForLineNumber: (line: number) => TOPS[line - 1] ?? 0,
  getModel: () => ({ getLineCount: () => TOPS.length }) as never
}

test('[UI-49] the first visible line is found by its height, with folded lines and what lies between lines', () => {
  expect([0, 19, 20, 59, 60, 80, 159, 160, 9999].map((top) => firstLineBelow(editor, top))).toEqual([
    1, 1, 2, 3, 6, 7, 7, 8, 9
  ])
})
