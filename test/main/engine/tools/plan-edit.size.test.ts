import { expect, test } from 'vitest'
import { planEdit } from '../../../../src/main/engine/tools/plan-edit.ts'

/** CPU time, so that a busy machine does not matter, ms. */
const LIMIT = 1000

function timed(text: string, old: string, made = 'x') {
  const from = process.cpuUsage()
  const plan = planEdit({ text, old, new: made })
  const { user, system } = process.cpuUsage(from)
  return { plan, ms: (user + system) / 1000 }
}

const LINES = Array.from({ length: 50_000 }, (_, n) => `    const value${n} = compute(${n}, "item ${n}")`)
const TEXT = `${LINES.join('\n')}\n`

test('a file of 50,000 lines takes less than a second on every rung', () => {
  const passage = LINES.slice(40_000, 40_020).join('\n')
  const requests = {
    exact: passage,
    whitespace: passage.replaceAll(' = ', '  =  '),
    indentation: passage.replaceAll('    const', 'const'),
    unicode: passage.replaceAll('"', '”'),
    similar: passage.replace('value40010 = compute', 'value40010 = copmute')
  }
  planEdit({ text: TEXT.slice(0, 5000), old: 'warm up', new: '' })
  for (const [rung, old] of Object.entries(requests)) {
    const { plan, ms } = timed(TEXT, old)
    expect(plan).toMatchObject({ result: 'edit', rung, firstLine: 40_001 })
    expect(ms, rung).toBeLessThan(LIMIT)
  }
})

test('a passage that does not occur is refused as fast', () => {
  const { plan, ms } = timed(TEXT, 'nothing like this stands anywhere in the file, not even nearly')
  expect(plan.result).toBe('none')
  expect(ms).toBeLessThan(LIMIT)
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
])('hostile input is refused in time: %s', (_, text, old) => {
  const { plan, ms } = timed(text, old)
  expect(plan.result).not.toBe('edit')
  expect(ms).toBeLessThan(2 * LIMIT)
})
