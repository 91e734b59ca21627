import { expect, it } from 'vitest'
import type { FileVersion } from '../../../../src/contract/log.ts'
import type { PathChange } from '../../../../src/main/engine/diff/aggregate.ts'
import { contentSimilarity, pairRenames } from '../../../../src/main/engine/diff/renames.ts'
import { ABSENT, file, versionOf } from './trees.ts'

const version = (content: string, exec = false): FileVersion => versionOf(file(content, exec))
const change = (path: string, before: FileVersion, after: FileVersion): PathChange => ({
  path,
  before,
  after,
  attribution: 'inferred',
  interleaved: false
})
const gone = (path: string, content: string): PathChange => change(path, version(content), ABSENT)
const come = (path: string, content: string): PathChange => change(path, ABSENT, version(content))
const shape = (changes: readonly PathChange[]): string[] =>
  changes.map(({ path, oldPath, after }) =>
    oldPath ? `${oldPath} > ${path}` : `${after.kind === 'absent' ? '-' : '+'}${path}`
  )

it('pairs equal content, the same base name first, then in path order', () => {
  const changes = [gone('a/x', 'one'), gone('b/y', 'one'), come('c/y', 'one'), come('d/z', 'one'), come('e/x', 'two')]
  expect(shape(pairRenames(changes))).toEqual(['b/y > c/y', 'a/x > d/z', '+e/x'])
  expect(shape(pairRenames([...changes].reverse()))).toEqual(['b/y > c/y', 'a/x > d/z', '+e/x'])
})

it('keeps both modes, the stronger attribution and the interleaved mark', () => {
  const deleted = { ...gone('a', 'x'), attribution: 'declared' as const, interleaved: true }
  const added = change('b', ABSENT, version('x', true))
  expect(pairRenames([deleted, added])).toEqual([
    {
      path: 'b',
      oldPath: 'a',
      before: version('x'),
      after: version('x', true),
      attribution: 'declared',
      interleaved: true
    }
  ])
})

it('never pairs empty files, links, or files whose content is not known', () => {
  const unknown: FileVersion = { ...version('x'), hash: null, notStored: 'too-large' }
  const changes = [gone('a', ''), come('b', ''), change('c', unknown, ABSENT), change('d', ABSENT, unknown)]
  expect(shape(pairRenames(changes, () => 1))).toEqual(['-a', '+b', '-c', '+d'])
})

it('leaves a path alone that existed before and after', () => {
  const changes = [gone('a', 'x'), change('b', version('y'), version('x'))]
  expect(shape(pairRenames(changes))).toEqual(['-a', '+b'])
})

it('pairs similar content from 0.6 on, the most similar first', () => {
  const scores: Record<string, number> = { 'a>x': 0.7, 'a>y': 0.9, 'b>x': 0.6, 'b>y': 0.95, 'c>x': 0.59, 'c>y': 0.1 }
  const similarity = (from: PathChange, to: PathChange): number => scores[`${from.path}>${to.path}`] ?? 0
  const changes = [gone('a', '111'), gone('b', '222'), gone('c', '333'), come('x', '444'), come('y', '555')]
  expect(shape(pairRenames(changes, similarity))).toEqual(['-c', 'a > x', 'b > y'])
})

it('asks for few similarities however many files there are', () => {
  let asked = 0
  const count = (): number => {
    asked++
    return 0
  }
  const many = (n: number): PathChange[] =>
    Array.from({ length: n }, (_, i) => [gone(`old/${i}`, `old ${i}`), come(`new/${i}x`, `new ${i}`)]).flat()
  pairRenames(many(200), count)
  expect(asked).toBeLessThanOrEqual(2000)
  asked = 0
  pairRenames(many(20_000), count)
  expect(asked).toBe(0)
})

it('finds files of the same name among thousands of moved and edited ones', () => {
  const moved = Array.from({ length: 1000 }, (_, i) => [
    gone(`old/${i}`, `old ${i}`),
    come(`new/${i}`, `new ${i}`)
  ]).flat()
  const paired = pairRenames(moved, () => 0.8)
  expect(paired).toHaveLength(1000)
  expect(paired.every(({ path, oldPath }) => oldPath === path.replace('new', 'old'))).toBe(true)
})

it('measures similarity as the share of lines both have, by bytes', () => {
  const bytes = (text: string): Buffer => Buffer.from(text)
  expect(contentSimilarity(bytes('a\nb\nc\nd\n'), bytes('d\nc\nb\nx\n'))).toBe(0.75)
  expect(contentSimilarity(bytes('a\na\n'), bytes('a\na\na\na\n'))).toBe(0.5)
  expect(contentSimilarity(bytes(''), bytes('x'))).toBe(0)
})
