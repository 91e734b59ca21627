/** Counts and hunks as git and the patch have them, whatever the content. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countLines, type LineCounts } from '../../../../src/main/engine/diff/line-diff.ts'
import { formatHunks } from '../../../../src/main/engine/diff/patch.ts'
import { LONG } from '../../../support/scale.ts'
import { git, makeFolder, removeFolder } from './trees.ts'

/** Its square is what a comparison of hostile lines may take. */
const MANY = LONG ? 8000 : 500

const bytes = (text: string): Buffer => Buffer.from(text)
const count = (before: string, after: string) => countLines(bytes(before), bytes(after))
const numbered = (n: number, make: (i: number) => string): string =>
  Array.from({ length: n }, (_, i) => make(i)).join('')

describe('line counts', () => {
  it('count a file that comes or goes as one hunk, and an empty one as none', () => {
    expect(countLines(null, bytes('a\nb'))).toEqual({ added: 2, deleted: 0, hunks: 1 })
    expect(countLines(bytes('a\nb\n'), null)).toEqual({ added: 0, deleted: 2, hunks: 1 })
    expect(countLines(null, bytes(''))).toEqual({ added: 0, deleted: 0, hunks: 0 })
    expect(countLines(null, null)).toEqual({ added: 0, deleted: 0, hunks: 0 })
  })

  it('count a final newline and a line ending as a changed line', () => {
    expect(count('a\nb', 'a\nb\n')).toEqual({ added: 1, deleted: 1, hunks: 1 })
    expect(count('a\r\nb\r\n', 'a\nb\r\n')).toEqual({ added: 1, deleted: 1, hunks: 1 })
    expect(count('a\rb\n', 'a\rc\n')).toEqual({ added: 1, deleted: 1, hunks: 1 })
  })

  it('merge changes with up to six unchanged lines between them into one hunk', () => {
    const text = numbered(20, (i) => `${i}\n`)
    const six = text.replace('\n2\n', '\nx\n').replace('\n9\n', '\nx\n')
    const seven = text.replace('\n2\n', '\nx\n').replace('\n10\n', '\nx\n')
    expect(count(text, six)).toEqual({ added: 2, deleted: 2, hunks: 1 })
    expect(count(text, seven)).toEqual({ added: 2, deleted: 2, hunks: 2 })
  })

  it('are none for binary content, which has no lines', () => {
    expect(countLines(Buffer.from([0, 1]), bytes('a\n'))).toEqual({ added: 0, deleted: 0, hunks: 0 })
    expect(countLines(bytes('a\n'), Buffer.from([0xff, 0xfe, 0, 0]))).toEqual({ added: 0, deleted: 0, hunks: 0 })
  })
})

describe('against git', { tags: ['git'] }, () => {
  let folder = ''
  beforeAll(() => {
    folder = makeFolder(true)
  })
  afterAll(() => removeFolder(folder))

  it('the counts are those of git diff --minimal or, where that is not minimal, smaller; the hunks are those of the patch', () => {
    const line = fc.constantFrom('a', 'b', 'c', 'd', '', '}', 'e\rf')
    const text = fc
      .tuple(fc.array(line, { maxLength: 40 }), fc.boolean())
      .map(([lines, end]) => lines.join('\n') + (end ? '\n' : ''))
    const write = (texts: readonly string[]): void => {
      for (const [n, each] of texts.entries()) writeFileSync(join(folder, `f${n}`), each)
    }
    // Starting git costs more than comparing all of them.
    const pairs = fc.array(fc.tuple(text, text), { minLength: 20, maxLength: 20 })
    fc.assert(
      fc.property(pairs, (compared) => {
        write(compared.map(([before]) => before))
        git(folder, ['add', '.'])
        write(compared.map(([, after]) => after))
        const rows = git(folder, ['diff', '--minimal', '--numstat']).trim().split('\n')
        const counted = new Map(
          rows.map((row) => row.split('\t')).map(([added, deleted, name]) => [name, [added, deleted]])
        )
        for (const [n, [before, after]] of compared.entries()) {
          const [added = 0, deleted = 0] = counted.get(`f${n}`)?.map(Number) ?? []
          const counts = count(before, after)
          // git leaves out lines that are frequent on one side before it compares, as the lines `a` of 'a\na\na\na\n' against 'e\rf\na\n\n}\nd\n}\nc\na'.
          expect(counts.added - counts.deleted).toBe(added - deleted)
          expect(counts.added).toBeLessThanOrEqual(added)
          const hunks = formatHunks(bytes(before), bytes(after), null).toString()
          expect(hunks.match(/^@@ /gm)?.length ?? 0).toBe(counts.hunks)
        }
      }),
      { numRuns: 3 }
    )
  })
})

describe('hostile content is counted, with the lines and hunks of the patch', () => {
  const countLarge = (before: string, after: string): LineCounts => {
    const counts = count(before, after)
    const starts = { '+': 0, '-': 0, '@': 0 }
    for (const line of formatHunks(bytes(before), bytes(after), null).toString().split('\n')) {
      const [first] = line
      if (first === '+' || first === '-' || first === '@') starts[first]++
    }
    expect(counts).toEqual({ added: starts['+'], deleted: starts['-'], hunks: starts['@'] })
    return counts
  }

  it('two files of 20,000 lines with nothing in common', () => {
    const before = numbered(20_000, (i) => `old ${i}\n`)
    const after = numbered(20_000, (i) => `new ${i}\n`)
    expect(countLarge(before, after)).toEqual({ added: 20_000, deleted: 20_000, hunks: 1 })
  })

  it(`${MANY} lines in reverse, and in an order without pattern`, () => {
    const lines = Array.from({ length: MANY }, (_, i) => `line ${i}\n`)
    const reversed = countLarge(lines.join(''), [...lines].reverse().join(''))
    expect(reversed.added).toBe(reversed.deleted)
    const some = LONG ? lines : lines.slice(0, 300)
    const mixed = countLarge(some.join(''), some.map((_, i) => some[(i * 7919) % some.length]).join(''))
    expect(mixed.added).toBe(mixed.deleted)
  })

  it(`${MANY} lines of two kinds, which occur everywhere`, () => {
    let state = 1
    const coin = (): string => {
      state = (state * 48_271) % 2_147_483_647
      return state % 2 ? 'a\n' : 'b\n'
    }
    const { added, deleted } = countLarge(numbered(MANY, coin), numbered(MANY, coin))
    expect(added).toBe(deleted)
    expect(added).toBeGreaterThan(0)
  })

  it('one line of 5 MB', () => {
    const half = 'x'.repeat(2_500_000)
    expect(countLarge(half + half, `${half}y${half}`)).toEqual({ added: 1, deleted: 1, hunks: 1 })
  })

  it('a million empty lines', () => {
    const half = '\n'.repeat(500_000)
    expect(countLarge(half + half, `${half}x\n${half}`)).toEqual({ added: 1, deleted: 0, hunks: 1 })
  })

  it('two halves that changed places: the shorter move is found', () => {
    const lines = Array.from({ length: MANY }, (_, i) => `line ${i}\n`)
    const half = [...lines.slice(MANY / 2), ...lines.slice(0, MANY / 2)]
    expect(count(lines.join(''), half.join(''))).toEqual({ added: MANY / 2, deleted: MANY / 2, hunks: 2 })
  })
})
