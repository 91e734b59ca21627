import { expect, test } from 'vitest'
import { planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'
import { LONG } from '../../../support/scale.ts'

const plan = (text: string, old: string) => planEdit({ text, old, new: 'x' })

/** The sizes are divided by it. */
const SHARE = LONG ? 1 : 10
const MANY = 50_000 / SHARE

const LINES = Array.from({ length: MANY }, (_, n) => `    const value${n} = compute(${n}, "item ${n}")`)
const TEXT = `${LINES.join('\n')}\n`

test(`a passage is found in a file of ${MANY} lines on every rung`, () => {
  const passage = LINES.slice(MANY - 1000, MANY - 980).join('\n')
  const requests = {
    exact: passage,
    whitespace: passage.replaceAll(' = ', '  =  '),
    indentation: passage.replaceAll('    const', 'const'),
    unicode: passage.replaceAll('"', '”'),
    similar: passage.replace(`value${MANY - 990} = compute`, `value${MANY - 990} = copmute`)
  }
  for (const [rung, old] of Object.entries(requests)) {
    expect(plan(TEXT, old)).toMatchObject({ result: 'edit', rung, firstLine: MANY - 999 })
  }
})

test(`a passage that does not occur in ${MANY} lines is refused`, () => {
  expect(plan(TEXT, 'nothing like this is anywhere in the file, not even nearly').result).toBe('none')
})

test.each([
  ['one letter repeated', 'a'.repeat(2_000_000 / SHARE), `b${'a'.repeat(100_000 / SHARE)}`],
  ['one line repeated', 'same line\n'.repeat(100_000 / SHARE), `${'same line\n'.repeat(3000 / SHARE)}other line`],
  ['equal anchors everywhere', 'x y z\n'.repeat(50_000 / SHARE), `x y z\n${'q r s t u v\n'.repeat(200)}x y z`],
  [
    'one very long line',
    'ab '.repeat(600_000 / SHARE),
    `${'ab '.repeat(100_000 / SHARE)}c${'ab '.repeat(20_000 / SHARE)}`
  ],
  [
    'long lines that are nearly equal',
    `${'x'.repeat(20_000 / SHARE)}1\n`.repeat(60),
    `${'x'.repeat(10_000 / SHARE)}y${'x'.repeat(10_000 / SHARE)}`
  ],
  ['very many combining marks', `e${'\u0301'.repeat(300_000 / SHARE)}`, `e${'\u0301'.repeat(100_000 / SHARE)}z`],
  ['very many blanks', ' '.repeat(2_000_000 / SHARE), ` ${'\t'.repeat(1000 / SHARE)}x`]
])('hostile input is refused: %s', (_, text, old) => {
  expect(plan(text, old).result).not.toBe('edit')
})
