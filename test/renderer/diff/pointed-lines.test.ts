/** The lines that a comment or another command on lines is about, from what Monaco reports. */
import { describe, expect, test } from 'vitest'
import {
  lineInlineOf,
  linesAtCursor,
  linesAtPoint,
  linesOfHunk
} from '../../../src/renderer/features/diff/pointed-lines.ts'

type Editor = Parameters<typeof linesAtCursor>[0]
type Change = Parameters<typeof lineInlineOf>[1][number]

/** Lines 3 to 4 were deleted after line 2; line 5 became lines 3 to 4. */
const DELETED = change([3, 4], [2, 0])
const REPLACED = change([5, 5], [3, 4])

function change(original: readonly [number, number], modified: readonly [number, number]): Change {
  return {
    originalStartLineNumber: original[0],
    originalEndLineNumber: original[1],
    modifiedStartLineNumber: modified[0],
    modifiedEndLineNumber: modified[1],
    charChanges: undefined
  }
}

interface Side {
  readonly line?: number
  readonly focused?: boolean
  /** From x 0 to 100, or from 100 to 200. */
  readonly left: number
  readonly target?: unknown
}

function editor(original: Side, modified: Side): Editor {
  const sideOf = ({ line = 1, focused = false, left, target = null }: Side) => ({
    hasTextFocus: () => focused,
    getPosition: () => ({ lineNumber: line }),
    getDomNode: () => ({ getBoundingClientRect: () => ({ left, right: left + 100 }) }),
    getTargetAtClientPoint: () => target
  })
  return {
    getOriginalEditor: () => sideOf(original),
    getModifiedEditor: () => sideOf(modified),
    getLineChanges: () => [DELETED, REPLACED]
  } as unknown as Editor
}

describe('at the cursor', () => {
  test('the selected lines come first, then the line of the side that has the focus', () => {
    const both = editor({ line: 7, focused: true, left: 0 }, { line: 9, left: 100 })
    expect(linesAtCursor(both, 'changed', { side: 'after', from: 2, to: 4 })).toEqual({ side: 'after', from: 3, to: 4 })
    expect(linesAtCursor(both, 'changed', null)).toEqual({ side: 'before', from: 7, to: 7 })
    const later = editor({ line: 7, left: 0 }, { line: 9, focused: true, left: 100 })
    expect(linesAtCursor(later, 'changed', null)).toEqual({ side: 'after', from: 9, to: 9 })
  })

  test('a deleted file has lines before the change only, an added one after it', () => {
    const one = editor({ left: 0 }, { line: 2, left: 0 })
    expect(linesAtCursor(one, 'deleted', null)).toEqual({ side: 'before', from: 2, to: 2 })
    expect(linesAtCursor(one, 'added', { side: 'before', from: 0, to: 1 })).toEqual({ side: 'after', from: 1, to: 1 })
  })
})

describe('at a point', () => {
  const at = (line: number) => ({ position: { lineNumber: line } })

  test('in two columns, the line of the column', () => {
    const split = editor({ left: 0, target: at(3) }, { left: 100, target: at(4) })
    expect(linesAtPoint(split, 'changed', 50, 0)).toEqual({ side: 'before', from: 3, to: 3 })
    expect(linesAtPoint(split, 'changed', 150, 0)).toEqual({ side: 'after', from: 4, to: 4 })
  })

  test('in one column, deleted lines are all that were deleted there', () => {
    const inline = editor({ left: 900 }, { left: 0, target: { position: null, detail: { afterLineNumber: 2 } } })
    expect(linesAtPoint(inline, 'changed', 50, 0)).toEqual({ side: 'before', from: 3, to: 4 })
  })

  test('beside the text, none', () => {
    expect(linesAtPoint(editor({ left: 900 }, { left: 0, target: null }), 'changed', 50, 0)).toBeNull()
  })
})

test('a hunk that only deletes is its deleted lines', () => {
  const hunk = { n: 1, blocks: [], undoneBy: null, undoneLines: [] }
  expect(linesOfHunk({ ...hunk, oldFrom: 2, oldTo: 4, newFrom: 2, newTo: 2 })).toEqual({
    side: 'before',
    from: 3,
    to: 4
  })
  expect(linesOfHunk({ ...hunk, oldFrom: 2, oldTo: 4, newFrom: 2, newTo: 3 })).toEqual({
    side: 'after',
    from: 3,
    to: 3
  })
})

test('an earlier line is shown in one column above what replaced it, or beside the line it became', () => {
  const changes = [DELETED, REPLACED]
  expect(lineInlineOf(3, changes)).toBe(2)
  expect(lineInlineOf(5, changes)).toBe(2)
  expect(lineInlineOf(6, changes)).toBe(5)
  expect(lineInlineOf(1, changes)).toBe(1)
})
