import { expect, test } from 'vitest'
import { columns } from '../../../src/main/cli/columns.ts'
import { painterFor } from '../../../src/main/cli/paint.ts'

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
