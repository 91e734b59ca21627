/** Where comments are in the shown text: only on lines that are those they were written on. */
import { describe, expect, test } from 'vitest'
import type { Comment } from '../../../src/contract/review.ts'
import {
  linesOfText,
  placeThreads,
  type ShownSide,
  showsQuote,
  threadsOf
} from '../../../src/renderer/features/review/comment-places.ts'
import { comment } from './make.ts'

const side = (lines: readonly string[] | null, comments: readonly Comment[] = [], path = 'a.ts'): ShownSide => ({
  path,
  comments,
  lines
})
const TWO = { line: 2, endLine: 2, quote: 'two' }

describe('[RV-2] a comment', () => {
  test('is on its lines of the later text', () => {
    const after = side(['one', 'two'], [comment('c', TWO)])
    expect(placeThreads(after, side(['one']))).toMatchObject([{ lines: { side: 'after', from: 2, to: 2 } }])
  })

  test('on lines that are gone from the later text is on those of the earlier one', () => {
    const gone = comment('c', { line: null, endLine: null, quote: 'two', lines: 'gone' })
    const before = side(['one', 'two'], [comment('c', TWO)])
    expect(placeThreads(side(['one'], [gone]), before)).toMatchObject([{ lines: { side: 'before', from: 2, to: 2 } }])
  })

  test('is on no line where the text has another one there, is shorter, or is not shown', () => {
    const placed = (lines: readonly string[] | null) =>
      placeThreads(side(lines, [comment('c', TWO)]), side(null)).map((thread) => thread.lines)
    expect([placed(['one', 'other']), placed(['one']), placed(null)]).toEqual([[null], [null], [null]])
  })

  test('on another file, or on the whole run, is not among those of the file', () => {
    const comments = [comment('a', { path: 'b.ts' }), comment('b', { path: null, line: null, endLine: null })]
    expect(placeThreads(side(['one'], comments), side(['one'], comments))).toEqual([])
  })

  test('of a renamed file is placed by the name of each side', () => {
    const after = side(['one'], [comment('c', { path: 'new.ts', line: null, endLine: null, quote: 'two' })], 'new.ts')
    const before = side(['one', 'two'], [comment('c', { ...TWO, path: 'old.ts' })], 'old.ts')
    expect(placeThreads(after, before)).toMatchObject([{ lines: { side: 'before', from: 2, to: 2 } }])
  })
})

describe('a thread', () => {
  test('has its replies, and a reply whose comment is not listed is one of its own', () => {
    const threads = threadsOf([comment('a'), comment('b', { replyTo: 'a' }), comment('c', { replyTo: 'gone' })])
    expect(threads.map(({ comment: { id }, replies }) => [id, replies.map((reply) => reply.id)])).toEqual([
      ['a', ['b']],
      ['c', []]
    ])
  })
})

describe('the quote of a comment', () => {
  test('is shown when every line is as it was', () => {
    expect(showsQuote({ quote: 'one\ntwo', lines: 'same' }, ['one', 'two'])).toBe(true)
    expect(showsQuote({ quote: 'one\ntwo', lines: 'same' }, ['one', 'other'])).toBe(false)
  })

  test('of changed lines is shown when one of them is still there; an empty line proves nothing', () => {
    expect(showsQuote({ quote: 'one\ntwo', lines: 'changed' }, ['two'])).toBe(true)
    expect(showsQuote({ quote: 'one\n', lines: 'changed' }, [''])).toBe(false)
  })

  test('is not compared where the file may contain secrets', () => {
    expect(showsQuote({ quote: '', lines: 'same' }, ['KEY=1'])).toBe(true)
  })
})

test('lines are counted as the engine counts them, or not at all', () => {
  expect(linesOfText('one\r\ntwo\n')).toEqual(['one', 'two', ''])
  expect(linesOfText('one\rtwo')).toBeNull()
})
