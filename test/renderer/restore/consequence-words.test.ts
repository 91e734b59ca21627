import { expect, test } from 'vitest'
import { consequenceWords, placeWords } from '../../../src/renderer/features/restore/consequence-words.ts'

const own = (...lines: number[]) => ({ path: 'a.ts', lines: lines.map((line) => ({ line, tag: '', yours: true })) })

test('Replace names the lines it drops and says that Undo returns them', () => {
  expect(consequenceWords('replace', { own: own(33, 34), counts: null })).toBe(
    'Replace drops your 2 lines: lines 33–34. What is there now is kept first; Undo returns it.'
  )
  const others = { path: 'a.ts', lines: [{ line: 7, tag: '', yours: false }] }
  expect(consequenceWords('replace', { own: others, counts: null })).toContain('drops 1 line of others: line 7.')
})

test('Merge counts what goes, what comes back and what stays', () => {
  expect(consequenceWords('merge', { own: own(4), counts: { added: 1, deleted: 3 } })).toBe(
    '3 lines go, 1 line comes back; your 1 line stays.'
  )
})

test('Keep loses nothing', () => {
  expect(consequenceWords('keep', { own: null, counts: null })).toContain('nothing is lost')
})

test('lines are named in ranges, and a long list ends', () => {
  expect(placeWords([1])).toBe('line 1')
  expect(placeWords([1, 2, 5])).toBe('lines 1–2 and 5')
  expect(placeWords([1, 3, 5, 7, 9])).toBe('lines 1, 3, 5, 7 and more')
})
