import { expect, test } from 'vitest'
import { clip, listSome, quotedTitle, withCurlyQuotes } from '../../../src/contract/words/text.ts'

test('long lists and lines are shortened with a count or an ellipsis', () => {
  expect(listSome(['a', 'b'], 2)).toBe('a, b')
  expect(listSome(['a', 'b', 'c'], 1)).toBe('a and 2 more')
  expect(clip('👍👍👍', 2)).toBe('👍…')
  expect(clip('ab', 2)).toBe('ab')
})

test('a title with quotation marks of its own is quoted as a whole', () => {
  const title = 'sh -c "a" "b'
  expect(quotedTitle(title)).toBe(`"sh -c 'a' 'b"`)
  expect(withCurlyQuotes(`end of ${quotedTitle(title)}, ${quotedTitle('c')}`)).toBe("end of “sh -c 'a' 'b”, “c”")
})
