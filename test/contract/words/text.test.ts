import { expect, test } from 'vitest'
import { clip, listSome } from '../../../src/contract/words/text.ts'

test('long lists and lines are shortened with a count or an ellipsis', () => {
  expect(listSome(['a', 'b'], 2)).toBe('a, b')
  expect(listSome(['a', 'b', 'c'], 1)).toBe('a and 2 more')
  expect(clip('👍👍👍', 2)).toBe('👍…')
  expect(clip('ab', 2)).toBe('ab')
})
