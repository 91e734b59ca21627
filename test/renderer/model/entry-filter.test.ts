/** The filter of the timeline as text in the page's address. */
import { expect, test } from 'vitest'
import {
  type EntryFilter,
  filterOfText,
  filterToText,
  hasChoices,
  isFiltered,
  NO_FILTER
} from '../../../src/renderer/model/entry-filter.ts'

test('[UI-10] every filter is the same after it was an address', () => {
  const filters: readonly Partial<EntryFilter>[] = [
    {},
    { text: 'tax & duty = 20 %' },
    { kinds: 'drift', since: 1_790_000_000_000 },
    { agent: 'claude-code', path: 'src/ü b/' },
    { undecided: true },
    { conflicts: true }
  ]
  for (const chosen of filters) {
    const filter = { ...NO_FILTER, ...chosen }
    expect(filterOfText(filterToText(filter))).toEqual(filter)
  }
  expect(filterToText(NO_FILTER)).toBe('')
})

test('an address that was typed wrong filters nothing', () => {
  expect(filterOfText('kinds=nothing&since=soon&undecided=perhaps&unknown=1')).toEqual(NO_FILTER)
  expect(filterOfText('since=-5')).toEqual(NO_FILTER)
})

test('text alone is a filter but no choice', () => {
  expect([isFiltered({ ...NO_FILTER, text: 'a' }), hasChoices({ ...NO_FILTER, text: 'a' })]).toEqual([true, false])
  expect([isFiltered({ ...NO_FILTER, path: 'a' }), hasChoices({ ...NO_FILTER, path: 'a' })]).toEqual([true, true])
})
