import { expect, test } from 'vitest'
import { paintPatch } from '../../../src/main/cli/commands/files.ts'
import { painterFor, plain } from '../../../src/main/cli/paint.ts'

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
