/** Comparisons that ignore all whitespace, with the computer of the editor. */
/// <reference path="../../../src/renderer/features/diff/monaco-diff.d.ts" />
import { linesDiffComputers } from 'monaco-editor/editor/common/diff/linesDiffComputers'
import { expect, test } from 'vitest'
import { type InnerChange, ignoringBlanks } from '../../../src/renderer/features/diff/blank-free-diff.ts'

const computer = ignoringBlanks(linesDiffComputers.getDefault())
const OPTIONS = { ignoreTrimWhitespace: true, maxComputationTimeMs: 0, computeMoves: false }

/** What changed, as [before, after] pairs of text. */
function changes(before: readonly string[], after: readonly string[]): (readonly [string, string])[] {
  const found = computer.computeDiff(before, after, OPTIONS).changes.flatMap(({ innerChanges }) => innerChanges ?? [])
  const part = (lines: readonly string[], range: InnerChange['originalRange']): string =>
    range.startLineNumber === range.endLineNumber
      ? (lines[range.startLineNumber - 1] ?? '').slice(range.startColumn - 1, range.endColumn - 1)
      : `lines ${range.startLineNumber} to ${range.endLineNumber}`
  return found.map(({ originalRange, modifiedRange }) => [part(before, originalRange), part(after, modifiedRange)])
}

test('whitespace inside, before and after the text of a line is no change', () => {
  expect(changes(['if(a){', '\tgo( 1,2 )', '}'], ['if (a) {  ', '    go(1, 2)', '}'])).toEqual([])
})

test('what else changed is found at its place in the lines as they are', () => {
  expect(changes(['const  total = net ;', 'x'], ['const total   =   gross;', 'x'])).toEqual([['net', 'gross']])
  expect(changes(['a ( b )'], ['a ( b , c )'])).toEqual([['', ', c']])
})

test('a blank line that comes or goes is a change', () => {
  expect(computer.computeDiff(['a', 'b'], ['a', '   ', 'b'], OPTIONS).changes).toHaveLength(1)
})
