import { expect, test } from 'vitest'
import { plural } from '../../../src/contract/words/numbers.ts'
import { clip, listSome } from '../../../src/contract/words/text.ts'
import { formatTime } from '../../../src/contract/words/times.ts'
import { columns } from '../../../src/main/cli/columns.ts'
import { paintPatch } from '../../../src/main/cli/commands/files.ts'
import { painterFor, plain } from '../../../src/main/cli/paint.ts'

test('numbers have their noun and thousands separators', () => {
  expect([plural(0, 'file'), plural(1, 'file'), plural(43800, 'file'), plural(2, 'entry', 'entries')]).toEqual([
    '0 files',
    '1 file',
    '43,800 files',
    '2 entries'
  ])
})

test('times are relative to the local day', () => {
  const now = new Date(2026, 10, 20, 0, 30).getTime()
  expect(formatTime(new Date(2026, 10, 20, 0, 5).getTime(), now)).toBe('today 00:05')
  expect(formatTime(new Date(2026, 10, 19, 23, 59).getTime(), now)).toBe('yesterday 23:59')
  expect(formatTime(new Date(2026, 10, 17, 9, 0).getTime(), now)).toBe('3 days ago 09:00')
  expect(formatTime(new Date(2026, 9, 2, 9, 0).getTime(), now)).toBe('2 Oct 09:00')
  expect(formatTime(new Date(2025, 9, 2).getTime(), now)).toBe('2025-10-02')
})

test('long lists and lines are shortened with a count or an ellipsis', () => {
  expect(listSome(['a', 'b'], 2)).toBe('a, b')
  expect(listSome(['a', 'b', 'c'], 1)).toBe('a and 2 more')
  expect(clip('👍👍👍', 2)).toBe('👍…')
  expect(clip('ab', 2)).toBe('ab')
})

test('columns line up with and without colours', () => {
  const paint = painterFor(true, {})
  expect(
    columns([
      ['a', 'x'],
      ['long', 'y']
    ])
  ).toEqual(['a     x', 'long  y'])
  expect(
    columns([
      [paint('red', 'a'), 'x'],
      ['long', 'y']
    ])[0]
  ).toBe(`${paint('red', 'a')}     x`)
  expect(
    columns(
      [
        ['1', 'x'],
        ['10', 'y']
      ],
      '  '
    )
  ).toEqual(['  1   x', '  10  y'])
})

test('no colours without a terminal, with NO_COLOR or on a dumb terminal', () => {
  expect(painterFor(false, {})('red', 'x')).toBe('x')
  expect(painterFor(true, { NO_COLOR: '1' })('red', 'x')).toBe('x')
  expect(painterFor(true, { TERM: 'dumb' })('red', 'x')).toBe('x')
  expect(painterFor(true, { NO_COLOR: '' })('red', 'x')).not.toBe('x')
})

test('a patch on a terminal shows control characters as escapes', () => {
  expect(paintPatch('@@ -1 +1 @@\n-a\u001b[0m\n+\tb\u202e\r\n', plain)).toBe(
    '@@ -1 +1 @@\n-a\\x1b[0m\n+\tb\\u202e\\r\n'
  )
})
