import { expect, test } from 'vitest'
import { planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'

const plan = (text: string, old: string) => planEdit({ text, old, new: 'x' })

const LINES = Array.from({ length: 50_000 }, (_, n) => `    const value${n} = compute(${n}, "item ${n}")`)
const TEXT = `${LINES.join('\n')}\n`

test('a passage is found in a file of 50,000 lines on every rung', () => {
  const passage = LINES.slice(40_000, 40_020).join('\n')
  const requests = {
    exact: passage,
    whitespace: passage.replaceAll(' = ', '  =  '),
    indentation: passage.replaceAll('    const', 'const'),
    unicode: passage.replaceAll('"', '”'),
    similar: passage.replace('value40010 = compute', 'value40010 = copmute')
  }
  for (const [rung, old] of Object.entries(requests)) {
    expect(plan(TEXT, old)).toMatchObject({ result: 'edit', rung, firstLine: 40_001 })
  }
})

test('a passage that does not occur in 50,000 lines is refused', () => {
  expect(plan(TEXT, 'nothing like this is anywhere in the file, not even nearly').result).toBe('none')
})

test.each([
  ['one letter repeated', 'a'.repeat(2_000_000), `b${'a'.repeat(100_000)}`],
  ['one line repeated', 'same line\n'.repeat(100_000), `${'same line\n'.repeat(3000)}other line`],
  ['equal anchors everywhere', 'x y z\n'.repeat(50_000), `x y z\n${'q r s t u v\n'.repeat(200)}x y z`],
  ['one line of two million letters', 'ab '.repeat(600_000), `${'ab '.repeat(100_000)}c${'ab '.repeat(20_000)}`],
  [
    'long lines that are nearly equal',
    `${'x'.repeat(20_000)}1\n`.repeat(60),
    `${'x'.repeat(10_000)}y${'x'.repeat(10_000)}`
  ],
  ['very many combining marks', `e${'\u0301'.repeat(300_000)}`, `e${'\u0301'.repeat(100_000)}z`],
  ['very many blanks', ' '.repeat(2_000_000), ` ${'\t'.repeat(1000)}x`]
])('hostile input is refused: %s', (_, text, old) => {
  expect(plan(text, old).result).not.toBe('edit')
})
