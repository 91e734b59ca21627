import { expect, test } from 'vitest'
import { consequenceText, lineRanges } from '../../../src/contract/words/resolutions.ts'

const own = (...lines: number[]) => ({ path: 'a.ts', lines: lines.map((line) => ({ line, tag: '', yours: true })) })

test('Replace names the lines it removes and says that undo restores them', () => {
  expect(consequenceText('replace', { own: own(33, 34), counts: null })).toBe(
    'Replace removes your 2 lines (lines 33–34). Undo restores them.'
  )
  const others = { path: 'a.ts', lines: [{ line: 7, tag: '', yours: false }] }
  expect(consequenceText('replace', { own: others, counts: null })).toContain(
    'removes 1 line written by others (line 7).'
  )
})

test('Merge counts removed, restored and kept lines', () => {
  expect(consequenceText('merge', { own: own(4), counts: { added: 1, deleted: 3 } })).toBe(
    'Removes 3 lines and restores 1 line; your 1 line stays.'
  )
})

test('Keep loses nothing', () => {
  expect(consequenceText('keep', { own: null, counts: null })).toContain('nothing is lost')
})

test('lines are grouped into ranges, and a long list is cut', () => {
  expect(lineRanges([1])).toBe('line 1')
  expect(lineRanges([1, 2, 5])).toBe('lines 1–2 and 5')
  expect(lineRanges([1, 3, 5, 7, 9])).toBe('lines 1, 3, 5, 7 and more')
})
