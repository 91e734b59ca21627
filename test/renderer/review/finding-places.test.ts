import { describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/contract/findings.ts'
import { placeFindings } from '../../../src/renderer/features/review/finding-places.ts'

const FINDING: Finding = {
  kind: 'test-skipped',
  path: 'a.test.ts',
  line: 2,
  side: 'after',
  text: 'it.skip()',
  count: 1,
  version: null
}

function lineOf(finding: Partial<Finding>, before: readonly string[] | null, after: readonly string[] | null) {
  return placeFindings([{ ...FINDING, ...finding }], { before, after })[0]?.line
}

describe('[UI-42] a finding', () => {
  test('is at its line of the side it is about', () => {
    expect(lineOf({}, ['x'], ['one', '  it.skip()'])).toBe(2)
    expect(lineOf({ side: 'before' }, ['one', 'it.skip()'], ['x'])).toBe(2)
  })

  test('is above the file when the line is another one, is missing, or no text is shown', () => {
    expect(lineOf({}, null, ['one', 'two'])).toBeNull()
    expect(lineOf({}, null, ['it.skip()'])).toBeNull()
    expect(lineOf({}, null, null)).toBeNull()
  })

  test('about the whole file has no line', () => {
    expect(lineOf({ line: null, text: '' }, ['one'], ['one'])).toBeNull()
  })

  test('whose text is not shown because it may be a secret is at its line', () => {
    expect(lineOf({ kind: 'secret', text: '' }, null, ['one', 'key'])).toBe(2)
  })
})
