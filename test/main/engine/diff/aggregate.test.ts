import { expect, it } from 'vitest'
import type { Attribution } from '../../../../src/contract/log.ts'
import type { WindowEdit } from '../../../../src/main/engine/diff/aggregate.ts'
import { isProvablySame } from '../../../../src/main/engine/log/same-version.ts'
import { ABSENT, changesOf, file, link, versionOf } from './trees.ts'

const A = versionOf(file('a'))
const B = versionOf(file('b'))
const C = versionOf(file('c'))

function edit(
  path: string,
  before: typeof A,
  after: typeof A,
  own = true,
  attribution: Attribution = 'declared'
): WindowEdit {
  return { path, before, after, own, attribution }
}

it('[LG-4] keeps the first before and the last after of each path, sorted by path bytes', () => {
  const changes = changesOf([edit('b', A, B), edit('a', ABSENT, A), edit('b', B, C), edit('a', A, B)])
  expect(changes.map(({ path, before, after }) => [path, before, after])).toEqual([
    ['a', ABSENT, B],
    ['b', A, C]
  ])
})

it('[LG-4] lets a path vanish that ended as it began', () => {
  expect(changesOf([edit('a', ABSENT, A), edit('b', A, B), edit('b', B, A), edit('a', A, ABSENT)])).toEqual([])
})

it('[LG-4] marks a path interleaved only if others changed it between two own edits', () => {
  const foreign = (path: string) => edit(path, B, C, false, 'none')
  const changes = changesOf([
    foreign('before'),
    edit('before', A, B),
    edit('after', A, B),
    foreign('after'),
    edit('between', A, B),
    foreign('between'),
    edit('between', C, A),
    edit('between', A, C),
    foreign('only')
  ])
  expect(changes.map(({ path, interleaved }) => [path, interleaved])).toEqual([
    ['after', false],
    ['before', false],
    ['between', true]
  ])
})

it('gives a path its strongest attribution: declared, then shared, then inferred', () => {
  const attributionOf = (...all: Attribution[]): Attribution | undefined =>
    changesOf(
      all.map((attribution, i) => edit('p', i === 0 ? A : B, i === all.length - 1 ? C : B, true, attribution))
    )[0]?.attribution
  expect(attributionOf('inferred', 'declared', 'shared')).toBe('declared')
  expect(attributionOf('inferred', 'shared', 'none')).toBe('shared')
  expect(attributionOf('none', 'inferred')).toBe('inferred')
  expect(attributionOf('none')).toBe('none')
})

it('compares kind, content, mode and target, and never takes unknown content for equal', () => {
  const unknown = { ...A, hash: null, notStored: 'too-large' as const }
  expect(isProvablySame(A, { ...A })).toBe(true)
  expect(isProvablySame(A, { ...A, mode: 0o755 })).toBe(false)
  expect(isProvablySame(unknown, { ...unknown })).toBe(false)
  expect(isProvablySame(versionOf(link('x')), { ...versionOf(link('x')), mode: 0 })).toBe(true)
  expect(isProvablySame(versionOf(link('x')), versionOf(link('y')))).toBe(false)
  expect(isProvablySame(ABSENT, ABSENT)).toBe(true)
})
