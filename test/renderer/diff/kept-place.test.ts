import { expect, test } from 'vitest'
import { lineNear } from '../../../src/renderer/features/diff/kept-place.ts'

test('the place is that of the same text, nearest first', () => {
  const lines = ['}', 'a', 'b', '}', 'c']
  expect(lineNear(lines, 3, 'b')).toBe(3)
  expect(lineNear(lines, 2, 'b')).toBe(3)
  expect(lineNear(lines, 5, '}')).toBe(4)
  expect(lineNear(lines, 1, 'c')).toBe(5)
})

test('a text that is gone leaves its number, within the lines that there are', () => {
  expect(lineNear(['a', 'b'], 2, 'gone')).toBe(2)
  expect(lineNear(['a', 'b'], 9, 'gone')).toBe(2)
  expect(lineNear([], 4, 'gone')).toBe(1)
})
