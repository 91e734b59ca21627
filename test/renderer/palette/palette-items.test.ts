/** The palette's sections: in order, without duplicates. */
import { expect, test } from 'vitest'
import type { SearchHit } from '../../../src/contract/search.ts'
import { sectionsOf } from '../../../src/renderer/features/palette/palette-items.ts'
import { entryOfHit } from '../../../src/renderer/state/navigation.ts'
import { commandState } from '../commands/make.ts'
import { drift, run } from '../model/make.ts'

const STATE = commandState()
const hit = (kind: SearchHit['kind'], text: string, more: Partial<SearchHit> = {}): SearchHit => ({
  kind,
  text,
  path: null,
  run: 'run_1',
  session: 's1',
  message: null,
  seq: null,
  at: 0,
  ...more
})

test('messages and changes have their own sections between runs and checkpoints', () => {
  const hits = [
    hit('change', '+ const tax = 1', { path: 'src/tax.ts', seq: 4 }),
    hit('message', 'the tax is in', { message: 2 }),
    hit('path', 'src/tax.ts', { path: 'src/tax.ts' }),
    hit('prompt', 'and now the tax', { message: 3 })
  ]
  const sections = sectionsOf('tax', STATE, [run('run_1', 1, { title: 'Add tax' })], hits)
  expect(sections.map(({ title, items }) => [title, ...items.map((item) => item.title)])).toEqual([
    ['Runs', 'Add tax'],
    ['Prompts', 'and now the tax'],
    ['Messages', 'the tax is in'],
    ['Files', 'src/tax.ts'],
    ['Changes', '+ const tax = 1']
  ])
  const ids = sections.flatMap(({ items }) => items.map(({ kind, id }) => `${kind} ${id}`))
  expect(new Set(ids).size).toBe(ids.length)
})

test('a prompt that is the title of a listed run is not repeated', () => {
  const hits = [hit('prompt', 'Add tax', { message: 1 }), hit('prompt', 'Add tax', { run: 'run_2', message: 9 })]
  const sections = sectionsOf('tax', STATE, [run('run_1', 1, { title: 'Add tax' })], hits)
  const prompts = sections.find(({ title }) => title === 'Prompts')
  expect(prompts?.items).toMatchObject([{ hit: { run: 'run_2' } }])
})

test('a hit opens in its run, its outside change, or a run of its conversation', () => {
  const entries = [
    { ...drift('dr_late', 9), at: 900 },
    run('run_2', 8, { session: 's9' }),
    { ...drift('dr_near', 5), at: 120 },
    drift('dr_other', 4)
  ]
  const found = (more: Partial<SearchHit>) =>
    entryOfHit({ ...hit('change', 'x'), run: null, session: null, path: null, ...more }, entries)
  expect(found({ run: 'run_7' })).toBe('run_7')
  expect(found({ path: 'a.ts', at: 100 })).toBe('dr_near')
  expect(found({ session: 's9', message: 2 })).toBe('run_2')
  expect(found({ path: 'never.ts' })).toBeNull()
})

test('[UI-49] a text that begins with @ searches the definitions of the open file alone', () => {
  const symbols = [
    { name: 'Cart', line: 3, depth: 0 },
    { name: 'total', line: 9, depth: 1 }
  ]
  const review = () => ({ symbols: () => symbols }) as never
  const state = { ...STATE, workspace: { ...STATE.workspace, review } as never }
  const found = (typed: string) =>
    sectionsOf(typed, state, [run('run_1', 1, { title: 'total' })]).map(({ items }) => items.map(({ title }) => title))
  expect(found('@')).toEqual([['Cart', 'total']])
  expect(found('@ tot')).toEqual([['total']])
  expect(found('@nothing')).toEqual([])
})
