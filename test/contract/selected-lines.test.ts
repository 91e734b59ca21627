/** Which changed lines a selection of lines in a diff means. */
import { expect, test } from 'vitest'
import { selectedBlocks } from '../../src/contract/selected-lines.ts'

/** [oldFrom, oldTo, newFrom, newTo] */
type Block = readonly [number, number, number, number]

const CASES: readonly (readonly [
  title: string,
  block: Block,
  side: 'before' | 'after',
  lines: readonly [number, number],
  Block | null
])[] = [
  ['an added line', [5, 5, 5, 8], 'after', [6, 7], [5, 5, 6, 7]],
  ['all added lines and lines around them', [5, 5, 5, 8], 'after', [0, 20], [5, 5, 5, 8]],
  ['no changed line', [5, 5, 5, 8], 'after', [8, 9], null],
  ['a line that replaces another comes with that', [5, 8, 5, 8], 'after', [6, 7], [6, 7, 6, 7]],
  ['the last added line comes with all deleted lines that are left', [5, 9, 5, 7], 'after', [6, 7], [6, 9, 6, 7]],
  ['an added line beyond the deleted ones replaces nothing', [5, 6, 5, 8], 'after', [6, 8], [6, 6, 6, 8]],
  ['a whole block', [5, 9, 5, 7], 'after', [5, 7], [5, 9, 5, 7]],
  ['a deletion belongs to the line above it', [5, 7, 5, 5], 'after', [4, 5], [5, 7, 5, 5]],
  ['a deletion does not belong to the line below it', [5, 7, 5, 5], 'after', [5, 6], null],
  ['a deletion at the start belongs to the first line', [0, 2, 0, 0], 'after', [0, 1], [0, 2, 0, 0]],
  ['deleted lines alone', [5, 9, 5, 7], 'before', [6, 8], [6, 8, 5, 5]],
  ['lines before the block', [5, 9, 5, 7], 'before', [0, 5], null]
]

test.for(CASES)('[RS-21] selected: %s', ([, block, side, [from, to], expected]) => {
  const of = ([oldFrom, oldTo, newFrom, newTo]: Block) => ({ oldFrom, oldTo, newFrom, newTo })
  expect(selectedBlocks([of(block)], { side, from, to })).toEqual(expected ? [of(expected)] : [])
})
