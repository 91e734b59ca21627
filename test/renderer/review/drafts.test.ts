import { expect, test } from 'vitest'
import { readDrafts, withDraft } from '../../../src/renderer/features/review/drafts.ts'

test('[UI-40] a draft replaces the one of the same place, and an empty one removes it', () => {
  const drafts = withDraft(withDraft([], 'a', 'one'), 'b', 'two')
  expect(withDraft(drafts, 'a', 'three')).toEqual([
    ['a', 'three'],
    ['b', 'two']
  ])
  expect(withDraft(drafts, 'b', ' \n')).toEqual([['a', 'one']])
})

test('of more than 100 drafts the oldest ones are dropped', () => {
  let drafts = readDrafts(null)
  for (let i = 0; i < 120; i++) drafts = withDraft(drafts, `${i}`, 'text')
  expect([drafts.length, drafts[0]?.[0], drafts.at(-1)?.[0]]).toEqual([100, '119', '20'])
})

test('a stored value that is not ours is no draft', () => {
  expect([readDrafts('{'), readDrafts('{"a":1}'), readDrafts(null)]).toEqual([[], [], []])
})
