import fc from 'fast-check'
import { expect, test } from 'vitest'
import { containsPassage } from '../../../../src/main/engine/tools/locate.ts'
import { planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'
import { scaled } from '../../../support/scale.ts'

const EOLS = ['\n', '\r\n'] as const
const word = fc.stringMatching(/^[a-z]{2,8}$/)
const quoted = word.map((one) => `"${one}"`)
const sign = fc.constantFrom('=', '+', '(', ')', ',', '-', "'x'", '{', '}')

/** Lines of code, each made unique by its number. */
const codeLine = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.array(fc.oneof(word, quoted, sign), { minLength: 2, maxLength: 6 }))
  .map(([depth, tokens]) => ({ depth, tokens }))

interface Case {
  readonly lines: readonly string[]
  readonly from: number
  readonly count: number
  readonly eol: string
  readonly end: boolean
}

const someCase: fc.Arbitrary<Case> = fc
  .record({
    raw: fc.array(codeLine, { minLength: 3, maxLength: 14 }),
    pick: fc.tuple(fc.nat(), fc.nat()),
    eol: fc.constantFrom(...EOLS),
    end: fc.boolean()
  })
  .map(({ raw, pick, eol, end }) => {
    const lines = raw.map(({ depth, tokens }, n) => `${'  '.repeat(depth)}line${n} ${tokens.join(' ')}`)
    const from = pick[0] % lines.length
    return { lines, from, count: 1 + (pick[1] % (lines.length - from)), eol, end }
  })

/** Drawn again for every place that may differ. */
const choices = fc.infiniteStream(fc.nat({ max: 1000 }))

function textOf({ lines, eol, end }: Case): string {
  return lines.join(eol) + (end ? eol : '')
}

/** The expected text after the passage was replaced by one line at the depth of its first line. */
function replaced({ lines, from, count, eol, end }: Case, put: string): string {
  return [...lines.slice(0, from), put, ...lines.slice(from + count)].join(eol) + (end ? eol : '')
}

function drifted(
  passage: readonly string[],
  next: () => number,
  kinds: readonly ((line: string, next: () => number) => string)[]
): string {
  return passage.map((line) => kinds.reduce((made, kind) => kind(made, next), line)).join('\n')
}

const BLANKS = [' ', '  ', '\t']
const inner = (line: string, next: () => number): string => {
  const indent = /^ */.exec(line)?.[0] ?? ''
  return indent + line.slice(indent.length).replace(/ /g, () => BLANKS[next() % BLANKS.length] as string)
}
const trailing = (line: string, next: () => number): string => line + ['', ' ', '\t ', '   '][next() % 4]
const depth = (line: string, next: () => number): string =>
  ['', ' ', '    ', '\t', '\t\t'][next() % 5] + line.trimStart()
const around = (line: string, next: () => number): string =>
  line.replace(/ ?([=+(),{}]) ?/g, (whole, one: string) => (next() % 2 ? whole : ` ${one}  `))
const letters = (line: string, next: () => number): string =>
  line
    .replace(/"/g, () => ['"', '“', '”', '„'][next() % 4] as string)
    .replace(/'/g, () => ["'", '‘', '’'][next() % 3] as string)
    .replace(/-/g, () => ['-', '–', '—', '‑'][next() % 4] as string)
    .replace(/(?<=\S) (?=\S)/g, () => [' ', '\u00a0', '\u2009'][next() % 3] as string)

const DRIFTS: Readonly<Record<string, readonly ((line: string, next: () => number) => string)[]>> = {
  'blanks inside lines and at their ends': [inner, trailing],
  'another depth for every line': [depth, trailing],
  'blanks around signs': [around, inner, trailing],
  'quotes, dashes and odd blanks': [letters],
  everything: [around, inner, depth, letters, trailing]
}

test.each(Object.entries(DRIFTS))(
  'with %s exactly the quoted lines are replaced and no other byte changes',
  (_, kinds) => {
    fc.assert(
      fc.property(someCase, choices, (one, stream) => {
        const next = (): number => stream.next().value as number
        const passage = one.lines.slice(one.from, one.from + one.count)
        const old = drifted(passage, next, kinds)
        const indent = /^ */.exec(passage[0] as string)?.[0] ?? ''
        const asked = /^\s*/.exec(old)?.[0] ?? ''
        const plan = planEdit({ text: textOf(one), old, new: `${asked}PUT()` })
        expect(plan).toMatchObject({ result: 'edit', firstLine: one.from + 1, lastLine: one.from + one.count })
        const text = plan.result === 'edit' ? plan.text : ''
        // An exact replacement is inserted as it is; any other gets the depth of the file.
        const wanted = replaced(one, `${indent}PUT()`)
        expect(text).toBe(wanted)
      }),
      { numRuns: scaled(20) }
    )
  }
)

test('lines that the old and the new text share keep their bytes, whatever differs', () => {
  fc.assert(
    fc.property(someCase, choices, (one, stream) => {
      const next = (): number => stream.next().value as number
      const passage = one.lines.slice(one.from, one.from + one.count)
      const old = drifted(passage, next, DRIFTS.everything ?? [])
      const plan = planEdit({ text: textOf(one), old, new: `${old}\nPUT()` })
      const text = plan.result === 'edit' ? plan.text : ''
      const got = text.split(one.eol)
      expect(got.filter((_, n) => n !== one.from + one.count)).toEqual(textOf(one).split(one.eol))
      expect(got[one.from + one.count]?.trim()).toBe('PUT()')
      // A repeated edit is not applied twice.
      expect(planEdit({ text, old, new: `${old}\nPUT()` })).toMatchObject({ result: 'done' })
    }),
    { numRuns: scaled(20) }
  )
})

test('no repeated edit is applied twice, whatever it inserts, deletes or moves', () => {
  fc.assert(
    fc.property(someCase, choices, fc.boolean(), (one, stream, drifts) => {
      const next = (): number => stream.next().value as number
      const passage = one.lines.slice(one.from, one.from + one.count)
      const old = drifts ? drifted(passage, next, DRIFTS.everything ?? []) : passage.join('\n')
      const made = old
        .split('\n')
        .flatMap(
          (line) =>
            [[line], [], [line, `PUT(${next()})`], [`PUT(${next()})`, line], [`PUT(${next()})`]][next() % 5] ?? []
        )
      if (next() % 4 === 0) made.reverse()
      const edit = { old, new: made.join('\n') }
      const first = planEdit({ text: textOf(one), ...edit })
      fc.pre(first.result === 'edit')
      const text = first.result === 'edit' ? first.text : ''
      // As the log shows it: this edit turned the version before into the current one.
      const again = planEdit({ text, ...edit, wasApplied: () => containsPassage(text, edit.new) })
      expect(again).toMatchObject({ result: 'done' })
    }),
    { numRuns: scaled(30) }
  )
})

test('in a file with every kind of line end each kept line keeps its own', () => {
  const ends = fc.array(fc.constantFrom('\n', '\r\n', '\r'), { minLength: 20, maxLength: 20 })
  fc.assert(
    fc.property(someCase, ends, choices, (one, eols, stream) => {
      const next = (): number => stream.next().value as number
      const whole = one.lines.map((line, n) => line + eols[n]).join('')
      const passage = one.lines.slice(one.from, one.from + one.count)
      const at = next() % one.count
      const made = passage.flatMap((line, n) => (n === at ? ['PUT(1)', 'PUT(2)'] : [line]))
      const plan = planEdit({ text: whole, old: passage.join('\n'), new: made.join('\r\n') })
      const cut = one.lines
        .slice(0, one.from + at)
        .map((line, n) => line + eols[n])
        .join('').length
      const rest = one.lines
        .slice(one.from + at + 1)
        .map((line, n) => line + eols[one.from + at + 1 + n])
        .join('')
      const text = plan.result === 'edit' ? plan.text : ''
      expect(text.slice(0, cut)).toBe(whole.slice(0, cut))
      expect(text.endsWith(rest)).toBe(true)
      const end = eols[one.from + at]
      expect(text.slice(cut, text.length - rest.length)).toBe(`PUT(1)${end}PUT(2)${end}`)
    }),
    { numRuns: scaled(20) }
  )
})

test('two places within the ambiguity margin are refused, wherever they are', () => {
  const name = fc.stringMatching(/^[a-z]{30,40}$/)
  fc.assert(
    fc.property(name, fc.nat({ max: 29 }), fc.nat({ max: 29 }), (long, a, b) => {
      const at = (n: number, put: string): string => long.slice(0, n) + put + long.slice(n + 1)
      const text = `${at(a, '1')}\nbetween\n${at(b, '2')}\n`
      expect(planEdit({ text, old: long, new: 'x' })).toMatchObject({ result: 'several', rung: 'similar', count: 2 })
    })
  )
})

test('an exact edit changes exactly its span', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      (before, old, after, made) => {
        fc.pre(!/[\r\n]/.test(before + old + after + made))
        const text = before + old + after
        fc.pre(text.split(old).length === 2 && !text.includes(made === '' ? '\0\0' : made))
        expect(planEdit({ text, old, new: made })).toMatchObject({
          result: 'edit',
          rung: 'exact',
          text: before + made + after
        })
      }
    )
  )
})
